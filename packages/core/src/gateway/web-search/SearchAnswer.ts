/** The answer of a search as it is sent, and as it is stored under an Idempotency-Key. Pure. Source: docs/reference/search.md#answer. */
import * as Schema from "effect/Schema"
import { type StoredResponse, storedJson } from "../../platform/idempotency/index.ts"
import type * as Ids from "../GatewayIds.ts"
import type { SearchResult } from "./SearchResults.ts"

const Result = Schema.Struct({
  title: Schema.String,
  url: Schema.String,
  snippet: Schema.String,
  date: Schema.NullOr(Schema.String),
  score: Schema.NullOr(Schema.Finite)
}).annotate({ identifier: "SearchResult" })

export const SearchBody = Schema.Struct({
  object: Schema.Literal("search"),
  id: Schema.String,
  provider: Schema.String,
  query: Schema.String,
  results: Schema.Array(Result),
  usage: Schema.Struct({ queries: Schema.Int })
}).annotate({ identifier: "Search" })

interface Searched {
  /** Of the request: its row of the usage log has the same id. */
  readonly usageId: Ids.UsageId
  readonly provider: string
  readonly query: string
  readonly results: ReadonlyArray<SearchResult>
}

export const searchAnswer = ({ provider, query, results, usageId }: Searched): StoredResponse =>
  storedJson({
    object: "search",
    id: `search_${usageId.replaceAll("-", "")}`,
    provider,
    query,
    results,
    usage: { queries: 1 }
  } satisfies typeof SearchBody.Type)
