/** A request for embeddings that stands in no HTTP request, but in a line of a batch: read as the route reads its own. */
import * as Result from "effect/Result"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import { bodyReaderOf } from "../errors/InferenceFaults.ts"
import { type JsonRequest, unwritableRefusal, withoutNullFields } from "../routes/JsonRequest.ts"
import { EmbeddingsRequest } from "./EmbeddingsApi.ts"

const read = bodyReaderOf(EmbeddingsRequest)

/** `bytes`: of the body as it was written. */
export const readEmbeddingLine = (body: unknown, bytes: number): Result.Result<JsonRequest, InferenceRefused> => {
  const refused = unwritableRefusal(body)
  return refused === null
    ? Result.map(read(body), (decoded) => ({ body: withoutNullFields(decoded), bytes }))
    : Result.fail(refused)
}
