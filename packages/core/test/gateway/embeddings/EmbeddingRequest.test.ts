/** How a request for embeddings is read: docs/reference/embeddings.md#fields. Verifies: EMBD-3. */
import { describe, expect, it } from "vitest"
import { isEmbeddingInput, readEmbeddingRequest } from "../../../src/gateway/embeddings/EmbeddingRequest.ts"

const read = (input: unknown) => readEmbeddingRequest({ body: { model: "m", input }, bytes: 0 })

describe("an input", () => {
  it.each<readonly [input: unknown, inputs: number, maxTokens: number, estimatedTokens: number]>([
    ["a", 1, 17, 1],
    ["अ", 1, 19, 1],
    ["five!", 1, 21, 2],
    [["five!", "two"], 2, 40, 2],
    [[7], 1, 17, 1],
    [[7, 8, 9], 1, 19, 3],
    [[[7, 8, 9], [1]], 2, 36, 4]
  ])(
    "%j is counted, with the most tokens that it can be and their estimate",
    (input, inputs, maxTokens, estimatedTokens) => {
      expect(isEmbeddingInput(input)).toBe(true)
      expect(read(input)).toMatchObject({ inputs, maxTokens, estimatedTokens })
    }
  )

  it("is never estimated at more than is reserved for it", () => {
    for (const input of ["", "a", "abc", ["a", "b", "c"], [[1], [2, 3]], [1]]) {
      const { estimatedTokens, maxTokens } = read(input)
      expect(estimatedTokens).toBeLessThan(maxTokens)
    }
  })

  it("of a million token numbers is checked at once", () => {
    expect(isEmbeddingInput(Array.from({ length: 1_000_000 }, (_, nth) => nth))).toBe(true)
  })

  it("counts numbers that no token can be as none", () => {
    for (const one of [-1, 0.5, Number.MAX_VALUE, Number.NaN, "1", null, [], {}])
      expect(isEmbeddingInput([one, 1])).toBe(false)
  })
})

describe("a request without dimensions and form", () => {
  it("leaves the size to the model, and wants numbers", () => {
    expect(read("a")).toMatchObject({ dimensions: null, format: "float", model: "m" })
  })
})
