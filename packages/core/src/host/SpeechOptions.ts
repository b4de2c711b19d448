/** Reads what a host decides about speech: who runs models, and what measures audio. */
import * as Layer from "effect/Layer"
import {
  AudioLength,
  type BreakerSettings,
  type CatalogueSettings,
  CircuitBreakers,
  Routing
} from "../inference/index.ts"
import type { TrunklineOptions } from "./Options.ts"
import { layerOf, upstreamOf } from "./Providers.ts"

/** The models and what they cost. */
export const catalogueSettings = ({ models, pricing }: TrunklineOptions): CatalogueSettings => ({
  catalogue: models?.catalogue,
  ...(models?.defaultMaxOutputTokens === undefined ? {} : { defaultMaxOutputTokens: models.defaultMaxOutputTokens }),
  ...(pricing?.defaults === undefined ? {} : { defaults: pricing.defaults }),
  ...(pricing?.usdToCredits === undefined ? {} : { usdToCredits: pricing.usdToCredits })
})

const defaultBreaker: BreakerSettings = { failures: 5, openMs: 30_000 }

export const speechLayers = ({ audioLength, models = {} }: TrunklineOptions) =>
  Layer.mergeAll(
    Routing.layer({
      upstreams: Object.entries(models.upstreams ?? {}).map(([name, provider]) => upstreamOf(provider, name)),
      routes: models.routes ?? {},
      fallback: models.fallback === undefined ? null : upstreamOf(models.fallback, "embedded")
    }),
    CircuitBreakers.layer(models.breaker === null ? null : { ...defaultBreaker, ...models.breaker }),
    // Other kinds than WAV are bounded by their size where nothing measures them.
    audioLength === undefined ? AudioLength.layer() : layerOf(audioLength)
  )
