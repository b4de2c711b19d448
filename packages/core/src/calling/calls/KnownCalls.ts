/** Calls as ports of other rooms read them, inside the transaction of their caller. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type Call, isEnded, stop } from "./Call.ts"
import { CallStore } from "./CallStore.ts"
import { nextCheck } from "./SupervisionRules.ts"

export interface KnownCalls {
  readonly find: (id: Ids.CallId) => Effect.Effect<Call | null, StorageError, Read>
  /** Calls of an account that have a place for a session that has not begun. */
  readonly countAwaitingAgent: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
  /**
   * Names the session that begins on a call, whose lock the caller has. Succeeds with whether the call had a place for it and a
   * conversation of the plan: the session has both from now on. Null, and nothing is changed, where the call is to end.
   */
  readonly begin: (
    id: Ids.CallId,
    session: Ids.VoiceSessionId
  ) => Effect.Effect<{ readonly hadPlace: boolean } | null, StorageError, Tx | Read>
  /**
   * Names the failed session of a call whose media never came, and stops the call, whose lock the caller has. False, and nothing is
   * changed, where the call does not wait for its agent any more.
   */
  readonly giveUp: (id: Ids.CallId, session: Ids.VoiceSessionId) => Effect.Effect<boolean, StorageError, Tx | Read>
}

export const makeKnownCalls = Effect.map(
  CallStore,
  ({ countAwaitingAgent, findInAnyAccount: find, save }): KnownCalls => ({
    countAwaitingAgent,
    find,
    begin: Effect.fnUntraced(function* (id: Ids.CallId, voiceSessionId: Ids.VoiceSessionId) {
      const call = yield* find(id)
      if (call === null || isEnded(call) || call.stopReason !== null) return null
      const next = { ...call, voiceSessionId, awaitsAgent: false }
      yield* save({ ...next, checkAt: nextCheck(next, yield* Instant.now) })
      return { hadPlace: call.awaitsAgent }
    }),
    giveUp: Effect.fnUntraced(function* (id: Ids.CallId, voiceSessionId: Ids.VoiceSessionId) {
      const call = yield* find(id)
      if (call === null || !call.awaitsAgent || call.stopReason !== null) return false
      yield* save({ ...stop(call, "hangup_local", yield* Instant.now), voiceSessionId })
      return true
    })
  })
)
