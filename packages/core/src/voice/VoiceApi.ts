/** The contract of voice sessions. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as Fields from "../http/Fields.ts"
import { InferenceConflict, InferenceNotFound } from "../http/InferenceAnswers.ts"
import { InferenceAuth, NeedsPermission } from "../http/InferenceAuth.ts"
import { InferenceRequestErrors } from "../http/InferenceFaults.ts"
import { Ids } from "../kernel/index.ts"
import { SessionRecord } from "./VoiceAnswer.ts"
import { longestSeconds } from "./VoiceSession.ts"

const params = { session_id: Ids.schema<"VoiceSession">() }

export const NewVoiceSession = Schema.Struct({
  bot_id: Ids.schema<"Bot">(),
  max_duration_seconds: Fields.optional(Fields.integer(1, longestSeconds)),
  stt_model: Fields.optional(Fields.text(1, 255)),
  language: Fields.optional(Fields.text(1, 64))
}).annotate({ identifier: "NewVoiceSession" })

export const voiceGroup = HttpApiGroup.make("voiceSessions")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewVoiceSession,
      success: SessionRecord,
      error: [InferenceNotFound, InferenceConflict]
    }),
    HttpApiEndpoint.get("get", "/:session_id", { params, success: SessionRecord, error: InferenceNotFound }),
    HttpApiEndpoint.delete("end", "/:session_id", { params, success: SessionRecord, error: InferenceNotFound })
  )
  .prefix("/v1/voice/sessions")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotateEndpoints(NeedsPermission, "llm")
