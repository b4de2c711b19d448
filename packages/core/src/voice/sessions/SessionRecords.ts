/** What a voice session leaves behind: what was said, and what it cost. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TranscriptEntry } from "../../calling/calls/index.ts"
import { type InferenceRefused, refuse } from "../../gateway/errors/index.ts"
import { type Money, type Service, type SessionUsage, UsageLog } from "../../platform/billing/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { TranscriptStore } from "./TranscriptStore.ts"
import { type CallCost, CallCosts } from "./VoicePorts.ts"
import { VoiceStore } from "./VoiceStore.ts"

/** What a session cost, its call included. It equals the usage log and the ledger. */
export interface SessionCost {
  readonly sessionId: Ids.VoiceSessionId
  readonly totalCredits: Money.Nano
  /** Listening, thinking, speaking, then what else was used. */
  readonly items: ReadonlyArray<SessionUsage>
  readonly call: CallCost | null
}

const order: ReadonlyArray<Service> = ["stt", "llm", "tts"]

const placeOf = ({ service }: SessionUsage): number => (order.indexOf(service) + order.length + 1) % (order.length + 1)

/** Items in the order of the stages, then by model. */
const inOrder = (items: ReadonlyArray<SessionUsage>): ReadonlyArray<SessionUsage> =>
  items.toSorted((a, b) => placeOf(a) - placeOf(b) || (`${a.service} ${a.model}` < `${b.service} ${b.model}` ? -1 : 1))

const noSession = refuse("session_not_found")

export class SessionRecords extends Context.Service<
  SessionRecords,
  {
    /** What was said, in its order; also while the session runs. */
    readonly transcript: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<ReadonlyArray<TranscriptEntry>, InferenceRefused | StorageError>
    readonly cost: (
      tenantId: Ids.AccountId,
      id: Ids.VoiceSessionId
    ) => Effect.Effect<SessionCost, InferenceRefused | StorageError>
  }
>()("@trunkline/core/voice/sessions/SessionRecords") {
  static readonly layer = Layer.effect(
    SessionRecords,
    Effect.gen(function* () {
      const calls = yield* CallCosts
      const storage = yield* Storage
      const store = yield* VoiceStore
      const transcripts = yield* TranscriptStore
      const usage = yield* UsageLog

      const owned = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) {
        return (yield* store.find(tenantId, id)) ?? (yield* noSession)
      })

      const transcript = tracedFn("SessionRecords.transcript")(function* (
        tenantId: Ids.AccountId,
        id: Ids.VoiceSessionId
      ) {
        yield* owned(tenantId, id)
        return yield* transcripts.list(id)
      }, storage.read)

      const cost = tracedFn("SessionRecords.cost")(function* (tenantId: Ids.AccountId, id: Ids.VoiceSessionId) {
        const { callId } = yield* owned(tenantId, id)
        const items = inOrder(yield* usage.ofSession(tenantId, id))
        const call = callId === null ? null : yield* calls.find(callId)
        const totalCredits = items.reduce((sum, { credits }) => sum + credits, call?.credits ?? 0n)
        return { sessionId: id, totalCredits, items, call }
      }, storage.read)

      return SessionRecords.of({ transcript, cost })
    })
  )
}
