/** Requests of language models that stand in no HTTP request, but in a line of a batch: read as the routes read theirs. */
import * as Result from "effect/Result"
import { bodyReaderOf, type InferenceRefused, refuse } from "../inference/index.ts"
import { isWritableJson } from "../kernel/index.ts"
import { ChatRequest, ResponsesRequest } from "./LlmApi.ts"
import { type LlmRequest, readLlmRequest } from "./LlmRequest.ts"
import type { Json, LlmApi } from "./Translation.ts"

type Reader = (body: unknown) => Result.Result<Json, InferenceRefused>

const readers: Readonly<Record<Exclude<LlmApi, "messages">, Reader>> = {
  chat_completions: bodyReaderOf(ChatRequest),
  responses: bodyReaderOf(ResponsesRequest)
}

/** `bytes`: of the body as it was written. */
export const readLlmLine = (
  api: keyof typeof readers,
  body: unknown,
  bytes: number
): Result.Result<LlmRequest, InferenceRefused> =>
  isWritableJson(body)
    ? Result.map(readers[api](body), (decoded) => readLlmRequest({ api, body: decoded, bytes, headers: {} }))
    : Result.fail(tooDeep)

const tooDeep = refuse("invalid_request", {
  message: "The body is nested too deeply, or has a number that is out of range."
})
