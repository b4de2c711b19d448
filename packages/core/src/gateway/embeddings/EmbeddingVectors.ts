/** The vectors of an answer: as many and as long as they were asked for, in the form that was asked for. Pure. Source: docs/reference/embeddings.md#answer. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { numbersOf, type Vector } from "../upstreams/EmbeddingWork.ts"
import type { EmbeddingRequest, EncodingFormat } from "./EmbeddingRequest.ts"

/** Vectors of the size that was asked for; a failure says what of the answer is wrong. */
export const fitted = (
  vectors: ReadonlyArray<Vector>,
  { dimensions, inputs }: Pick<EmbeddingRequest, "dimensions" | "inputs">
): Result.Result<ReadonlyArray<Vector>, string> => {
  if (vectors.length !== inputs) return Result.fail(`answered ${vectors.length} vectors for ${inputs} inputs`)
  if (dimensions === null || vectors.every(({ length }) => length === dimensions)) return Result.succeed(vectors)
  const short = vectors.find(({ length }) => length < dimensions)
  return short === undefined
    ? Result.succeed(vectors.map((vector) => (vector.length === dimensions ? vector : shortened(vector, dimensions))))
    : Result.fail(`answered ${short.length} dimensions for ${dimensions}`)
}

/** The first dimensions of a vector, at length 1. */
const shortened = (vector: Vector, dimensions: number): Vector => {
  const kept = Array.from(numbersOf(vector)).slice(0, dimensions)
  const length = Math.sqrt(kept.reduce((sum, one) => sum + one * one, 0))
  return length === 0 ? kept : kept.map((one) => one / length)
}

/** As the answer has it: numbers, or the bytes of 32-bit floats, little-endian. */
export const encodeVector = (vector: Vector, format: EncodingFormat): ReadonlyArray<number> | string => {
  const numbers = numbersOf(vector)
  if (format === "float") return Array.from(numbers)
  const bytes = new Uint8Array(4 * numbers.length)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < numbers.length; at++) view.setFloat32(4 * at, numbers[at] ?? 0, true)
  return Base64.encode(bytes)
}
