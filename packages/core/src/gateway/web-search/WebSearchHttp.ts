/** Handler of searching the web. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import { encodeResult } from "../routes/RouteResultHttp.ts"
import type { SearchRequest } from "./SearchRequest.ts"
import { makeWebSearch } from "./WebSearch.ts"
import { type NewSearch, searchGroup } from "./WebSearchApi.ts"

const api = contract.add(searchGroup)

const requestOf = (payload: typeof NewSearch.Type): SearchRequest => ({
  query: payload.query,
  provider: payload.provider ?? null,
  maxResults: payload.max_results ?? null,
  country: payload.country ?? null,
  language: payload.language ?? null,
  freshness: payload.freshness ?? null,
  safeSearch: payload.safe_search ?? null,
  includeDomains: payload.include_domains ?? [],
  excludeDomains: payload.exclude_domains ?? []
})

export const layer = ({ headerPrefix }: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(
    api,
    "webSearch",
    Effect.fnUntraced(function* (handlers) {
      const searches = yield* makeWebSearch
      return handlers.handleAll({
        search: Effect.fnUntraced(function* ({ payload }) {
          const caller = yield* CurrentCaller
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          const ran = searches.run(caller, requestOf(payload), headers["idempotency-key"] ?? null)
          return yield* answerInference(Effect.map(ran, (result) => encodeResult(result, headerPrefix)))
        })
      })
    })
  )
