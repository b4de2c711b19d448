/** The answer as it is written: docs/reference/embeddings.md#answer. Verifies: EMBD-1, EMBD-2. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { embeddingAnswer } from "../../../src/gateway/embeddings/EmbeddingAnswer.ts"

const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 40 })

const base64Of = (vector: ReadonlyArray<number>) => Buffer.from(Float32Array.from(vector).buffer)

const written = (vector: ReadonlyArray<number>) => ({
  length: vector.length,
  base64: Buffer.from(base64Of(vector).toString("base64")),
  decode: () => vector
})

/** Names that look like parts of the answer. */
const name = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom('"embedding":""', '","embedding":"', "ß\\", '"'))

describe("an answer", () => {
  it("is the same byte for byte whether its vectors were written by the upstream or are written here", () => {
    fc.assert(
      fc.property(name, fc.array(numbers, { minLength: 1, maxLength: 5 }), fc.nat(), (model, vectors, tokens) => {
        const asked = { model, format: "base64" } as const
        const passed = embeddingAnswer(asked, vectors.map(written), tokens)
        expect(passed).toBeInstanceOf(Uint8Array)
        expect(Buffer.from(passed as Uint8Array).toString()).toBe(embeddingAnswer(asked, vectors, tokens))
      })
    )
  })

  it("is a text where numbers were asked for, or a vector was not written as it was asked for", () => {
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const both = [written(one), other]
        expect(embeddingAnswer({ model: "m", format: "base64" }, both, 1)).toBe(
          embeddingAnswer({ model: "m", format: "base64" }, [one, other], 1)
        )
        expect(embeddingAnswer({ model: "m", format: "float" }, [written(one)], 1)).toBe(
          embeddingAnswer({ model: "m", format: "float" }, [one], 1)
        )
      })
    )
  })

  it("has its fields in this order", () => {
    expect(embeddingAnswer({ model: "m", format: "float" }, [[0.5]], 7)).toBe(
      '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5]}],"model":"m","usage":{"prompt_tokens":7,"total_tokens":7}}'
    )
  })
})
