/** The contract of the route of speech synthesis: the fields that the gateway reads. All others are passed to the upstream. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { InferenceAuth } from "../admission/InferenceAuth.ts"
import { inferenceErrors } from "../errors/InferenceAnswers.ts"
import { inferenceEnvelope } from "../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../errors/InferenceFaults.ts"
import { audioFormats } from "../upstreams/SpeakWork.ts"

const voice = Fields.text(0, 255)

/** As many as a body has bytes: a text that is too long for a model is refused with the model's own limit. */
const maxInput = 33_554_432

const SpeechRequest = Schema.StructWithRest(
  Schema.Struct({
    model: Fields.text(1, 255),
    input: Fields.text(1, maxInput),
    voice: Fields.optional(Schema.Union([voice, Schema.StructWithRest(Schema.Struct({ id: voice }), Fields.others)])),
    response_format: Fields.optional(Schema.Literals(audioFormats)),
    speed: Fields.optional(Schema.Finite.check(Schema.isBetween({ minimum: 0.25, maximum: 4 }))),
    instructions: Fields.optional(Fields.text(0, 32_000)),
    language: Fields.optional(Fields.text(0, 64)),
    stream_format: Fields.optional(Schema.Literals(["audio", "sse"]))
  }),
  Fields.others
).annotate({ identifier: "SpeechRequest" })

const audio = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))

const events = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

export const speechSynthesisGroup = HttpApiGroup.make("speechSynthesis")
  .add(
    HttpApiEndpoint.post("speak", "/speech", {
      payload: SpeechRequest,
      success: [
        ...(["audio/mpeg", "audio/ogg", "audio/aac", "audio/flac", "audio/wav", "audio/pcm"] as const).map(audio),
        events
      ],
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create speech",
        description: "Speaks a text, sends the audio as it comes, and charges for every character of the text."
      })
    )
  )
  .prefix("/v1/audio")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "tts")
  .annotate(OpenApi.Description, "Speech synthesis, in the form of OpenAI's API")
  .annotate(BodyExamples, { speak: { model: "tts-1", voice: "alloy", input: "Good morning." } })
  .annotate(FieldTexts, {
    model: "Model to use",
    input: "Text to speak",
    voice: "Name of a voice, or an object with its id; default: the model's own",
    id: "Name of a voice",
    response_format: "Format of the audio; default mp3",
    speed: "Speed of the speech; 1 is the voice's own",
    instructions: "How to speak, for models that take it",
    language: "Language of the text, such as hi-IN, for models that need one",
    stream_format: "audio for the audio itself, sse for server-sent events; default audio"
  })
