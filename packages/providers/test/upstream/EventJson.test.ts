/** The JSON of a stream's events. */

import { exactForeignJson } from "@trunkline/core/provider"
import { unicodeText } from "@trunkline/testing/unicode-text"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { EventJson } from "../../src/upstream/EventJson.ts"

const written = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value))

/** Each text is read as by itself, with its fields in the same order. */
const readsAs = (texts: ReadonlyArray<string>) => {
  const json = new EventJson()
  for (const text of texts) {
    const [read, plain] = [json.read(text), exactForeignJson(text)]
    assert.deepEqual(read, plain)
    assert.strictEqual(written(read), written(plain))
  }
}

const chunk = (content: unknown, around: object = {}): string =>
  JSON.stringify({ id: "a", choices: [{ index: 0, delta: { content }, finish_reason: null }], ...around })

/** Fields of an object, of which some have the names that are looked for, or are there twice. */
const fields = fc
  .array(
    fc.tuple(
      fc.constantFrom("id", "7", "__proto__", "content", "delta", "choices", 'a"content'),
      fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('"content":"', { content: "a" }, [{ delta: {} }]))
    ),
    { maxLength: 3 }
  )
  .map((all) => all.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`).join(""))
const around = fc.tuple(fields, fields, fields, fields).map(
  ([first, inChoice, inDelta, last]) =>
    (content: string, end: string) =>
      `{${first}"choices":[{${inChoice}"delta":{${inDelta}"content":"${content}"}}],${last}"z":0}${end}`
)

/** Texts as they are written in JSON, and some that are none. */
const text = fc.oneof(
  fc.string().map((one) => JSON.stringify(one).slice(1, -1)),
  unicodeText({ maxLength: 5 }),
  fc.constantFrom("", "a", '","content":"', '"}}],"choices":[{"delta":{"content":"a', "\\u0041", "\u2028", "\\")
)
const stream = fc
  .tuple(around, fc.array(fc.tuple(text, fc.constantFrom("", "", "", "}")), { minLength: 2, maxLength: 6 }))
  .map(([write, texts]) => texts.map(([content, end]) => write(content, end)))

// Verifies: H-183.
describe("the JSON of events", () => {
  it("is read as each of them by itself says it, whatever came before", () => {
    fc.assert(
      fc.property(fc.array(stream, { maxLength: 3 }), (streams) => readsAs(streams.flat())),
      { numRuns: 500 }
    )
  })

  it("is that of the event also where only the text differs, is longer than what surrounds it, or is escaped", () => {
    readsAs(["The ", "room ", "", "has \u00e4\u{1F600}", 'a "view"', "\n", "\u007f", "."].map((one) => chunk(one)))
    readsAs(['"content":"', "}", '"}}]}'].map((one) => chunk(one)))
    readsAs([chunk("a"), chunk("a").slice(1), chunk("a").slice(0, -1), `${chunk("a")}x`, chunk(null), chunk("b")])
    readsAs([chunk("a"), chunk("b"), chunk("").replace('""', '"')])
  })

  it("is that of whole events where another field has the same name, or stands between two with other texts", () => {
    const named = (content: string) => chunk("a", { other: { content } })
    readsAs([named("a"), named("b"), named("c")])
    const before = (content: string) => `{"other":{"content":"${content}"},${chunk("a").slice(1)}`
    readsAs([before("a"), before("b"), before("a")])
    readsAs([chunk("a"), chunk("b", { id: "other" }), chunk("c", { id: "other" }), chunk("d")])
  })

  it("has all digits of its integers", () => {
    const counted = (content: string) => chunk(content).replace('"index":0', '"index":9007199254740993')
    readsAs([counted("a"), counted("b"), counted("9007199254740993")])
  })

  it("is no object that a reader of the event before has", () => {
    const json = new EventJson()
    json.read(chunk("a"))
    const [second, third] = [json.read(chunk("b")), json.read(chunk("c"))]
    assert.notStrictEqual(second, third)
    assert.strictEqual(written(second), chunk("b"))
  })
})
