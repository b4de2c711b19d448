/** A web search as a caller asks for it and as a provider gets it. Pure. Source: docs/reference/search.md#request. */
import { requestFingerprint } from "../../platform/idempotency/index.ts"

export const freshnesses = ["day", "week", "month", "year"] as const
export type Freshness = (typeof freshnesses)[number]

export const safeSearches = ["off", "moderate", "strict"] as const
export type SafeSearch = (typeof safeSearches)[number]

/** Fields that not every provider has. Null, or an empty list, where they are absent. */
export interface SearchOptions {
  /** Two letters, such as `IN`. */
  readonly country: string | null
  /** Two letters, such as `hi`. */
  readonly language: string | null
  readonly freshness: Freshness | null
  readonly safeSearch: SafeSearch | null
  /** Host names. */
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
}
export type SearchOption = keyof SearchOptions

/** What a provider searches for. */
export interface SearchWork extends SearchOptions {
  readonly query: string
  readonly maxResults: number
}

export interface SearchRequest extends SearchOptions {
  readonly query: string
  /** Null for the one that the settings and the key's list give. */
  readonly provider: string | null
  /** Null for ten. */
  readonly maxResults: number | null
}

const standardResults = 10

export const searchWork = ({ maxResults, provider: _, ...asked }: SearchRequest): SearchWork => ({
  ...asked,
  maxResults: maxResults ?? standardResults
})

const options = [
  "country",
  "language",
  "freshness",
  "safeSearch",
  "includeDomains",
  "excludeDomains"
] as const satisfies ReadonlyArray<SearchOption>

/**
 * The options that a provider has. One that is absent is not supported; where the provider has some of an option's values, it is
 * the list of these.
 */
export type SearchTraits = { readonly [O in SearchOption]?: "any" | ReadonlyArray<string> }

/** Whether a provider has an option, with the value that is asked for. */
export const hasOption = (traits: SearchTraits, option: SearchOption, { [option]: value }: SearchOptions): boolean => {
  const supported = traits[option]
  if (value === null || value.length === 0 || supported === "any") return true
  return supported?.includes(String(value)) ?? false
}

/** The first option of a request that a provider with these traits lacks; null where it has them all. */
export const lackedOption = (traits: SearchTraits, asked: SearchOptions): SearchOption | null =>
  options.find((option) => !hasOption(traits, option, asked)) ?? null

/** What makes two requests the same: a field that is null and one that is absent are alike. */
export const searchFingerprint = ({ maxResults, provider, query, ...asked }: SearchRequest): string =>
  requestFingerprint(
    "search",
    query,
    provider,
    maxResults,
    options.map((option) => asked[option])
  )
