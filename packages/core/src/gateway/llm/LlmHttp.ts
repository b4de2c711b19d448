/** Handlers of the routes of language models. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type { Brand } from "../../platform/brand/index.ts"
import { type Relay, RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import { attemptsHeader } from "../errors/InferenceErrors.ts"
import { readJsonRequest } from "../routes/JsonRequestHttp.ts"
import { encodeHeaders, encodeResult } from "../routes/RouteResultHttp.ts"
import { streamedAnswer } from "../routes/StreamedAnswerHttp.ts"
import { makeCountTokens } from "./CountTokens.ts"
import { Llm, type LlmStream } from "./Llm.ts"
import { llmGroup, messagesGroup } from "./LlmApi.ts"
import { readLlmRequest } from "./LlmRequest.ts"
import { LlmSettings } from "./LlmSettings.ts"
import type { Json, LlmApi } from "./translate/Translation.ts"

/** The Responses API refers to responses and items that are kept, and a fiber looks them up. */
export type RelayedApi = Exclude<LlmApi, "responses">

/** The relay of an API's endpoint. `headerPrefix`: what the product's own headers begin with. */
export type RelayOf = (api: RelayedApi, endpoint: HttpApiEndpoint.Top, headerPrefix: string) => Relay

/** The relays of the routes of language models. Null where there are none: then every request has a fiber. */
export const LlmRelays = Context.Reference<RelayOf | null>("@trunkline/core/gateway/llm/LlmRelays", {
  defaultValue: () => null
})

type HeaderPrefix = Pick<Brand, "headerPrefix">

const requestOf = Effect.fnUntraced(function* (route: LlmApi, payload: Json) {
  const { body, bytes, headers, idempotencyKey } = yield* readJsonRequest(payload)
  return { request: readLlmRequest({ api: route, body, bytes, headers }), idempotencyKey }
})

/** Makes handlers that answer the requests of an API. */
const answering = ({ headerPrefix }: HeaderPrefix) =>
  Effect.gen(function* () {
    const llm = yield* Llm
    const { pingMs } = yield* LlmSettings
    const relayOf = yield* LlmRelays
    const answer = (api: LlmApi, payload: Json) =>
      answerInference(
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const outcome = yield* llm.run(caller, yield* requestOf(api, payload))
          return outcome._tag === "Whole"
            ? encodeResult(outcome.result, headerPrefix)
            : yield* streamed(outcome, { headerPrefix, pingMs })
        })
      )
    const relayed = (api: RelayedApi, endpoint: HttpApiEndpoint.Top) => {
      const handle = ({ payload }: { readonly payload: Json }) => answer(api, payload)
      return relayOf === null ? handle : RouteHandlers.withRelay(handle, relayOf(api, endpoint, headerPrefix))
    }
    return { answer, relayed }
  })

/** Counts the tokens of a request of one of the APIs. */
const counting = ({ headerPrefix }: HeaderPrefix) =>
  Effect.map(
    makeCountTokens,
    (counter) => (api: "messages" | "responses", payload: Json) =>
      answerInference(
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const { idempotencyKey, request } = yield* requestOf(api, payload)
          return encodeResult(
            yield* counter.run(caller, { idempotencyKey, request: { ...request, api } }),
            headerPrefix
          )
        })
      )
  )

const llmHandlers = (brand: HeaderPrefix) =>
  RouteHandlers.group(
    contract.add(llmGroup),
    "llm",
    Effect.fnUntraced(function* (handlers) {
      const { answer, relayed } = yield* answering(brand)
      const count = yield* counting(brand)
      return handlers.handleAll({
        chat: relayed("chat_completions", llmGroup.endpoints.chat),
        responses: ({ payload }) => answer("responses", payload),
        inputTokens: ({ payload }) => count("responses", payload)
      })
    })
  )

const messagesHandlers = (brand: HeaderPrefix) =>
  RouteHandlers.group(
    contract.add(messagesGroup),
    "messages",
    Effect.fnUntraced(function* (handlers) {
      const { relayed } = yield* answering(brand)
      const count = yield* counting(brand)
      return handlers.handleAll({
        create: relayed("messages", messagesGroup.endpoints.create),
        countTokens: ({ payload }) => count("messages", payload)
      })
    })
  )

export const layer = (brand: HeaderPrefix) => Layer.merge(llmHandlers(brand), messagesHandlers(brand))

const utf8 = new TextEncoder()

const streamed = Effect.fnUntraced(function* (
  { abandon, attempts, outlet }: LlmStream,
  { headerPrefix, pingMs }: { readonly headerPrefix: string; readonly pingMs: number }
) {
  const contentType = "text/event-stream"
  const headers = attempts > 1 ? { [attemptsHeader]: String(attempts) } : {}
  yield* Effect.forkScoped(Effect.interruptible(outlet.ping(pingMs)))
  return yield* streamedAnswer({
    contentType,
    headers: encodeHeaders({ contentType, headers }, headerPrefix),
    next: Effect.map(Queue.takeAll(outlet.queue), (texts) => utf8.encode(texts.join(""))),
    abandon
  })
})
