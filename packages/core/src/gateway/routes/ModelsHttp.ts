/** Handlers of the routes that show models. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CurrentPrincipal, type Principal } from "../../platform/accounts/index.ts"
import { Prices } from "../../platform/billing/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list } from "../../platform/http/Lists.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { keyOf } from "../admission/KeyAdmission.ts"
import { mayUse } from "../admission/ModelAdmission.ts"
import { isConfigured, type Model } from "../catalogue/Model.ts"
import { modelAccess, type PlanAccess } from "../catalogue/ModelAccess.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import { refuse } from "../errors/InferenceErrors.ts"
import { type Capability, Upstreams } from "../upstreams/Upstream.ts"
import type { ModelRecord } from "./ModelsApi.ts"
import { inferenceModelsGroup, modelsGroup } from "./ModelsApi.ts"

const api = contract.add(inferenceModelsGroup, modelsGroup)

export const layer = () => Layer.merge(platform(), inference())

const platform = () =>
  RouteHandlers.group(
    api,
    "models",
    Effect.fnUntraced(function* (handlers) {
      const { listed } = yield* ModelCatalogue
      const recordFor = recordsOf(yield* Upstreams)
      const voice = listed.filter((model) => model.voice)
      const { enterprise, free, pro, starter } = modelAccess(listed)
      const plans = {
        free: planAccess(free),
        starter: planAccess(starter),
        pro: planAccess(pro),
        enterprise: planAccess(enterprise)
      }
      return handlers.handleAll({
        list: () => shown(listed, recordFor),
        listVoice: () => shown(voice, recordFor),
        access: () => Effect.succeed({ plans })
      })
    })
  )

const shown = (models: ReadonlyArray<Model>, recordFor: ReturnType<typeof recordsOf>) =>
  Effect.flatMap(CurrentPrincipal, (principal) => list({ items: models, total: models.length }, recordFor(principal)))

const inference = () =>
  RouteHandlers.group(
    api,
    "inferenceModels",
    Effect.fnUntraced(function* (handlers) {
      const { get, listed } = yield* ModelCatalogue
      const recordFor = recordsOf(yield* Upstreams)
      return handlers.handleAll({
        list: () =>
          Effect.map(CurrentCaller, ({ principal }) => ({
            object: "list" as const,
            data: listed.map(recordFor(principal))
          })),
        get: ({ params: { model: id } }) => {
          const model = get(id)
          return answerInference(
            model === null
              ? Effect.fail(refuse("model_not_found", { message: `There is no model ${id}.`, param: "model" }))
              : Effect.map(CurrentCaller, ({ principal }) => recordFor(principal)(model))
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

/** The record of a model as a caller sees it. */
const recordsOf = ({ route }: Upstreams["Service"]) => {
  const records = new WeakMap<Model, Omit<ModelRecord, "available">>()
  const known = (model: Model) => {
    const record = records.get(model) ?? recordOf(model, (capability) => route(capability, model.id) !== null)
    records.set(model, record)
    return record
  }
  return (principal: Principal) => {
    const caller = { plan: principal.account.plan, key: keyOf(principal) }
    return (model: Model): ModelRecord => {
      const record = known(model)
      return { ...record, available: record.configured && mayUse(model, caller) }
    }
  }
}

const recordOf = (model: Model, hasUpstream: (capability: Capability) => boolean): Omit<ModelRecord, "available"> => ({
  id: model.id,
  object: "model",
  // Client libraries want an instant, and the catalogue has none.
  created: 0,
  owned_by: "platform",
  category: model.category,
  status: model.status,
  successor: model.successor,
  configured: isConfigured(model, hasUpstream),
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
