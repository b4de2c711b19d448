/**
 * Decides which provider searches the web for a caller, what it costs, and what of the results is shown.
 *
 * Promises  WEBS-1 what may not be searched is refused before a provider is asked, in one documented order, and is not billed.
 *           WEBS-2 a query that was answered is billed once, whatever was found; one that failed costs nothing.
 *           WEBS-3 a result is plain text with an address of the web; nothing of a provider's errors is in an answer.
 *           WEBS-4 no option is dropped in silence: a provider that lacks it is not asked.
 *           WEBS-5 one Idempotency-Key searches and bills once.
 * Needs     SearchProviders, Metering, KeyLimits, Idempotency, ModelCatalogue.  Emits  nothing.
 * Not here  ranking of an agent's own knowledge (agents/search), what providers speak (packages/providers), prices (platform/billing).
 * Read      SearchRequest.ts and SearchProviderChoice.ts, then WebSearch.ts and SearchRun.ts. Source: docs/reference/search.md.
 */
export { type FoundPage, type SearchProvider, SearchProviders } from "./SearchProvider.ts"
export type {
  Freshness,
  SafeSearch,
  SearchOption,
  SearchOptions,
  SearchRequest,
  SearchTraits,
  SearchWork
} from "./SearchRequest.ts"
export { makeWebSearch, type WebSearch } from "./WebSearch.ts"
