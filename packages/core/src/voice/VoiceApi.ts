/** The contract of voice sessions. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Fields from "../http/Fields.ts"
import { FieldTexts } from "../http/FieldTexts.ts"
import { NeedsPermission } from "../http/PlatformAuth.ts"
import { Envelope } from "../http/PlatformEnvelope.ts"
import {
  InferenceAuth,
  InferenceConflict,
  InferenceNotFound,
  InferenceRequestErrors,
  inferenceEnvelope
} from "../inference/index.ts"
import { Ids } from "../kernel/index.ts"
import { SessionBody } from "./VoiceAnswer.ts"
import { maxSeconds } from "./VoiceSession.ts"

const params = { session_id: Ids.schema<"VoiceSession">() }

export const NewVoiceSession = Schema.Struct({
  bot_id: Ids.schema<"Bot">(),
  max_duration_seconds: Fields.optional(Fields.integer(1, maxSeconds)),
  stt_model: Fields.optional(Fields.text(1, 255)),
  language: Fields.optional(Fields.text(1, 64))
}).annotate({ identifier: "NewVoiceSession" })

export const voiceGroup = HttpApiGroup.make("voiceSessions")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewVoiceSession,
      success: SessionBody,
      error: [InferenceNotFound, InferenceConflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a voice session",
        description: "Creates a voice session and returns a token with which a client can connect within a minute."
      })
    ),
    HttpApiEndpoint.get("get", "/:session_id", {
      params,
      success: SessionBody,
      error: InferenceNotFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get a voice session", description: "Returns one voice session." })
    ),
    HttpApiEndpoint.delete("end", "/:session_id", {
      params,
      success: SessionBody,
      error: InferenceNotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End a voice session",
        description: "Ends a voice session; one that has ended already is returned as it is."
      })
    )
  )
  .prefix("/v1/voice/sessions")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "Sessions in which people talk to an agent")
  .annotate(FieldTexts, {
    bot_id: "Agent that speaks",
    max_duration_seconds: "Maximum seconds from the connection on, up to 7200; default 1800",
    stt_model: "Speech-to-text model; default: the agent's",
    language: "Code of the language that is spoken; default: the agent's",
    status: "Status of the session",
    token: "Token to connect with; null when it is no longer valid",
    token_expires_at: "Time at which the token expires",
    started_at: "Time of the connection; null before",
    ended_at: "Time at which the session ended; null before",
    duration_seconds: "Seconds from the connection to the end; null before",
    end_reason: "Why the session ended; null before"
  })
