/** Options of the search provider `searxng`. */
import type { SearchDefaults, SearchProviderOptions } from "../upstream/SearchOptions.ts"

/** Settings as a host writes them. Source: docs/reference/search.md#settings. */
export interface SearxngOptions extends SearchProviderOptions {
  readonly baseUrl: string
}

export const defaults: SearchDefaults = { provider: "searxng", baseUrl: null, needsKey: false }
