/** The contract of the routes that show models. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Plan } from "../billing/index.ts"
import { InferenceNotFound } from "../http/InferenceAnswers.ts"
import { InferenceAuth, TakesPeople } from "../http/InferenceAuth.ts"
import { PlatformAuth } from "../http/PlatformAuth.ts"
import { RequestErrors } from "../http/PlatformErrors.ts"
import { IsCollection } from "../http/RouteTable.ts"
import { featureNames, ModelCategory, ModelStatus } from "./Model.ts"
import { modes } from "./Upstream.ts"

const amount = Schema.optionalKey(Schema.Finite)

/** One of the kinds; the keys are those of the catalogue file. Source: docs/models.md#price. */
const Price = Schema.Struct({
  usd_per_hour: amount,
  usd_per_10k_characters: amount,
  usd_per_image: amount,
  credits_per_query: amount,
  input_usd_per_million_tokens: amount,
  output_usd_per_million_tokens: amount,
  cached_input_usd_per_million_tokens: amount,
  long_input_costs_more: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ModelPrice" })

const limit = Schema.NullOr(Schema.Int)

/** What client libraries read of a model (`id`, `object`, `created`, `owned_by`), and all that is ours. Source: docs/models.md#routes. */
const ModelRecord = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("model"),
  created: Schema.Int,
  owned_by: Schema.String,
  category: ModelCategory,
  status: ModelStatus,
  successor: Schema.NullOr(Schema.String),
  available: Schema.Boolean,
  tiers: Schema.Array(Plan),
  price: Price,
  limits: Schema.Struct({
    seconds: limit,
    bytes: limit,
    inputs: limit,
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

/** Source: docs/models.md#access. */
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
    HttpApiEndpoint.get("list", "/api/v1/models", { success: Schema.Array(ModelRecord) }).annotate(IsCollection, true),
    HttpApiEndpoint.get("listVoice", "/api/v1/voice/models", { success: Schema.Array(ModelRecord) }).annotate(
      IsCollection,
      true
    )
  )
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  // After the middleware, so that anybody may ask.
  .add(HttpApiEndpoint.get("access", "/api/v1/models/access", { success: AccessRecord }))

/** The same for client libraries, in the form and under the path that they know. */
export const inferenceModelsGroup = HttpApiGroup.make("inferenceModels")
  .add(
    HttpApiEndpoint.get("read", "/v1/models", {
      success: Schema.Struct({ object: Schema.Literal("list"), data: Schema.Array(ModelRecord) }).annotate({
        identifier: "ModelList"
      })
    }).annotate(IsCollection, true),
    // An id may hold a slash: the edge makes one segment of it.
    HttpApiEndpoint.get("get", "/v1/models/:model", {
      params: { model: Schema.String },
      success: ModelRecord,
      error: InferenceNotFound
    })
  )
  .middleware(InferenceAuth)
  .annotateEndpoints(TakesPeople, "everybody")
