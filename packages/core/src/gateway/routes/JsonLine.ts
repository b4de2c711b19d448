/** Requests that stand in no HTTP request, but in a line of a batch: read as their routes read them. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import { bodyReaderOf } from "../errors/InferenceFaults.ts"
import type { Json } from "../upstreams/GenerateWork.ts"
import { type JsonRequest, unwritableRefusal, withoutNullFields } from "./JsonRequest.ts"

/** `bytes`: of the body as it was written. */
export const lineReaderOf = <Body extends Json, I>(schema: Schema.Codec<Body, I>) => {
  const read = bodyReaderOf(schema)
  return (body: unknown, bytes: number): Result.Result<JsonRequest, InferenceRefused> => {
    const refused = unwritableRefusal(body)
    return refused === null
      ? Result.map(read(body), (decoded) => ({ body: withoutNullFields(decoded), bytes }))
      : Result.fail(refused)
  }
}
