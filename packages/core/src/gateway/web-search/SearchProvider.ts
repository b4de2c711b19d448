/** Port: a service that searches the web. Adapters stand in packages/providers. Source: docs/reference/search.md#providers. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { UpstreamFailed } from "../upstreams/Upstream.ts"
import type { SearchTraits, SearchWork } from "./SearchRequest.ts"

/** A page as a provider reports it. Its texts may have tags and entities, its address may be anything. */
export interface FoundPage {
  readonly title: string
  readonly url: string
  readonly snippet: string
  /** The day of publication, in a form of the provider's; null where it names none. */
  readonly date: string | null
  readonly score: number | null
}

export interface SearchProvider {
  /** Its name in the configuration, which callers use. */
  readonly name: string
  readonly traits: SearchTraits
  /** Maximum duration of one search, in milliseconds. */
  readonly maxMs: number
  /**
   * The pages that it finds, best first; it may return more than `maxResults`. Sends one request, ends within `maxMs`, and an
   * interruption ends the request. Gets no option that its traits lack.
   */
  readonly search: (work: SearchWork) => Effect.Effect<ReadonlyArray<FoundPage>, UpstreamFailed>
}

interface SearchProviderSettings {
  /** In the order of the settings. */
  readonly providers: ReadonlyArray<SearchProvider>
  /** The name of the provider of requests that name none; null for the first one. */
  readonly standard: string | null
}

export class SearchProviders extends Context.Service<
  SearchProviders,
  {
    /** The standard provider first, then the others in the order of the settings. */
    readonly all: ReadonlyArray<SearchProvider>
  }
>()("@trunkline/core/gateway/web-search/SearchProviders") {
  static readonly layer = ({ providers, standard }: SearchProviderSettings) =>
    Layer.succeed(SearchProviders, {
      all: [...providers.filter(({ name }) => name === standard), ...providers.filter(({ name }) => name !== standard)]
    })
}
