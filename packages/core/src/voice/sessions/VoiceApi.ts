/** The contract of voice sessions. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { TranscriptBody, transcriptOffset, transcriptTexts } from "../../calling/calls/index.ts"
import { InferenceAuth } from "../../gateway/admission/index.ts"
import { InferenceRequestErrors, inferenceEnvelope, refusedBy } from "../../gateway/errors/index.ts"
import { Service } from "../../platform/billing/index.ts"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { transcriptFormats } from "./TranscriptText.ts"
import { SessionBody } from "./VoiceAnswer.ts"
import { analysisTexts } from "./VoicePorts.ts"
import { maxSeconds, VoiceStatus } from "./VoiceSession.ts"

export const voicePath = "/v1/voice/sessions"

/** Where sessions are connected to. */
export const socketPath = "/v1/agent/converse"

/** Choice: more than any prompt has places for. */
const maxVariables = 1000

const params = { session_id: Ids.schema<"VoiceSession">() }

export const NewVoiceSession = Schema.Struct({
  bot_id: Ids.schema<"Bot">(),
  max_duration_seconds: Fields.optional(Fields.integer(1, maxSeconds)),
  stt_model: Fields.optional(Fields.text(1, 255)),
  language: Fields.optional(Fields.text(1, 64)),
  llm_model: Fields.optional(Fields.text(1, 255)),
  tts_model: Fields.optional(Fields.text(1, 255)),
  voice: Fields.optional(Fields.text(1, 255)),
  variables: Fields.optional(
    Fields.json(Schema.Record(Schema.String, Schema.String).check(Schema.isMaxProperties(maxVariables)), 16)
  ),
  metadata: Fields.optional(Fields.json(Schema.JsonObject, 4))
}).annotate({ identifier: "NewVoiceSession" })

export const voicePages = { limit: 200, standard: 50, offset: 1_000_000 }

/** The filters and the page of a list of sessions. */
export const voiceQuery = {
  ...Fields.page(voicePages),
  status: Schema.optionalKey(VoiceStatus),
  bot_id: Schema.optionalKey(Ids.schema<"Bot">()),
  call_id: Schema.optionalKey(Ids.schema<"Call">())
}

const CostItem = Schema.Struct({
  service: Service,
  model: Schema.String,
  credits: Schema.Finite,
  input_tokens: Schema.Int,
  output_tokens: Schema.Int,
  audio_seconds: Schema.Int,
  characters: Schema.Int
}).annotate({ identifier: "VoiceSessionCostItem" })

const CostBody = Schema.Struct({
  session_id: Ids.schema<"VoiceSession">(),
  total_credits: Schema.Finite,
  items: Schema.Array(CostItem),
  call: Schema.NullOr(
    Schema.Struct({ credits: Schema.Finite, minutes: Schema.Int }).annotate({ identifier: "VoiceSessionCallCost" })
  )
}).annotate({ identifier: "VoiceSessionCost" })

const text = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))

export const voiceGroup = HttpApiGroup.make("voiceSessions")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: NewVoiceSession,
      success: SessionBody,
      error: refusedBy(404, 409)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a voice session",
        description: "Creates a voice session and returns a token with which a client can connect within a minute."
      })
    ),
    HttpApiEndpoint.get("list", "/", { query: voiceQuery, success: Schema.Array(SessionBody) }).annotateMerge(
      OpenApi.annotations({
        summary: "List voice sessions",
        description: "Returns the account's voice sessions, newest first."
      })
    ),
    HttpApiEndpoint.get("get", "/:session_id", {
      params,
      success: SessionBody,
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get a voice session", description: "Returns one voice session." })
    ),
    HttpApiEndpoint.delete("end", "/:session_id", {
      params,
      success: SessionBody,
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End a voice session",
        description: "Ends a voice session; one that has ended already is returned as it is."
      })
    ),
    HttpApiEndpoint.get("transcript", "/:session_id/transcript", {
      params,
      query: { format: Schema.optionalKey(Schema.Literals(transcriptFormats)), ...transcriptOffset },
      success: [Schema.Array(TranscriptBody), text("text/plain"), text("application/x-subrip")],
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the transcript of a voice session",
        description: "Returns what caller and agent said, in its order, also while the session runs."
      })
    ),
    HttpApiEndpoint.get("cost", "/:session_id/cost", {
      params,
      success: CostBody,
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the cost of a voice session",
        description: "Returns what a voice session has cost, by service and model, its call included."
      })
    ),
    HttpApiEndpoint.get("recording", "/:session_id/recording", {
      params,
      success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "audio/wav" })),
      error: refusedBy(404, 409)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the recording of a voice session",
        description: "Returns a WAV file of two channels: the caller on the left, the agent on the right."
      })
    ),
    HttpApiEndpoint.delete("removeRecording", "/:session_id/recording", {
      params,
      success: HttpApiSchema.NoContent,
      error: refusedBy(404, 409)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete the recording of a voice session",
        description: "Deletes the recording of a voice session that has ended."
      })
    )
  )
  .prefix(voicePath)
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "Conversations with an agent by voice")
  .annotate(BodyExamples, {
    create: { bot_id: "01936f00-0000-7000-8000-000000000001", language: "en", metadata: { order: "4711" } }
  })
  .annotate(FieldTexts, {
    ...transcriptTexts,
    "query.status": "Returns only items with this status",
    "query.bot_id": "Returns only items of this agent",
    "query.call_id": "Returns only items of this call",
    "query.format": "Format of the transcript; default `json`",
    bot_id: "Agent that speaks; null where a client has described its own",
    call_id: "Telephone call of the session; null without one",
    llm_model: "Language model; default: the agent's",
    tts_model: "Text-to-speech model; default: the agent's",
    voice: "Voice of the text-to-speech model; default: the agent's",
    variables: "Values for the agent's texts; up to 16 KiB of JSON",
    metadata: "Notes of the account; up to 4 KiB of JSON",
    url: "Address of the WebSocket to connect to",
    turn_count: "Number of the caller's turns",
    "VoiceSession.credits": "Credits that the session's models cost, once it has ended",
    recording: "Whether there is a recording",
    analysis: "What a model has found out about the conversation; null without one, and in lists",
    ...analysisTexts,
    session_id: "Id of the voice session",
    total_credits: "Credits of models and call together",
    items: "What each model cost",
    call: "What the call cost; null without one",
    minutes: "Started minutes",
    service: "Service that was used",
    model: "Model that was used",
    credits: "Credits that were charged",
    input_tokens: "Tokens of input that were not cached",
    output_tokens: "Tokens of output",
    audio_seconds: "Seconds of audio",
    characters: "Characters that were spoken",
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
