/** The contract of the speech routes. */
import * as Multipart from "effect/http/Multipart"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { FieldTexts, FormFields } from "../../platform/http/describe/FieldTexts.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { InferenceAuth } from "../admission/InferenceAuth.ts"
import { type FeatureName, featureNames } from "../catalogue/Model.ts"
import { inferenceErrors } from "../errors/InferenceAnswers.ts"
import { inferenceEnvelope } from "../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../errors/InferenceFaults.ts"
import { modes } from "../upstreams/SpeechWork.ts"
import { formats } from "./SpeechRequest.ts"

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
}).pipe(HttpApiSchema.asMultipartStream())

const TranslationForm = Schema.Struct(common).pipe(HttpApiSchema.asMultipartStream())

const segment = {
  id: Schema.String,
  speaker: Schema.String,
  /** Seconds. */
  start: Schema.Number,
  end: Schema.Number,
  text: Schema.String
}

const task = Schema.Literals(["transcribe", "translate"])

/** Source: docs/reference/gateway.md#formats. */
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

const flags = [
  ...["diarize", "utterances", "paragraphs", "numerals", "measurements", "dictation", "profanity_filter"],
  ...["filler_words", "multichannel", "detect_entities"]
]
const lists = ["detect_language", "redact", "keyterm", "keywords", "search", "replace"]

/** Fields of the forms that are no texts. */
const formFields = {
  temperature: { type: "number", minimum: 0, maximum: 2 },
  stream: { type: "boolean", default: false },
  chunking_strategy: { type: "string", enum: ["auto"] },
  timestamp_granularities: { type: "array", items: { type: "string", enum: ["segment"] } },
  utt_split: { type: "number", minimum: 0, maximum: 10 },
  ...Object.fromEntries(flags.map((name) => [name, { type: "boolean" }])),
  ...Object.fromEntries(lists.map((name) => [name, { type: "array", items: { type: "string" } }]))
}

export const audioGroup = HttpApiGroup.make("audio")
  .add(
    HttpApiEndpoint.post("transcribe", "/transcriptions", {
      payload: TranscriptionForm,
      success: [Schema.Union([VerboseTranscript, DiarizedTranscript, Transcript]), plain, events],
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Transcribe a recording",
        description: "Transcribes a recording in the language in which it is spoken and charges for every second of it."
      })
    ),
    HttpApiEndpoint.post("translate", "/translations", {
      payload: TranslationForm,
      success: [Schema.Union([VerboseTranscript, Transcript]), plain],
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Translate a recording",
        description:
          "Transcribes a recording in English, whatever language is spoken, and charges for every second of it."
      })
    )
  )
  .prefix("/v1/audio")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "stt")
  .annotate(OpenApi.Description, "Speech to text")
  .annotate(FormFields, formFields)
  .annotate(FieldTexts, {
    file: "Recording",
    model: "Model to use; default `saaras:v3`",
    response_format: "Form of the answer; default `json`",
    temperature: "Accepted from 0 to 2, and not used",
    prompt: "Accepted, and not used",
    language: "Code of the language that is spoken; detected when it is absent",
    "VerboseTranscript.language": "Code of the language that is spoken",
    stream: "True to get the transcript as server-sent events",
    timestamp_granularities: "Accepted as `segment`; no model has times of words",
    chunking_strategy: "Accepted as `auto`; the service cuts the recording itself",
    mode: "Output mode, where the model supports it; default `transcribe`",
    diarize: "True to distinguish speakers",
    utterances: "True to split the transcript at pauses",
    utt_split: "Seconds of silence that end an utterance, from 0 to 10",
    paragraphs: "True to split the transcript into paragraphs",
    numerals: "True to write numbers as digits",
    measurements: "True to abbreviate units of measurement",
    dictation: "True to turn spoken punctuation into signs",
    profanity_filter: "True to remove profanity",
    filler_words: "True to keep words such as uh",
    multichannel: "True to transcribe each channel by itself",
    detect_entities: "True to detect names, places and the like",
    detect_language: "True to detect the language, or the codes to choose from",
    redact: "Kinds of information to remove",
    keyterm: "Terms to recognise",
    keywords: "Words to recognise, with a weight if need be",
    search: "Terms to search for",
    replace: "Words to replace, as `word:replacement`",
    task: "What was done",
    duration: "Seconds that were charged",
    text: "The transcript",
    segments: "Parts of the transcript by speaker; empty where the model does not distinguish them",
    id: "Id of the segment",
    speaker: "Speaker of the segment",
    start: "Start of the segment in seconds",
    end: "End of the segment in seconds",
    words: "Always empty",
    type: "Kind of part"
  })
