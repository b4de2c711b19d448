/** Conversations of the plan in a calendar month, voice sessions and chats together. Source: docs/reference/plans.md#conversations. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import * as Month from "./Month.ts"
import { type Plan, plans } from "./Plans.ts"
import { QuotaStore } from "./QuotaStore.ts"

/** A conversation that counts in the month of an instant. */
export interface CountedConversation {
  readonly tenantId: Ids.AccountId
  readonly at: Instant.Instant
}

export interface NewConversation extends CountedConversation {
  readonly plan: Plan
}

export class ConversationQuota extends Context.Service<
  ConversationQuota,
  {
    /** Counts a conversation: false, and nothing changed, where the plan has no room. Exact, however many are counted side by side. */
    readonly count: (conversation: NewConversation) => Effect.Effect<boolean, StorageError, Tx>
    /** Whether the plan has room for one more. Another may take it until it is counted. */
    readonly hasRoom: (conversation: NewConversation) => Effect.Effect<boolean, StorageError, Read>
    /** Subtracts conversations that were counted. */
    readonly release: (counted: ReadonlyArray<CountedConversation>) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/ConversationQuota") {
  static readonly layer = Layer.effect(
    ConversationQuota,
    Effect.gen(function* () {
      const quotas = yield* QuotaStore

      const count = Effect.fnUntraced(function* (conversation: NewConversation) {
        const period = periodOf(conversation)
        if (!(yield* quotas.begin(period, { calls: 1, cap: plans[conversation.plan].conversationsPerMonth })))
          return false
        yield* quotas.end(period, { pending: 1, used: 1 })
        return true
      })

      const hasRoom = Effect.fnUntraced(function* (conversation: NewConversation) {
        const max = plans[conversation.plan].conversationsPerMonth
        if (max === null) return true
        const { pending, used } = yield* quotas.counts(periodOf(conversation))
        return used + pending < max
      })

      const release = (counted: ReadonlyArray<CountedConversation>) => {
        const months = Map.groupBy(counted.map(periodOf), ({ month, tenantId }) => `${tenantId} ${month}`)
        // In one order: transactions side by side that release for the same accounts wait for each other, and not in a circle.
        const inOrder = [...months].toSorted(([a], [b]) => (a < b ? -1 : 1))
        return Effect.forEach(inOrder, ([, same]) => quotas.end(same[0]!, { pending: 0, used: -same.length }), {
          discard: true
        })
      }

      return ConversationQuota.of({ count, hasRoom, release })
    })
  )
}

const periodOf = ({ at, tenantId }: CountedConversation) => ({
  tenantId,
  service: "conversation" as const,
  month: Month.of(at)
})
