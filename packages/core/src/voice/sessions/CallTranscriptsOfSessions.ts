/** What was said in the voice sessions of a call, for the routes of calls. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CallTranscripts } from "../../calling/calls/index.ts"
import { TranscriptStore } from "./TranscriptStore.ts"

export const layer = Layer.effect(
  CallTranscripts,
  Effect.map(TranscriptStore, ({ ofCall }) => ({
    // Several sessions of one call are one transcript.
    find: (tenantId, callId) =>
      Effect.map(ofCall(tenantId, callId), (entries) => entries.map((entry, index) => ({ ...entry, index })))
  }))
)
