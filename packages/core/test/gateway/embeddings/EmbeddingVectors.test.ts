/** Vectors as they are answered: docs/reference/embeddings.md#answer. Verifies: EMBD-1, EMBD-2. */

import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeVector, fitted } from "../../../src/gateway/embeddings/EmbeddingVectors.ts"
import { numbersOf } from "../../../src/gateway/upstreams/index.ts"

const fit = (vectors: ReadonlyArray<ReadonlyArray<number>>, dimensions: number | null, inputs = vectors.length) =>
  fitted(vectors, { dimensions, inputs })

const length = (vector: ArrayLike<number>) => Math.hypot(...Array.from(vector))

describe("vectors", () => {
  it("stay as they are where no size was asked for, or the one that they have", () => {
    for (const dimensions of [null, 2]) expect(Result.getOrThrow(fit([[3, 4]], dimensions))).toEqual([[3, 4]])
  })

  it("that are cut have the size that was asked for, and the length 1", () => {
    const component = fc.integer({ min: -1e9, max: 1e9 }).map((one) => one / 1e6)
    fc.assert(
      fc.property(fc.array(component, { minLength: 2, maxLength: 40 }), fc.nat(), (vector, nth) => {
        const dimensions = 1 + (nth % (vector.length - 1))
        const [cut] = Result.getOrThrow(fit([vector], dimensions))
        expect(cut).toHaveLength(dimensions)
        const isZero = length(vector.slice(0, dimensions)) === 0
        expect(length(numbersOf(cut!))).toBeCloseTo(isZero ? 0 : 1, 9)
      })
    )
  })

  it("of another number than the inputs, or shorter than asked, are no answer", () => {
    expect(Result.isFailure(fit([[1]], null, 2))).toBe(true)
    expect(Result.isFailure(fit([[1], [1]], null, 1))).toBe(true)
    expect(
      Result.isFailure(
        fit(
          [
            [1, 0, 0],
            [1, 0]
          ],
          3
        )
      )
    ).toBe(true)
  })

  it("that were not decoded are cut, and become numbers, as all others", () => {
    const written = { length: 3, base64: Buffer.from("never read"), decode: () => [3, 4, 12] }
    expect(Result.getOrThrow(fitted([written], { dimensions: 3, inputs: 1 }))).toEqual([written])
    expect(Result.getOrThrow(fitted([written], { dimensions: 2, inputs: 1 }))).toEqual([[0.6, 0.8]])
    expect(Result.isFailure(fitted([written], { dimensions: 4, inputs: 1 }))).toBe(true)
    expect(Result.isFailure(fitted([written, written], { dimensions: null, inputs: 1 }))).toBe(true)
    expect(encodeVector(written, "float")).toEqual([3, 4, 12])
  })

  it("in Base64 are the bytes of 32-bit floats, the lowest byte first", () => {
    expect(encodeVector([1, -2], "base64")).toBe(Buffer.from([0, 0, 128, 63, 0, 0, 0, 192]).toString("base64"))
    expect(encodeVector(new Float32Array([0.1]), "float")).toEqual([Math.fround(0.1)])
    expect(encodeVector([0.1], "float")).toEqual([0.1])
  })
})
