/** Handlers of the routes that show models. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Prices } from "../billing/index.ts"
import { list } from "../http/Lists.ts"
import { contract } from "../http/RoomContract.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import { answerInference } from "./InferenceAnswers.ts"
import { refuse } from "./InferenceErrors.ts"
import { isAvailable, type Model } from "./Model.ts"
import { modelAccess, type PlanAccess } from "./ModelAccess.ts"
import { ModelCatalogue } from "./ModelCatalogue.ts"
import type { ModelRecord } from "./ModelsApi.ts"
import { inferenceModelsGroup, modelsGroup } from "./ModelsApi.ts"
import { Upstreams } from "./Upstream.ts"

const api = contract.add(inferenceModelsGroup, modelsGroup)

export const layer = () => Layer.merge(platform(), inference())

const platform = () =>
  RouteHandlers.group(
    api,
    "models",
    Effect.fnUntraced(function* (handlers) {
      const { listed } = yield* ModelCatalogue
      const record = recordOf(yield* Upstreams)
      const voice = listed.filter((model) => model.voice)
      const { enterprise, free, pro, starter } = modelAccess(listed)
      const plans = {
        free: planAccess(free),
        starter: planAccess(starter),
        pro: planAccess(pro),
        enterprise: planAccess(enterprise)
      }
      return handlers.handleAll({
        list: () => list({ items: listed, total: listed.length }, record),
        listVoice: () => list({ items: voice, total: voice.length }, record),
        access: () => Effect.succeed({ plans })
      })
    })
  )

const inference = () =>
  RouteHandlers.group(
    api,
    "inferenceModels",
    Effect.fnUntraced(function* (handlers) {
      const { get, listed } = yield* ModelCatalogue
      const record = recordOf(yield* Upstreams)
      const answer = { object: "list" as const, data: listed.map(record) }
      return handlers.handleAll({
        read: () => Effect.succeed(answer),
        get: ({ params: { model: id } }) => {
          const model = get(id)
          return answerInference(
            model === null
              ? Effect.fail(refuse("model_not_found", { message: `There is no model ${id}.`, param: "model" }))
              : Effect.succeed(record(model))
          )
        }
      })
    })
  )

const planAccess = ({ byCategory, models, restriction }: PlanAccess) => ({
  models,
  by_category: byCategory,
  restriction
})

const recordOf =
  ({ route }: Upstreams["Service"]) =>
  (model: Model): ModelRecord => ({
    id: model.id,
    object: "model",
    // Client libraries want an instant, and the catalogue has none.
    created: 0,
    owned_by: "platform",
    category: model.category,
    status: model.status,
    successor: model.successor,
    available: isAvailable(model, (capability) => route(capability, model.id) !== null),
    tiers: model.tiers,
    price: Prices.toFile(model.price),
    limits: {
      seconds: model.limits.seconds,
      bytes: model.limits.bytes,
      inputs: model.limits.inputs,
      characters: model.limits.characters,
      dimensions: model.limits.dimensions,
      context_window: model.limits.contextWindow,
      max_output_tokens: model.limits.maxOutputTokens
    },
    context_window: model.limits.contextWindow,
    max_output_tokens: model.limits.maxOutputTokens,
    streaming_only: model.streamingOnly,
    alternative: model.alternative,
    modes: model.modes,
    translates: model.translates,
    diarizes: model.diarizes,
    dialects: model.dialects,
    features: model.features,
    voice: model.voice,
    vision: model.vision
  })
