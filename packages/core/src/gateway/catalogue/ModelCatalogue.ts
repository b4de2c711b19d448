/** The models of this installation: the shipped ones, as a host extends or replaces them. Source: docs/reference/models.md#catalogue. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Money, Prices, type Service } from "../../platform/billing/index.ts"
import { type DefaultModels, type PriceSettings, readCatalogue, readDefaults } from "./CatalogueFile.ts"
import { isListed, type Model } from "./Model.ts"

export interface CatalogueSettings extends PriceSettings {
  /** The content of a catalogue file; undefined for the shipped one alone. */
  readonly catalogue?: unknown
  /** Credits of one US dollar. Default 96. */
  readonly usdToCredits?: number
  /** Of a language model without a maximum of its own. Default 32,768. */
  readonly defaultMaxOutputTokens?: number
}

/** A catalogue or prices that cannot be used: everything that is wrong with them at once. */
export class CatalogueRefused extends Schema.TaggedError<CatalogueRefused>()("CatalogueRefused", {
  faults: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The models or prices cannot be used: ${this.faults.join("; ")}`
  }
}

/** The models and prices of a host, or everything that is wrong with them. */
const readModels = (settings: CatalogueSettings) => {
  const usdToCredits = settings.usdToCredits ?? 96
  const rate = Schema.is(Prices.Decimal)(usdToCredits) && usdToCredits > 0
  const defaults = readDefaults(settings.defaults)
  const prices = Result.isSuccess(defaults) ? defaults : readDefaults()
  const models = Result.flatMap(prices, (read) =>
    readCatalogue(settings.catalogue, {
      prices: read,
      defaultMaxOutputTokens: settings.defaultMaxOutputTokens ?? 32_768
    })
  )
  const faults = [
    ...(rate ? [] : [`pricing.usdToCredits: ${usdToCredits} is no amount above zero`]),
    ...(Result.isFailure(defaults) ? defaults.failure : []),
    ...(Result.isFailure(models) ? models.failure : [])
  ]
  return faults.length > 0 || Result.isFailure(models) || Result.isFailure(prices)
    ? Result.fail(faults)
    : Result.succeed({ ...models.success, prices: prices.success, usdToCredits })
}

/** Everything that is wrong with models and prices. */
export const catalogueFaults = (settings: CatalogueSettings): ReadonlyArray<string> => {
  const read = readModels(settings)
  return Result.isFailure(read) ? read.failure : []
}

/** The models of a host; null where they cannot be used, which `catalogueFaults` explains. */
export const modelsIn = (settings: CatalogueSettings): ReadonlyArray<Model> | null => {
  const read = readModels(settings)
  return Result.isSuccess(read) ? read.success.models : null
}

export class ModelCatalogue extends Context.Service<
  ModelCatalogue,
  {
    /** Every model that is known, in the file's order: retired ones and those that no list shows as well. */
    readonly all: ReadonlyArray<Model>
    /** What lists show, in the file's order. */
    readonly listed: ReadonlyArray<Model>
    readonly get: (id: string) => Model | null
    /** The models of requests that name none. */
    readonly defaultModels: DefaultModels
    /** What a model without a price of its own costs, and what a search does. */
    readonly defaultPrice: (service: Service) => Prices.Price
    /** What an amount costs at a price, in nano-credits, rounded up once. */
    readonly cost: (price: Prices.Price, amount: Prices.Amount) => Money.Nano
    readonly usdToCredits: number
  }
>()("@trunkline/core/gateway/catalogue/ModelCatalogue") {
  /** Fails with `CatalogueRefused` for what a host cannot have meant. */
  static readonly layer = (settings: CatalogueSettings = {}) =>
    Layer.effect(
      ModelCatalogue,
      Effect.gen(function* () {
        const read = readModels(settings)
        if (Result.isFailure(read)) return yield* new CatalogueRefused({ faults: read.failure })
        const { defaultModels, models: all, prices, usdToCredits } = read.success
        const byId = new Map(all.map((model) => [model.id, model]))
        return ModelCatalogue.of({
          all,
          listed: all.filter(isListed),
          get: (id) => byId.get(id) ?? null,
          defaultModels,
          defaultPrice: (service) => prices[service],
          cost: Prices.costAt(usdToCredits),
          usdToCredits
        })
      })
    )
}
