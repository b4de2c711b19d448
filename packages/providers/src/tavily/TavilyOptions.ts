/** Options of the search provider `tavily`. */
import type { KeyedSearchOptions, SearchDefaults } from "../upstream/SearchOptions.ts"

/** Settings as a host writes them. `baseUrl` is `https://api.tavily.com` by default. Source: docs/reference/search.md#settings. */
export type TavilyOptions = KeyedSearchOptions

export const defaults: SearchDefaults = { provider: "tavily", baseUrl: "https://api.tavily.com", needsKey: true }
