/** Requests of language models that stand in a line of a batch. */
import * as Result from "effect/Result"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import { lineReaderOf } from "../routes/JsonLine.ts"
import { ChatRequest, ResponsesRequest } from "./LlmApi.ts"
import { type LlmRequest, readLlmRequest } from "./LlmRequest.ts"
import type { LlmApi } from "./translate/Translation.ts"

const readers = {
  chat_completions: lineReaderOf(ChatRequest),
  responses: lineReaderOf(ResponsesRequest)
} satisfies Partial<Record<LlmApi, unknown>>

/** `bytes`: of the body as it was written. */
export const readLlmLine = (
  api: keyof typeof readers,
  body: unknown,
  bytes: number
): Result.Result<LlmRequest, InferenceRefused> =>
  Result.map(readers[api](body, bytes), (json) => readLlmRequest({ ...json, api, headers: {} }))
