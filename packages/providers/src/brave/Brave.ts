/** The search provider `brave`: the port's verb as a request to Brave's search of the web. */
import type { Freshness, SearchTraits, SearchWork, TypedWebSearchProvider } from "@trunkline/core/provider"
import { isObject, traced } from "@trunkline/core/provider"
import { flow } from "effect/Function"
import { keyHeader, pagesIn, queryOf, searchProvider } from "../upstream/SearchWire.ts"
import { makeWire } from "../upstream/UpstreamWire.ts"
import { type BraveOptions, defaults } from "./BraveOptions.ts"

const traits: SearchTraits = { country: "any", language: "any", freshness: "any", safeSearch: "any" }

const freshnessCodes: Readonly<Record<Freshness, string>> = { day: "pd", week: "pw", month: "pm", year: "py" }

const pathOf = ({ country, freshness, language, maxResults, query, safeSearch }: SearchWork): string =>
  `/res/v1/web/search?${queryOf({
    q: query,
    count: maxResults,
    country: country?.toUpperCase() ?? null,
    search_lang: language?.toLowerCase() ?? null,
    freshness: freshness === null ? null : freshnessCodes[freshness],
    safesearch: safeSearch
  })}`

/** An answer without `web` has found nothing. */
const read = (json: unknown) =>
  isObject(json) ? (pagesIn(json.web, { snippet: "description", date: "page_age" }) ?? []) : undefined

/**
 * Brave's search of the web. Throws `InvalidProviderOptions`, which names every fault.
 *
 * @example
 * const web = brave({ apiKey })
 */
export const brave = (options: BraveOptions): TypedWebSearchProvider =>
  searchProvider(defaults, options, (settings) => (name) => {
    const wire = makeWire(settings)
    const headers = keyHeader(settings, (key) => ({ "x-subscription-token": key }))
    const search = flow(
      (work: SearchWork) => wire.ask({ path: pathOf(work), headers, body: null }, read),
      traced("Brave.search")
    )
    return { name, traits, maxMs: wire.maxMs, search }
  })
