/** The contract of the route of embeddings: the fields that the gateway reads. All others are passed to the upstream. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
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
import { maxItems } from "../routes/ItemBounds.ts"
import { encodingFormats, isEmbeddingInput } from "./EmbeddingRequest.ts"

const filled = (items: object) => ({ type: "array", minItems: 1, items })
const [text, token] = [
  { type: "string", minLength: 1 },
  { type: "integer", minimum: 0 }
]

/** One check for all forms, so that every fault names the whole field. */
const Input = Schema.Unknown.check(
  Schema.makeFilter(
    (value: unknown) => {
      if (Array.isArray(value) && typeof value[0] !== "number" && value.length > maxItems) {
        return `Expected at most ${maxItems} inputs`
      }
      return (
        isEmbeddingInput(value) || "Expected a text, texts, token numbers, or lists of them, and none of them empty"
      )
    },
    {
      representation: { id: "trunkline/embedding-input", payload: {} },
      toJsonSchema: () => ({ anyOf: [text, filled(text), filled(token), filled(filled(token))] })
    }
  )
)

export const EmbeddingsRequest = Schema.StructWithRest(
  Schema.Struct({
    model: Fields.text(1, 255),
    input: Input,
    dimensions: Fields.optional(Fields.integer(1, 1_000_000_000)),
    encoding_format: Fields.optional(Schema.Literals(encodingFormats))
  }),
  Fields.others
).annotate({ identifier: "EmbeddingsRequest" })

const EmbeddingList = Schema.Struct({
  object: Schema.Literal("list"),
  data: Schema.Array(
    Schema.Struct({
      object: Schema.Literal("embedding"),
      index: Schema.Int,
      embedding: Schema.Union([Schema.Array(Schema.Finite), Schema.String])
    })
  ),
  model: Schema.String,
  usage: Schema.Struct({ prompt_tokens: Schema.Int, total_tokens: Schema.Int })
}).annotate({ identifier: "EmbeddingList" })

export const embeddingsGroup = HttpApiGroup.make("embeddings")
  .add(
    HttpApiEndpoint.post("embed", "/embeddings", {
      payload: EmbeddingsRequest,
      success: EmbeddingList,
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create embeddings",
        description: "Returns a vector for each input, in the form of OpenAI's embeddings API."
      })
    )
  )
  .prefix("/v1")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "Texts as vectors")
  .annotate(BodyExamples, { embed: { model: "text-embedding-3-small", input: "How old are you?" } })
  .annotate(FieldTexts, {
    model: "Model to use",
    input: "Text, texts, a list of token numbers, or lists of them",
    dimensions: "Size of each vector; default: the model's",
    encoding_format: "Numbers, or 32-bit floats in Base64; default `float`",
    object: "Kind of object",
    data: "A vector for each input, in their order",
    index: "Which input it is of, from 0",
    embedding: "Vector",
    usage: "What the request used",
    prompt_tokens: "Tokens of the input",
    total_tokens: "The same"
  })
