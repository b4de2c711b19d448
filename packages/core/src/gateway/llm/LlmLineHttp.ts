/** Requests of language models that stand in no HTTP request, but in a line of a batch: read as the routes read theirs. */
import * as Result from "effect/Result"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import { bodyReaderOf } from "../errors/InferenceFaults.ts"
import { unwritableRefusal } from "../routes/JsonRequest.ts"
import { ChatRequest, ResponsesRequest } from "./LlmApi.ts"
import { type LlmRequest, readLlmRequest } from "./LlmRequest.ts"
import type { Json, LlmApi } from "./translate/Translation.ts"

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
): Result.Result<LlmRequest, InferenceRefused> => {
  const refused = unwritableRefusal(body)
  return refused === null
    ? Result.map(readers[api](body), (decoded) => readLlmRequest({ api, body: decoded, bytes, headers: {} }))
    : Result.fail(refused)
}
