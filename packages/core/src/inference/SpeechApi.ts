/** The contract of the speech routes. */
import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import {
  InferenceBadGateway,
  InferenceBadRequest,
  InferenceConflict,
  InferenceForbidden,
  InferenceNotFound,
  InferenceTooLarge,
  InferenceTooMany,
  InferenceUnavailable,
  InferenceUnpaid,
  InferenceUnprocessable
} from "../http/InferenceAnswers.ts"
import { InferenceAuth, NeedsPermission } from "../http/InferenceAuth.ts"
import { InferenceRequestErrors } from "../http/InferenceFaults.ts"
import { type FeatureName, featureNames } from "./Model.ts"
import { formLimits } from "./SpeechForm.ts"
import { formats } from "./SpeechRequest.ts"
import { modes } from "./Upstream.ts"

// The form's schemas are for readers of the contract: the form itself is read part by part by SpeechForm.ts.
const text = Schema.optionalKey(Schema.String)

const common = {
  file: Multipart.SingleFileSchema,
  model: text,
  response_format: Schema.optionalKey(Schema.Literals(formats)),
  temperature: text,
  prompt: text
}

/** Any struct with these names as optional texts. */
const features = Object.fromEntries(featureNames.map((name) => [name, text])) as Record<FeatureName, typeof text>

const TranscriptionForm = Schema.Struct({
  ...common,
  language: text,
  stream: text,
  timestamp_granularities: text,
  chunking_strategy: text,
  mode: Schema.optionalKey(Schema.Literals(modes)),
  ...features
}).pipe(HttpApiSchema.asMultipartStream(formLimits))

const TranslationForm = Schema.Struct(common).pipe(HttpApiSchema.asMultipartStream(formLimits))

const segment = {
  id: Schema.String,
  speaker: Schema.String,
  /** Seconds. */
  start: Schema.Number,
  end: Schema.Number,
  text: Schema.String
}

const task = Schema.Literals(["transcribe", "translate"])

/** Source: docs/gateway.md#formats. */
const Transcript = Schema.Struct({ text: Schema.String }).annotate({ identifier: "Transcript" })

const VerboseTranscript = Schema.Struct({
  task,
  language: Schema.String,
  duration: Schema.Int,
  text: Schema.String,
  segments: Schema.Array(Schema.Struct(segment)),
  words: Schema.Tuple([])
}).annotate({ identifier: "VerboseTranscript" })

const DiarizedTranscript = Schema.Struct({
  task,
  duration: Schema.Int,
  text: Schema.String,
  segments: Schema.Array(Schema.Struct({ type: Schema.Literal("transcript.text.segment"), ...segment }))
}).annotate({ identifier: "DiarizedTranscript" })

/** Server-sent events, written by SpeechAnswers.ts. */
const events = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

const plain = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain" }))

const error = [
  InferenceBadRequest,
  InferenceUnpaid,
  InferenceForbidden,
  InferenceNotFound,
  InferenceConflict,
  InferenceTooLarge,
  InferenceUnprocessable,
  InferenceTooMany,
  InferenceBadGateway,
  InferenceUnavailable
]

export const audioGroup = HttpApiGroup.make("audio")
  .add(
    HttpApiEndpoint.post("transcribe", "/transcriptions", {
      payload: TranscriptionForm,
      success: [Schema.Union([VerboseTranscript, DiarizedTranscript, Transcript]), plain, events],
      error
    }),
    HttpApiEndpoint.post("translate", "/translations", {
      payload: TranslationForm,
      success: [Schema.Union([VerboseTranscript, Transcript]), plain],
      error
    })
  )
  .prefix("/v1/audio")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotateEndpoints(NeedsPermission, "stt")
