/** Options of the search provider `brave`. */
import type { KeyedSearchOptions, SearchDefaults } from "../upstream/SearchOptions.ts"

/** Settings as a host writes them. `baseUrl` is `https://api.search.brave.com` by default. Source: docs/reference/search.md#settings. */
export type BraveOptions = KeyedSearchOptions

export const defaults: SearchDefaults = { provider: "brave", baseUrl: "https://api.search.brave.com", needsKey: true }
