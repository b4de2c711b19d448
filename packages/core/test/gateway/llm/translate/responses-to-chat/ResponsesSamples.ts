/** A request, its context and readers of results, for the tests of the Responses API's translation. */
import * as Result from "effect/Result"
import { expect } from "vitest"
import { responsesToChat } from "../../../../../src/gateway/llm/translate/responses-to-chat/ResponsesToChat.ts"
import type {
  AnswerContext,
  Json,
  LlmEvent,
  RequestContext
} from "../../../../../src/gateway/llm/translate/Translation.ts"

const requestContext: RequestContext = { model: "house-model", upstreamModel: "llama-3.3-70b", maxOutputTokens: 4096 }

/** Ids that count for each prefix, so that they do not depend on the order of different kinds. */
export const countingIds = () => {
  const counts = new Map<string, number>()
  return (prefix: string) => {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}_${count}`
  }
}

export const answerContext = (request: Json = { model: "house-model", input: "Hello" }): AnswerContext => ({
  request,
  model: "house-model",
  id: "resp_1",
  freshId: countingIds(),
  createdAt: 1_790_000_000,
  inputEstimate: 7
})

/** The translated request without what every request has. */
export const translated = (fields: Json, context: Partial<RequestContext> = {}): Json => {
  const request = { model: "house-model", input: "Hello", ...fields }
  const { model: _, ...chat } = Result.getOrThrow(responsesToChat.request(request, { ...requestContext, ...context }))
  if (fields.input !== undefined || fields.instructions !== undefined) return chat
  const { messages, ...rest } = chat
  expect(messages).toEqual([{ role: "user", content: "Hello" }])
  return rest
}

/** What refuses the request. */
export const refusal = (fields: Json): { readonly param: string; readonly message: string } => {
  const result = responsesToChat.request({ model: "house-model", input: "Hello", ...fields }, requestContext)
  if (Result.isSuccess(result)) throw new Error(`taken as ${JSON.stringify(result.success)}`)
  const { message, param } = result.failure
  expect(message).toMatch(/^[A-Z].*\.$/)
  return { param, message }
}

export const messagesOf = (input: unknown): unknown => translated({ input }).messages

/** A chat's answer with one choice. */
export const chatAnswer = (message: Json, finish_reason: unknown = "stop", usage: unknown = undefined): Json => ({
  id: "chatcmpl-upstream",
  object: "chat.completion",
  created: 1,
  model: "llama-3.3-70b",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason, logprobs: null }],
  usage
})

export const answered = (answer: Json, request?: Json): Json =>
  Result.getOrThrow(responsesToChat.answer(answer, answerContext(request)))

export const chunk = (delta: Json, finish_reason: unknown = null): Json => ({
  id: "chatcmpl-upstream",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason }]
})

/** All events of a stream that ends well. */
export const streamed = (chunks: ReadonlyArray<Json>, request?: Json): ReadonlyArray<LlmEvent> => {
  const translator = responsesToChat.events(answerContext(request))
  const pushed = chunks.flatMap((data) => Result.getOrThrow(translator.push({ event: null, data })))
  return [...pushed, ...Result.getOrThrow(translator.end())]
}

export const typesOf = (events: ReadonlyArray<LlmEvent>): ReadonlyArray<string | null> =>
  events.map(({ event }) => event)

/** The response of the last event. */
export const lastResponse = (events: ReadonlyArray<LlmEvent>): Json => events.at(-1)!.data.response as Json
