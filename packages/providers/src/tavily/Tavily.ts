/** The search provider `tavily`: the port's verb as a request to Tavily's search. */

import type { SearchTraits, SearchWork, TypedWebSearchProvider } from "@trunkline/core/provider"
import { traced } from "@trunkline/core/provider"
import { flow } from "effect/Function"
import { jsonBody } from "../http/index.ts"
import { bearer, keyHeader, pagesIn, searchProvider } from "../upstream/SearchWire.ts"
import { makeWire } from "../upstream/UpstreamWire.ts"
import { defaults, type TavilyOptions } from "./TavilyOptions.ts"

const traits: SearchTraits = { freshness: "any", includeDomains: "any", excludeDomains: "any" }

/** Statuses of Tavily's own. */
const operatorStatuses = {
  432: "the plan's credits are used up",
  433: "the limit of pay-as-you-go is reached"
}

const bodyOf = ({ excludeDomains, freshness, includeDomains, maxResults, query }: SearchWork) => ({
  query,
  max_results: maxResults,
  ...(freshness === null ? {} : { time_range: freshness }),
  ...(includeDomains.length === 0 ? {} : { include_domains: includeDomains }),
  ...(excludeDomains.length === 0 ? {} : { exclude_domains: excludeDomains })
})

const read = (json: unknown) => pagesIn(json, { snippet: "content", date: "published_date" })

/**
 * Tavily's search. Throws `InvalidProviderOptions`, which names every fault.
 *
 * @example
 * const web = tavily({ apiKey })
 */
export const tavily = (options: TavilyOptions): TypedWebSearchProvider =>
  searchProvider(defaults, options, (settings) => (name) => {
    const wire = makeWire(settings)
    const headers = keyHeader(settings, bearer)
    const search = flow(
      (work: SearchWork) =>
        wire.ask({ path: "/search", headers, body: jsonBody(bodyOf(work)), operatorStatuses }, read),
      traced("Tavily.search")
    )
    return { name, traits, maxMs: wire.maxMs, search }
  })
