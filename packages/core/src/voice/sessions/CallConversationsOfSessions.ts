/** What the newest voice session of a call has left, for the routes of calls. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { CallConversations, RecordingNotFound, RecordingRuns } from "../../calling/calls/index.ts"
import { Storage } from "../../platform/storage/index.ts"
import type * as Ids from "../VoiceIds.ts"
import { Recordings } from "./Recordings.ts"
import { AnalysisBody, AnalysisRecord } from "./VoicePorts.ts"
import { isEnded } from "./VoiceSession.ts"
import { VoiceSessions } from "./VoiceSessions.ts"
import { VoiceStore } from "./VoiceStore.ts"

/** With instants as text: the routes of calls do not know what an analysis has. */
const encoded = Schema.encodeSync(AnalysisBody)

export const layer = Layer.effect(
  CallConversations,
  Effect.gen(function* () {
    const recordings = yield* Recordings
    const storage = yield* Storage
    const store = yield* VoiceStore
    const voice = yield* VoiceSessions

    const newestOf = (tenantId: Ids.AccountId, callId: Ids.CallId) =>
      Effect.map(
        storage.read(store.list(tenantId, { status: null, botId: null, callId }, { limit: 1, offset: 0 })),
        ([session]) => session ?? null
      )

    return {
      newest: Effect.fnUntraced(function* (tenantId, callId) {
        const session = yield* newestOf(tenantId, callId)
        if (session === null) return { recording: "none", analysis: null }
        const analysis = yield* voice.analysisOf(session.id)
        return {
          recording: session.recording,
          analysis: analysis === null ? null : encoded(AnalysisRecord.toWire(analysis))
        }
      }),
      recording: Effect.fnUntraced(function* (tenantId, callId) {
        const session = yield* newestOf(tenantId, callId)
        if (session === null || session.recording !== "available") return yield* new RecordingNotFound()
        if (!isEnded(session)) return yield* new RecordingRuns()
        return yield* recordings
          .read(tenantId, session.id)
          .pipe(Effect.catchTag("InferenceRefused", () => Effect.fail(new RecordingNotFound())))
      })
    } satisfies typeof CallConversations.Service
  })
)
