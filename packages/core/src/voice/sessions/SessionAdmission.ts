/** Whether an account may have one more voice session: its money, its plan's conversations, and how many run at a time. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type InferenceRefused, refuse } from "../../gateway/errors/index.ts"
import { Accounts, spenderOf, spendingRefusal } from "../../platform/accounts/index.ts"
import { ConversationQuota, Credits, Months, type Plan } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, type Read, Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { LiveSessionStore } from "./LiveSessionStore.ts"
import { VoiceLimits } from "./SessionSettings.ts"
import { LiveCalls } from "./VoicePorts.ts"
import type { VoiceSession } from "./VoiceSession.ts"

const quotaExceeded = (message: string, at: Instant.Instant): InferenceRefused =>
  refuse("quota_exceeded", { message, retryAfterSeconds: Months.secondsUntilNext(at) })

/** An account and its plan. */
export interface SessionOwner {
  readonly tenantId: Ids.AccountId
  readonly plan: Plan
}

export class SessionAdmission extends Context.Service<
  SessionAdmission,
  {
    /** The rule of everything that costs credits, also for the host itself. Source: docs/reference/credits.md#rule. */
    readonly checkSpending: (tenantId: Ids.AccountId) => Effect.Effect<void, InferenceRefused | StorageError>
    /** Counts a session as a conversation of the plan. */
    readonly count: (
      session: Pick<VoiceSession, "tenantId" | "createdAt">,
      plan: Plan
    ) => Effect.Effect<void, InferenceRefused | StorageError, Tx>
    /**
     * Whether one more session may run. Exact until the end of the transaction: it locks the account. A session whose lease is over
     * counts no more, and calls that are going to be sessions count as well. Source: docs/reference/voice.md#concurrency.
     */
    readonly lockPlace: (owner: SessionOwner, at: Instant.Instant) => Effect.Effect<boolean, StorageError, Tx | Read>
    /** The same for a look: another session may be faster. */
    readonly hasPlace: (owner: SessionOwner, at: Instant.Instant) => Effect.Effect<boolean, StorageError, Read>
  }
>()("@trunkline/core/voice/sessions/SessionAdmission") {
  static readonly layer = Layer.effect(
    SessionAdmission,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const conversations = yield* ConversationQuota
      const credits = yield* Credits
      const limits = yield* VoiceLimits
      const live = yield* LiveSessionStore
      const liveCalls = yield* LiveCalls
      const storage = yield* Storage

      const checkSpending = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        const at = yield* Instant.now
        const account = yield* accounts.find(tenantId)
        if (account === null) return yield* refuse("account_inactive")
        const refusal = spendingRefusal(account, at)
        if (refusal !== null) return yield* refuse(refusal)
        const { budget } = yield* credits.headroom(spenderOf(account), at)
        if (budget !== null && budget <= 0n) {
          return yield* quotaExceeded("The account's budget of this month is used up. It begins anew on the 1st.", at)
        }
      }, storage.read)

      const count = Effect.fnUntraced(function* (
        { createdAt: at, tenantId }: Pick<VoiceSession, "tenantId" | "createdAt">,
        plan: Plan
      ) {
        if (yield* conversations.count({ tenantId, plan, at })) return
        return yield* quotaExceeded(
          "The plan's conversations of this month are used up. They begin anew on the 1st.",
          at
        )
      })

      const hasPlace = ({ plan, tenantId }: SessionOwner, at: Instant.Instant) => {
        const max = limits[plan]
        // The calls first: one whose session begins meanwhile is counted twice, and never not at all.
        return max === null
          ? Effect.succeed(true)
          : Effect.map(
              Effect.all([liveCalls.countAwaiting(tenantId), live.countActive(tenantId, at)]),
              ([awaiting, active]) => awaiting + active < max
            )
      }

      const lockPlace = (owner: SessionOwner, at: Instant.Instant) =>
        limits[owner.plan] === null
          ? Effect.succeed(true)
          : Effect.andThen(lock("account", owner.tenantId), hasPlace(owner, at))

      return SessionAdmission.of({ checkSpending, count, lockPlace, hasPlace })
    })
  )
}
