/** The search provider `searxng`: the port's verb as a request to a server of one's own. */

import type { SafeSearch, SearchTraits, SearchWork, TypedWebSearchProvider } from "@trunkline/core/provider"
import { traced } from "@trunkline/core/provider"
import { flow } from "effect/Function"
import { bearer, keyHeader, pagesIn, queryOf, searchProvider } from "../upstream/SearchWire.ts"
import { makeWire } from "../upstream/UpstreamWire.ts"
import { defaults, type SearxngOptions } from "./SearxngOptions.ts"

const traits: SearchTraits = { language: "any", freshness: ["day", "month", "year"], safeSearch: "any" }

const operatorStatuses = {
  403: "JSON is switched off there: add json to search.formats in the server's settings.yml"
}

const safeSearchLevels: Readonly<Record<SafeSearch, number>> = { off: 0, moderate: 1, strict: 2 }

const pathOf = ({ freshness, language, query, safeSearch }: SearchWork): string =>
  `/search?${queryOf({
    q: query,
    format: "json",
    language: language?.toLowerCase() ?? null,
    time_range: freshness,
    safesearch: safeSearch === null ? null : safeSearchLevels[safeSearch]
  })}`

const read = (json: unknown) => pagesIn(json, { snippet: "content", date: "publishedDate" })

/**
 * A SearXNG server. Throws `InvalidProviderOptions`, which names every fault.
 *
 * @example
 * const own = searxng({ baseUrl: "http://searxng:8080" })
 */
export const searxng = (options: SearxngOptions): TypedWebSearchProvider =>
  searchProvider(defaults, options, (settings) => (name) => {
    const wire = makeWire(settings)
    const headers = keyHeader(settings, bearer)
    const search = flow(
      (work: SearchWork) => wire.ask({ path: pathOf(work), headers, body: null, operatorStatuses }, read),
      traced("Searxng.search")
    )
    return { name, traits, maxMs: wire.maxMs, search }
  })
