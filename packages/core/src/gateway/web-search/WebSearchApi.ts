/** The contract of searching the web. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { InferenceAuth } from "../admission/InferenceAuth.ts"
import { inferenceErrors } from "../errors/InferenceAnswers.ts"
import { inferenceEnvelope } from "../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../errors/InferenceFaults.ts"
import { SearchBody } from "./SearchAnswer.ts"
import { freshnesses, safeSearches } from "./SearchRequest.ts"

const maxQuery = 400
const maxResults = 20
const maxDomains = 20
const maxName = 255

// Patterns without the flag would not stand in the OpenAPI document.
const twoLetters = Schema.String.check(Schema.isPattern(/^[A-Za-z]{2}$/u, { message: "Expected two letters" }))

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

const hostName = Fields.text(1, 253).check(
  Schema.isPattern(new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`, "u"), {
    message: "Expected a host name such as example.com"
  })
)

const domains = Schema.Array(hostName).check(Schema.isMaxLength(maxDomains))

export const NewSearch = Schema.Struct({
  query: Fields.text(1, maxQuery),
  // Any text may be a provider's name: one that is none is an unknown provider.
  provider: Fields.optional(Fields.text(0, maxName)),
  max_results: Fields.optional(Fields.integer(1, maxResults)),
  country: Fields.optional(twoLetters),
  language: Fields.optional(twoLetters),
  freshness: Fields.optional(Schema.Literals(freshnesses)),
  safe_search: Fields.optional(Schema.Literals(safeSearches)),
  include_domains: Fields.optional(domains),
  exclude_domains: Fields.optional(domains)
}).annotate({ identifier: "NewSearch" })

export const searchGroup = HttpApiGroup.make("webSearch")
  .add(
    HttpApiEndpoint.post("search", "/", {
      payload: NewSearch,
      success: SearchBody,
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Search the web",
        description: "Searches the web through a provider and charges for one query, whatever is found."
      })
    )
  )
  .prefix("/v1/search")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "search")
  .annotate(OpenApi.Description, "Searching the web")
  .annotate(BodyExamples, { search: { query: "opening hours of the national library", max_results: 5 } })
  .annotate(FieldTexts, {
    query: "Text to search for",
    "NewSearch.provider": "Name of a search provider; default: the operator's",
    max_results: "Maximum number of results, up to 20; default 10",
    country: "Country whose results come first, in two letters",
    language: "Language of the results, in two letters",
    freshness: "Age of the results at most",
    safe_search: "Whether results for adults are left out",
    include_domains: "Hosts whose pages alone are searched",
    exclude_domains: "Hosts whose pages are left out",
    object: "Kind of record",
    id: "Id of the search",
    provider: "Name of the provider that has searched",
    results: "Pages that were found, best first",
    title: "Title of the page",
    url: "Address of the page",
    snippet: "Text of the page that fits the query",
    date: "Day on which the page was published, as `YYYY-MM-DD`; null where it is unknown",
    score: "How well the page fits, where the provider says so; else null",
    usage: "What is billed",
    queries: "Queries that are billed"
  })
