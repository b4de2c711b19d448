/** What a host decides about models, searches, files and batches, as the rooms know it. */
import * as Layer from "effect/Layer"
import { effective, layerOf } from "../platform/settings/index.ts"
import { BatchSettings } from "./batches/index.ts"
import { ModelCatalogue, Routing } from "./catalogue/index.ts"
import { FileSettings } from "./files/index.ts"
import {
  catalogueSettings,
  type GatewayOptions,
  settings,
  type UpstreamProvider,
  type WebSearchProvider
} from "./GatewayOptions.ts"
import { LlmSettings } from "./llm/index.ts"
import { CircuitBreakers } from "./run/index.ts"
import { AudioLength } from "./speech/index.ts"
import type { Upstream } from "./upstreams/index.ts"
import { type SearchProvider, SearchProviders } from "./web-search/index.ts"

export type AudioLengthLayer = Layer.Layer<AudioLength>
export type MakeUpstream = (name: string) => Upstream
export type MakeSearchProvider = (name: string) => SearchProvider

/** The upstream of a provider, under a name that routes use. */
export const upstreamOf = (provider: UpstreamProvider, name: string): Upstream => (provider.make as MakeUpstream)(name)

/** The search provider of what a package has made, under a name that callers use. */
const searchProviderOf = (provider: WebSearchProvider, name: string): SearchProvider =>
  (provider.make as MakeSearchProvider)(name)

/** Each provider under its name. */
const named = <P, A>(providers: Readonly<Record<string, P>> = {}, make: (provider: P, name: string) => A) =>
  Object.entries(providers).map(([name, provider]) => make(provider, name))

export const configured = (options: GatewayOptions) => {
  const { audioLength, limits, models, search } = effective(settings, options)
  return Layer.mergeAll(
    Routing.layer({
      upstreams: named(models.upstreams, upstreamOf),
      routes: models.routes ?? {},
      fallback: models.fallback === undefined ? null : upstreamOf(models.fallback, "embedded")
    }),
    CircuitBreakers.layer(models.breaker),
    // Other kinds than WAV are bounded by their size where nothing measures them.
    audioLength === undefined ? AudioLength.layer() : layerOf<AudioLengthLayer>(audioLength),
    SearchProviders.layer({
      providers: named(search.providers, searchProviderOf),
      standard: search.default ?? null
    }),
    Layer.succeed(LlmSettings, { pingMs: models.streamPingMs, responsesKeptDays: models.responsesKeptDays }),
    Layer.succeed(FileSettings, { maxBytes: limits.fileBytes }),
    Layer.succeed(BatchSettings, {
      maxRequests: limits.batchRequests,
      concurrency: limits.batchConcurrency,
      windowSeconds: limits.batchWindowSeconds
    })
  ).pipe(Layer.provideMerge(ModelCatalogue.layer(catalogueSettings(options))))
}
