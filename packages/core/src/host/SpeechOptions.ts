/** Reads what a host decides about speech: who runs models, what measures audio, and what finds speech in it. */
import * as Layer from "effect/Layer"
import { type CatalogueSettings, Routing } from "../gateway/catalogue/index.ts"
import { type BreakerSettings, CircuitBreakers } from "../gateway/run/index.ts"
import { AudioLength } from "../gateway/speech/index.ts"
import { EnergyDetector, SpeechDetectors } from "../platform/audio/index.ts"
import type { TrunklineOptions } from "./Options.ts"
import { layerOf, upstreamOf } from "./Providers.ts"

/** The options that say which models there are, and what they cost. */
export type ModelOptions = Pick<TrunklineOptions, "models" | "pricing" | "voice">

/** The models and what they cost. */
export const catalogueSettings = ({ models, pricing }: ModelOptions): CatalogueSettings => ({
  catalogue: models?.catalogue,
  ...(models?.defaultMaxOutputTokens === undefined ? {} : { defaultMaxOutputTokens: models.defaultMaxOutputTokens }),
  ...(pricing?.defaults === undefined ? {} : { defaults: pricing.defaults }),
  ...(pricing?.usdToCredits === undefined ? {} : { usdToCredits: pricing.usdToCredits })
})

const defaultBreaker: BreakerSettings = { failures: 5, openMs: 30_000 }

export const speechLayers = ({ audioLength, models = {}, voice = {} }: TrunklineOptions) =>
  Layer.mergeAll(
    Routing.layer({
      upstreams: Object.entries(models.upstreams ?? {}).map(([name, provider]) => upstreamOf(provider, name)),
      routes: models.routes ?? {},
      fallback: models.fallback === undefined ? null : upstreamOf(models.fallback, "embedded")
    }),
    CircuitBreakers.layer(models.breaker === null ? null : { ...defaultBreaker, ...models.breaker }),
    voice.detector === undefined
      ? Layer.succeed(SpeechDetectors, { name: "energy", open: () => new EnergyDetector() })
      : layerOf(voice.detector),
    // Other kinds than WAV are bounded by their size where nothing measures them.
    audioLength === undefined ? AudioLength.layer() : layerOf(audioLength)
  )
