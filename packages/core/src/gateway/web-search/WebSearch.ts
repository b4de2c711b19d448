/** A search of the web: from a request to its results, at the price of a query. Source: docs/reference/search.md. */
import * as Effect from "effect/Effect"
import {
  type ClaimLost,
  Idempotency,
  keptAnswerOf,
  type StoredResponse,
  type StoreResponse
} from "../../platform/idempotency/index.ts"
import { tracedFn } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { spendingRefusal as meteringRefusal } from "../run/InferenceRefusals.ts"
import type { RunContext } from "../run/MeteredRun.ts"
import { type RouteResult, runOnce } from "../run/RunOnce.ts"
import { searchAnswer } from "./SearchAnswer.ts"
import { SearchProviders } from "./SearchProvider.ts"
import { chooseSearchProvider, type SearchKey } from "./SearchProviderChoice.ts"
import { searchFailureRefusal } from "./SearchRefusals.ts"
import { type SearchRequest, searchFingerprint, searchWork } from "./SearchRequest.ts"
import { searchResults } from "./SearchResults.ts"
import { makeSearchRun, type SearchRunError } from "./SearchRun.ts"

interface SearchCaller extends RunContext {
  readonly key: SearchKey
}

export interface WebSearch {
  /**
   * Answers a request of a caller that has been admitted. Everything that is refused is refused before a provider is asked and
   * before anything is spent. Under an Idempotency-Key it is searched and billed once.
   */
  readonly run: (
    caller: SearchCaller,
    request: SearchRequest,
    idempotencyKey: string | null
  ) => Effect.Effect<RouteResult, InferenceRefused | StorageError>
}

export const makeWebSearch = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const providers = yield* SearchProviders
  const searches = yield* makeSearchRun

  /** That nobody searches here is the last reason of all, as on the routes of models. */
  const unserved = Effect.fnUntraced(function* (caller: SearchCaller) {
    yield* Effect.mapError(searches.checkPayment(caller), refusalOf)
    yield* Effect.logWarning(noProvider)
    return yield* nobody
  })

  const execute = Effect.fnUntraced(function* (caller: SearchCaller, request: SearchRequest, store: StoreResponse) {
    const provider = yield* Effect.fromResult(chooseSearchProvider(providers.all, caller.key, request))
    if (provider === null) return yield* unserved(caller)
    const work = searchWork(request)
    const { maxResults, query } = work
    const { usageId } = caller
    const encode = (pages: Parameters<typeof searchResults>[0]): StoredResponse =>
      searchAnswer({ usageId, provider: provider.name, query, results: searchResults(pages, maxResults) })
    return yield* searches
      .run({ context: caller, provider, work, encode, keptAnswer: (encoded) => keptAnswerOf(store, encoded) })
      .pipe(
        Effect.tapErrorTag("UpstreamFailed", ({ detail, why }) =>
          Effect.logWarning(`search provider ${provider.name}: ${why}: ${detail}`)
        ),
        Effect.mapError(refusalOf)
      )
  })

  const run = tracedFn("WebSearch.run")(function* (
    caller: SearchCaller,
    request: SearchRequest,
    key: string | null
  ): Effect.fn.Return<RouteResult, InferenceRefused | StorageError> {
    const keyed =
      key === null ? null : { tenantId: caller.payer.tenantId, key, fingerprint: searchFingerprint(request) }
    return yield* runOnce(idempotency, keyed, (store) => execute(caller, request, store))
  })

  return { run } satisfies WebSearch
})

/** What only the operator can change, and may read. */
const noProvider = "no search provider is configured: see search.providers"

const nobody = refuse("service_unavailable", {
  message: "Searching is not available here.",
  showsRequestId: true,
  isPermanent: true
})

const refusalOf = (error: SearchRunError): InferenceRefused | ClaimLost | StorageError => {
  switch (error._tag) {
    case "ClaimLost":
    case "StorageError":
      return error
    case "UpstreamFailed":
      return searchFailureRefusal(error)
    default:
      return meteringRefusal(error, "search")
  }
}
