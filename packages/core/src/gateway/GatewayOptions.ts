/** What a host decides about models, searches, files and batches. Pure. */

import { Instant } from "../platform/kernel/index.ts"
import { type LayerProvider, type Provider, provider, type SettingFault, Settings } from "../platform/settings/index.ts"
import { type CatalogueSettings, catalogueFaults, type PriceSettings, routeFaults } from "./catalogue/index.ts"
import { standardLlmSettings } from "./llm/index.ts"

/** Made by a provider package: `openai({ … })`, `sarvam({ … })`, `deepgram({ … })`. */
export interface UpstreamProvider extends Provider<"upstream"> {
  /** Makes the upstream of a name. */
  readonly make: unknown
}

/** Searches the web. Made by a provider package: `brave({ … })`, `tavily({ … })`, `searxng({ … })`. */
export interface WebSearchProvider extends Provider<"search"> {
  /** Makes the search provider of a name. */
  readonly make: unknown
}

/** Made by `audioLength()` of @trunkline/node. */
export interface AudioLengthProvider extends LayerProvider<"audioLength"> {}

const { anything, entry, flag, fromZero, hostOnly, list, optionalSection, positive, record, required, section } =
  Settings
const { standard, text, whole } = Settings

const upstream = provider<UpstreamProvider>("upstream", "a package such as @trunkline/providers")

const target = {
  /** The name of the upstream. */
  upstream: required(text),
  /** The name of the model at the upstream, where it has another one there. */
  model: text
}

const route = entry({
  ...target,
  /** How often the same upstream is asked again before the next one is. Without it it is asked once. Source: docs/reference/upstreams.md#fallbacks. */
  retries: whole({ min: 0, max: 3 }),
  /** The upstreams that are asked in this order where the ones before them have failed. On `*` none of them has a `model`. */
  fallbacks: list(entry(target), { max: 10 })
})

const price = entry({
  usd_per_hour: fromZero,
  usd_per_10k_characters: fromZero,
  usd_per_image: fromZero,
  credits_per_query: fromZero,
  input_usd_per_million_tokens: fromZero,
  output_usd_per_million_tokens: fromZero,
  cached_input_usd_per_million_tokens: fromZero,
  long_input_costs_more: Settings.truth
})

const defaultPrices = entry({ stt: price, llm: price, tts: price, image: price, embedding: price, search: price })

export const settings = {
  /** What measures audio that is not WAV. Without it such audio is bounded by its size. Source: docs/reference/metering.md#duration. */
  audioLength: provider<AudioLengthProvider>("audioLength", "audioLength() of @trunkline/node"),
  /** Who runs models, which models there are, and where each one goes. */
  models: section({
    /** The file that extends or replaces the shipped catalogue. The library takes its content, parsed. Source: docs/reference/models.md#file. */
    catalogue: anything,
    /** Who runs models, by a name that routes use. Source: docs/reference/upstreams.md#settings. */
    upstreams: hostOnly(record(upstream)),
    /** Where each model goes; `*` is for all others. A model without a route cannot be run. Source: docs/reference/upstreams.md#routing. */
    routes: record(route),
    /** When an upstream is passed over; null passes over none. Source: docs/reference/upstreams.md#breaker. */
    breaker: optionalSection({
      /** The failures after which an upstream is passed over. Default 5. */
      failures: whole({ min: 1, max: 1000, default: 5 }),
      /** The time for which it is passed over, in milliseconds. Default 30,000. */
      openMs: whole({ min: 100, max: 3_600_000, default: 30_000 })
    }),
    /** The time without an event after which a stream gets a sign of life, in milliseconds. Default 15,000. Source: docs/reference/language-models.md#streams. */
    streamPingMs: whole({ min: 100, max: 600_000, default: standardLlmSettings.pingMs }),
    /** The maximum of output tokens of a language model whose entry in the catalogue has no `max_output_tokens`. Default 32,768. Source: docs/reference/models.md#figures. */
    defaultMaxOutputTokens: whole({ min: 1, max: 10_000_000, default: 32_768 }),
    /** The days for which responses are kept for their accounts; 0 keeps none. Default 30. Source: docs/reference/language-models.md#kept-responses. */
    responsesKeptDays: whole({ min: 0, max: 3650, default: standardLlmSettings.responsesKeptDays }),
    /** Transcribes while no upstream that serves speech is configured. Source: docs/reference/upstreams.md#embedded. */
    fallback: upstream
  }),
  /** Searching the web. Source: docs/reference/search.md. */
  search: section({
    /** Who searches, by a name that callers use. Without any, searches are refused. Source: docs/reference/search.md#settings. */
    providers: hostOnly(
      record(provider<WebSearchProvider>("search", "a provider such as brave({ … }) of @trunkline/providers"))
    ),
    /** The provider of requests that name none. Without it the first one is asked. Source: docs/reference/search.md#provider. */
    default: text
  }),
  pricing: section({
    /** The credits of one US dollar. Default 96. Source: docs/reference/metering.md#price. */
    usdToCredits: standard(positive, 96),
    /** The prices of models that have none of their own, in the words of the catalogue file: `{ "stt": { "usd_per_hour": 0.5 } }`. Source: docs/reference/models.md#price. */
    defaults: Settings.typed<NonNullable<PriceSettings["defaults"]>>(defaultPrices)
  }),
  limits: section({
    /** The bytes of an uploaded file. Default 104,857,600. Source: docs/reference/batches.md#files. */
    fileBytes: whole({ min: 1, max: 1_073_741_824, default: 104_857_600 }),
    /** The requests of one batch. Default 50,000. Source: docs/reference/batches.md#input. */
    batchRequests: whole({ min: 1, max: 1_000_000, default: 50_000 }),
    /** The requests of an account's batches that run at a time, over all processes. Default 4. Source: docs/reference/batches.md#lines. */
    batchConcurrency: whole({ min: 1, max: 1000, default: 4 }),
    /** The seconds after which a batch expires. Default 86,400. Source: docs/reference/batches.md#status. */
    batchWindowSeconds: whole({ min: 1, max: 2_592_000, default: Instant.day / Instant.second })
  }),
  workers: section({
    /** Whether `start` runs batches. Default true. Source: docs/reference/batches.md. */
    batches: flag(true)
  })
}

/** What the gateway's own options say. */
export type GatewayOptions = Settings.ValuesOf<typeof settings>

/** The models and what they cost. */
export const catalogueSettings = ({
  models,
  pricing
}: Pick<GatewayOptions, "models" | "pricing">): CatalogueSettings => ({
  catalogue: models?.catalogue,
  ...(models?.defaultMaxOutputTokens === undefined ? {} : { defaultMaxOutputTokens: models.defaultMaxOutputTokens }),
  ...(pricing?.defaults === undefined ? {} : { defaults: pricing.defaults }),
  ...(pricing?.usdToCredits === undefined ? {} : { usdToCredits: pricing.usdToCredits })
})

/** A fault of a price begins with its option; every other fault is of the catalogue. */
const ofModels = (fault: string): SettingFault => {
  const [, option, message] = /^(pricing(?:\.\w+)+): (.*)$/s.exec(fault) ?? []
  return option === undefined || message === undefined
    ? { path: ["models", "catalogue"], message: fault }
    : { path: option.split("."), message }
}

/** What must hold of several options together, by the section in which it is reported. */
export const rules = {
  models: (options: GatewayOptions): ReadonlyArray<SettingFault> => [
    ...routeFaults(options.models?.routes ?? {}, Object.keys(options.models?.upstreams ?? {})).map(
      ({ fallback, key, message, model }) => ({
        path: ["models", "routes", model, ...(fallback === null ? [] : ["fallbacks", fallback]), key],
        message
      })
    ),
    ...catalogueFaults(catalogueSettings(options)).map(ofModels)
  ],
  search: ({ search: { default: standard, providers = {} } = {} }: GatewayOptions): ReadonlyArray<SettingFault> =>
    standard === undefined || Object.hasOwn(providers, standard)
      ? []
      : [
          {
            path: ["search", "default"],
            message: `names the search provider ${JSON.stringify(standard)}, which is not in search.providers: add it there`
          }
        ]
}
