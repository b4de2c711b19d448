/**
 * Places of the conversations that calls are going to be: a call that an agent answers has one from its admission until its session
 * begins, and the session from then on. Source: docs/reference/telephony.md#agents.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Account } from "../../platform/accounts/index.ts"
import { ConversationQuota } from "../../platform/billing/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type { Call } from "./Call.ts"
import { CallStore } from "./CallStore.ts"

/** Whose sessions are limited. */
export interface SessionOwner extends Pick<Account, "id" | "plan"> {}

/** Port: voice sessions of accounts. */
export interface SessionPlaces {
  /** How many more sessions may run beside those that run now; null for any number. */
  readonly left: (owner: SessionOwner, at: Instant.Instant) => Effect.Effect<number | null, StorageError, Read>
}

/** Without voice sessions there is no limit. */
export const SessionPlaces = Context.Reference<SessionPlaces>("@trunkline/core/calling/calls/SessionPlaces", {
  defaultValue: () => ({ left: () => Effect.succeed(null) })
})

/**
 * Why an agent cannot answer one more call.
 *
 * - `places`        the account has as many sessions, and calls that will be sessions, as it may have
 * - `conversations` its plan's conversations of the month are used up
 */
export type AgentRefusal = "places" | "conversations"

export class AgentPlaces extends Context.Service<
  AgentPlaces,
  {
    /** Claims a place and a conversation of the plan. Exact until the end of the transaction: it locks the account. */
    readonly claim: (
      owner: SessionOwner,
      at: Instant.Instant
    ) => Effect.Effect<AgentRefusal | null, StorageError, Tx | Read>
    /** What `claim` would answer. Another call may be faster. */
    readonly check: (owner: SessionOwner, at: Instant.Instant) => Effect.Effect<AgentRefusal | null, StorageError, Read>
    /** Releases the conversation of a call whose session never began. */
    readonly release: (call: Pick<Call, "tenantId" | "createdAt">) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/calling/calls/AgentPlaces") {
  static readonly layer = Layer.effect(
    AgentPlaces,
    Effect.gen(function* () {
      const calls = yield* CallStore
      const conversations = yield* ConversationQuota
      const places = yield* SessionPlaces

      // The calls first: one whose session begins meanwhile is counted twice, and never not at all.
      const isFull = Effect.fnUntraced(function* (owner: SessionOwner, at: Instant.Instant) {
        const waiting = yield* calls.countAwaitingAgent(owner.id)
        const left = yield* places.left(owner, at)
        return left !== null && waiting >= left
      })

      const claim = Effect.fnUntraced(function* (owner: SessionOwner, at: Instant.Instant) {
        yield* lock("account", owner.id)
        if (yield* isFull(owner, at)) return "places" as const
        const isCounted = yield* conversations.count({ tenantId: owner.id, plan: owner.plan, at })
        return isCounted ? null : ("conversations" as const)
      })

      const check = Effect.fnUntraced(function* (owner: SessionOwner, at: Instant.Instant) {
        if (!(yield* conversations.hasRoom({ tenantId: owner.id, plan: owner.plan, at })))
          return "conversations" as const
        return (yield* isFull(owner, at)) ? ("places" as const) : null
      })

      const release = ({ createdAt: at, tenantId }: Pick<Call, "tenantId" | "createdAt">) =>
        conversations.release([{ tenantId, at }])

      return AgentPlaces.of({ claim, check, release })
    })
  )
}
