/** The contract of the routes that show models. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Plan } from "../../platform/billing/index.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import { PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { RequestErrors } from "../../platform/http/PlatformErrors.ts"
import { InferenceAuth, SignedInAccess } from "../admission/InferenceAuth.ts"
import { featureNames, ModelCategory, ModelStatus } from "../catalogue/Model.ts"
import { refusedBy } from "../errors/InferenceAnswers.ts"
import { inferenceEnvelope } from "../errors/InferenceEnvelope.ts"
import { modes } from "../upstreams/SpeechWork.ts"

const amount = Schema.optionalKey(Schema.Finite)

/** One of the kinds; the keys are those of the catalogue file. Source: docs/reference/models.md#price. */
const Price = Schema.Struct({
  usd_per_hour: amount,
  usd_per_10k_characters: amount,
  usd_per_image: amount,
  image_pixels: Schema.optionalKey(Schema.Int),
  credits_per_query: amount,
  input_usd_per_million_tokens: amount,
  output_usd_per_million_tokens: amount,
  cached_input_usd_per_million_tokens: amount,
  cache_write_usd_per_million_tokens: amount,
  cache_write_1h_usd_per_million_tokens: amount,
  long_input_costs_more: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ModelPrice" })

const limit = Schema.NullOr(Schema.Int)

/** What client libraries read of a model (`id`, `object`, `created`, `owned_by`), and all that is ours. Source: docs/reference/models.md#routes. */
const ModelRecord = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  created: Schema.Int,
  owned_by: Schema.String,
  category: ModelCategory,
  status: ModelStatus,
  successor: Schema.NullOr(Schema.String),
  available: Schema.Boolean,
  configured: Schema.Boolean,
  tiers: Schema.Array(Plan),
  price: Price,
  limits: Schema.Struct({
    seconds: limit,
    bytes: limit,
    inputs: limit,
    characters: limit,
    dimensions: limit,
    context_window: limit,
    max_output_tokens: limit
  }),
  context_window: limit,
  max_output_tokens: limit,
  streaming_only: Schema.Boolean,
  alternative: Schema.NullOr(Schema.String),
  modes: Schema.Array(Schema.Literals(modes)),
  translates: Schema.Boolean,
  diarizes: Schema.Boolean,
  dialects: Schema.Array(Schema.String),
  features: Schema.Array(Schema.Literals(featureNames)),
  voice: Schema.Boolean,
  vision: Schema.Boolean
}).annotate({ identifier: "Model" })
export type ModelRecord = typeof ModelRecord.Type

const ids = Schema.Array(Schema.String)

/** Source: docs/reference/models.md#access. */
const PlanAccessRecord = Schema.Struct({
  models: ids,
  by_category: Schema.Struct({ llm: ids, stt: ids, tts: ids, image: ids, embedding: ids }),
  restriction: Schema.String
}).annotate({ identifier: "PlanAccess" })

const AccessRecord = Schema.Struct({
  plans: Schema.Struct({
    free: PlanAccessRecord,
    starter: PlanAccessRecord,
    pro: PlanAccessRecord,
    enterprise: PlanAccessRecord
  })
}).annotate({ identifier: "ModelAccess" })

export const modelsGroup = HttpApiGroup.make("models")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/models", { success: Schema.Array(ModelRecord) }).annotateMerge(
      OpenApi.annotations({
        summary: "List models",
        description: "Returns every model with its price, its limits and the plans that may use it."
      })
    ),
    HttpApiEndpoint.get("listVoice", "/api/v1/voice/models", { success: Schema.Array(ModelRecord) }).annotateMerge(
      OpenApi.annotations({
        summary: "List models for voice sessions",
        description: "Returns the models that voice sessions may use."
      })
    )
  )
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  // After the middleware, so that anybody may ask.
  .add(
    HttpApiEndpoint.get("access", "/api/v1/models/access", { success: AccessRecord }).annotateMerge(
      OpenApi.annotations({
        summary: "List models by plan",
        description: "Returns the models that each plan may use; it needs no API key."
      })
    )
  )
  .annotate(OpenApi.Description, "Models, with their prices and plans")
  .annotate(FieldTexts, {
    "Model.id": "Id to call the model by",
    object: "Kind of object, for client libraries",
    created: "0, for client libraries",
    owned_by: "`platform`, for client libraries",
    category: "What the model does",
    status: "Whether the model can be used",
    successor: "Model that replaces it",
    available: "True when the caller can use the model, by plan, permissions and configuration",
    configured: "True when this service can run the model",
    tiers: "Plans that may use the model",
    price: "Price; it has one of the kinds of price",
    usd_per_hour: "US dollars for an hour of audio",
    usd_per_10k_characters: "US dollars for 10,000 characters",
    usd_per_image: "US dollars for an image",
    image_pixels: "Pixels that the price of an image is for; a larger one has it for each such part that it begins",
    credits_per_query: "Credits for a query",
    input_usd_per_million_tokens: "US dollars for a million tokens of input",
    output_usd_per_million_tokens: "US dollars for a million tokens of output",
    cached_input_usd_per_million_tokens: "US dollars for a million cached tokens of input",
    cache_write_usd_per_million_tokens: "US dollars for a million tokens of input that a cache keeps",
    cache_write_1h_usd_per_million_tokens: "US dollars for a million tokens of input that a cache keeps for an hour",
    long_input_costs_more: "True when the price rises with a long input",
    limits: "Limits of one request; null where there is none",
    seconds: "Maximum seconds of audio",
    bytes: "Maximum bytes of the file, or of the request",
    inputs: "Maximum number of inputs",
    characters: "Characters of a text that is spoken",
    dimensions: "Number of dimensions of an embedding",
    context_window: "Maximum number of tokens of input and output",
    max_output_tokens: "Maximum number of tokens of output",
    streaming_only: "True when only voice sessions can use the model",
    alternative: "Model to use for files instead",
    modes: "Output modes that the model supports",
    translates: "True when the model can translate into English",
    diarizes: "True when the model distinguishes speakers",
    dialects: "Language codes that the model supports; empty where none are published",
    features: "Further parameters that the model supports",
    voice: "True when voice sessions may use the model",
    vision: "True when prompts may have images",
    plans: "What each plan may use",
    free: "The plan `free`",
    starter: "The plan `starter`",
    pro: "The plan `pro`",
    enterprise: "The plan `enterprise`",
    models: "Ids of all models of the plan",
    by_category: "The same ids by category",
    llm: "Language models",
    stt: "Speech to text",
    tts: "Text to speech",
    image: "Images",
    embedding: "Embeddings",
    restriction: "What restricts the plan, in a sentence"
  })

/** The same for client libraries, in the form and under the path that they know. */
export const inferenceModelsGroup = HttpApiGroup.make("inferenceModels")
  .add(
    HttpApiEndpoint.get("list", "/v1/models", {
      success: Schema.Struct({ object: Schema.Literal("list"), data: Schema.Array(ModelRecord) }).annotate({
        identifier: "ModelList"
      })
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List models for client libraries",
        description: "Returns every model in the form that OpenAI's client libraries read."
      })
    ),
    // An id may hold a slash: the edge makes one segment of it.
    HttpApiEndpoint.get("get", "/v1/models/:model", {
      params: { model: Schema.String },
      success: ModelRecord,
      error: refusedBy(404)
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a model",
        description: "Returns one model in the form that OpenAI's client libraries read."
      })
    )
  )
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(SignedInAccess, "everybody")
  .annotate(OpenApi.Description, "The same models, in the form of client libraries")
  .annotate(FieldTexts, { object: "Kind of object, for client libraries", data: "The models" })
