/** Vectors that are passed on as they were written: docs/reference/upstreams.md#embeddings. Verifies: OPAI-13. */

import { type EmbedAnswer, numbersOf } from "@trunkline/core/provider"
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { plainJsonIn } from "../../src/http/index.ts"
import { EmbedAnswerReader, embedAnswerOf } from "../../src/openai/OpenAiEmbeddings.ts"
import { VectorExtractor } from "../../src/openai/VectorText.ts"

const base64Of = (numbers: ReadonlyArray<number>): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString("base64")

/** An answer with its vectors as numbers. */
const decoded = (answer: EmbedAnswer | undefined) =>
  answer && { ...answer, vectors: answer.vectors.map((vector) => [vector.length, Array.from(numbersOf(vector))]) }

/** An answer that is read while it comes. */
const embedAnswerIn = (chunks: ReadonlyArray<Uint8Array>): EmbedAnswer | undefined => {
  const reader = new EmbedAnswerReader()
  for (const chunk of chunks) reader.write(chunk)
  return reader.end(chunks)
}

/** An answer that is parsed as a whole. */
const parsed = (bytes: Uint8Array) => decoded(embedAnswerOf(plainJsonIn([bytes])))

const isWritten = (vector: object): boolean => "base64" in vector

/** In pieces that begin at these places. */
const cut = (bytes: Buffer, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((end, nth) => bytes.subarray(at[nth], end))
}

const places = fc.array(fc.noBias(fc.nat(100_000)), { maxLength: 12 })

/** Long enough to be taken out: 24 numbers are 128 signs. */
const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 24, maxLength: 60 })
const short = fc.array(fc.float(), { maxLength: 23 })

const embedding = fc.oneof(
  { weight: 12, arbitrary: numbers.map(base64Of) },
  { weight: 1, arbitrary: short.map(base64Of) },
  { weight: 1, arbitrary: numbers },
  { weight: 1, arbitrary: fc.constantFrom("#0", "#1", "#", "\\", "-".repeat(128), "A".repeat(129), null, {}, []) },
  { weight: 1, arbitrary: numbers.map((each) => base64Of([...each, Number.NaN])) },
  { weight: 1, arbitrary: unicodeText({ minLength: 120, maxLength: 300 }) }
)

/** Fields in any order, some of them missing, some of them twice. */
const fields = (...each: ReadonlyArray<readonly [string, fc.Arbitrary<string>]>) =>
  fc
    .tuple(
      ...each.map(([field, value]) => fc.tuple(fc.constant(field), fc.array(value, { minLength: 1, maxLength: 2 })))
    )
    .chain((all) =>
      fc.shuffledSubarray(all.flatMap(([field, values]) => values.map((value) => [field, value] as const)))
    )
    .map((all) => `{ ${all.map(([field, value]) => `"${field}" :${value}`).join(",\n")}}`)

const json = (value: fc.Arbitrary<unknown>) => value.map((one) => JSON.stringify(one))

const index = fc.oneof(fc.nat(3), fc.constantFrom("0", null, -1, 0.5))
const element = fields(["embedding", json(embedding)], ["index", json(index)], ["object", json(fc.string())])
const wild = fields(
  ["data", fc.array(element, { maxLength: 3 }).map((all) => `[${all.join(",")}]`)],
  ["model", json(fc.oneof(fc.string(), numbers.map(base64Of)))],
  ["mod\\u0065l", json(fc.string({ unit: "grapheme" }))],
  ["usage", fc.oneof(fc.constant('{"prompt_tokens":7}'), json(fc.jsonValue()))],
  ["more", json(fc.jsonValue())]
)

/** Vectors in any order, some with two places or none. */
const tidy = fc
  .record({
    data: fc.array(fc.record({ embedding, object: fc.string(), model: fc.string() }), { minLength: 1, maxLength: 4 }),
    model: fc.string({ unit: "grapheme" }),
    usage: fc.record({ prompt_tokens: fc.integer(), more: fc.jsonValue() }, { requiredKeys: [] }),
    order: fc.constantFrom("as they are", "reversed", "without an index", "all the same"),
    blanks: fc.nat(2)
  })
  .map(({ blanks, data, order, ...rest }) => {
    const placed = data.map((one, nth) =>
      order === "without an index" ? one : { ...one, index: order === "all the same" ? 0 : nth }
    )
    return JSON.stringify({ data: order === "reversed" ? placed.toReversed() : placed, ...rest }, null, blanks)
  })

const written = fc.oneof({ weight: 3, arbitrary: tidy }, wild).map((text) => Buffer.from(text))

/** One change of the bytes. */
const change = fc.record({
  at: fc.noBias(fc.nat(100_000)),
  removed: fc.nat(2),
  put: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("A", "/", "-", "*", "=", "#", "\\u0041", "é", "\u0001") },
    fc.constantFrom('"', '\\"', '"#0"', "{", "]", "", "data", "embedding")
  )
})

describe("an answer whose vectors are taken out of it", () => {
  it("says the same as the answer that is parsed as a whole, wherever its chunks begin", () => {
    fc.assert(
      fc.property(written, places, (bytes, at) => {
        expect(decoded(embedAnswerIn(cut(bytes, at)))).toEqual(parsed(bytes))
      }),
      { numRuns: 1000 }
    )
  })

  it("says the same also where it is no JSON, or other JSON than it was", () => {
    fc.assert(
      fc.property(written, places, fc.array(change, { minLength: 1, maxLength: 3 }), (bytes, at, changes) => {
        const changed = changes.reduce(
          (now, { at, put, removed }) =>
            Buffer.concat([
              now.subarray(0, at % now.length),
              Buffer.from(put),
              now.subarray((at % now.length) + removed)
            ]),
          bytes
        )
        expect(decoded(embedAnswerIn(cut(changed, at)))).toEqual(parsed(changed))
      }),
      { numRuns: 2000 }
    )
  })

  it("has the texts of its vectors, sign by sign, in the order of their inputs, whatever stands around them", () => {
    const each = fc.array(numbers, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(each, places, fc.integer({ min: 0, max: 2 }), (vectors, at, blanks) => {
        const data = vectors.map((vector, index) => ({ index, embedding: base64Of(vector), object: "embedding" }))
        const bytes = Buffer.from(JSON.stringify({ id: "x", data: data.toReversed(), model: "there" }, null, blanks))
        const answer = embedAnswerIn(cut(bytes, at))
        const texts = answer?.vectors.map(
          (vector) => isWritten(vector) && Buffer.from((vector as { base64: Uint8Array }).base64).toString()
        )
        expect(texts).toEqual(data.map(({ embedding }) => embedding))
      })
    )
  })
})

describe("the place of a vector", () => {
  const vector = base64Of(Array.from({ length: 30 }, (_, nth) => nth / 7))
  const left = (text: string) => {
    const extractor = new VectorExtractor()
    extractor.write(Buffer.from(text))
    return extractor.end()
  }

  it("is a short text, which leads to the vector", () => {
    const found = left(`{"data":[{"embedding":"${vector}"}]}`)!
    expect(Buffer.from(found.rest).toString()).toBe('{"data":[{"embedding":"#0"}]}')
    expect(Buffer.from(found.vectorOf("#0")!.base64).toString()).toBe(vector)
    expect(found.vectorOf("#1")).toBeUndefined()
    expect(found.vectorOf("0")).toBeUndefined()
  })

  it.each([
    ["#0", `{"data":[{"embedding":"${vector}"},{"embedding":"#0"}]}`],
    ["#0 with its sign escaped", `{"data":[{"embedding":"${vector}"},{"embedding":"\\u00230"}]}`]
  ])("cannot be written by an upstream: %s", (_, text) => {
    expect(left(text)).toBeNull()
    expect(embedAnswerIn([Buffer.from(text)])).toBeUndefined()
  })

  it.each([
    ["a number that is none", base64Of([...Array(30).fill(0.5), Number.NaN])],
    ["an infinite number", base64Of([...Array(30).fill(0.5), Number.NEGATIVE_INFINITY])],
    ["half a number", Buffer.alloc(126, 1).toString("base64")],
    ["a sign too many", `${vector}A`],
    ["a sign that is none", vector.replace(vector[5]!, "*")],
    ["an escaped sign", `${vector.slice(0, -6)}\\u0041`],
    ["signs of the other alphabet", `-_${vector.slice(2)}`],
    ["an end in the middle", `AAA=${vector.slice(4)}`],
    ["fewer than 128 signs", base64Of([1, 2, 3])]
  ])("is not that of a text with %s, which is left to be read by itself", (_, text) => {
    const json = `{"data":[{"embedding":"${text}"}]}`
    expect(Buffer.from(left(json)!.rest).toString()).toBe(json)
  })
})
