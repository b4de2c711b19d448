/** JSON whose integers keep all of their digits. Verifies: H-759. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isObject, needsExactJson, parseExactJson, sortedJson } from "../../../src/platform/kernel/index.ts"

const utf8 = new TextEncoder()

describe("JSON that is passed on", () => {
  it.each([
    "9007199254740993",
    "-12345678901234567890",
    '{"a":[1,{"b":1234567890123456789012345678901234567890}],"c":"1234567890123456789"}',
    "[9007199254740991,1000000000000000,1]"
  ])("keeps every digit of %s", (text) => {
    expect(JSON.stringify(parseExactJson(text))).toBe(text)
    expect(JSON.stringify(parseExactJson(utf8.encode(text)))).toBe(text)
  })

  it("reads everything else as numbers", () => {
    const text = "[9007199254740991,1234567890.12345678901234567890,1e21,123456789012345678901234567890e-20]"
    expect(parseExactJson(text)).toEqual(JSON.parse(text))
    expect(() => parseExactJson("[9007199254740993")).toThrow(SyntaxError)
  })

  it("holds such a number as a value that is no object, also where keys are sorted", () => {
    const value = parseExactJson('{"b":9007199254740993,"a":{"rawJSON":"1"}}')
    const { a, b } = value as { readonly a: unknown; readonly b: unknown }
    expect([typeof b === "number", isObject(b), isObject(a)]).toEqual([false, false, true])
    expect(JSON.stringify(sortedJson(value))).toBe('{"a":{"rawJSON":"1"},"b":9007199254740993}')
  })

  it("finds every integer of 16 digits and more, wherever it stands, and none in fractions", () => {
    const text = fc.array(
      fc.oneof(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.double({ noNaN: true }), fc.string()),
      { maxLength: 6 }
    )
    fc.assert(
      fc.property(text, fc.nat({ max: 40 }), (values, spaces) => {
        const written = values.map((value) => (typeof value === "bigint" ? String(value) : JSON.stringify(value)))
        const list = `[${written.join(",")}]`
        const json = " ".repeat(spaces) + list
        expect(JSON.stringify(parseExactJson(json))).toBe(list)
        expect(needsExactJson(utf8.encode(json))).toBe(needsExactJson(json))
      })
    )
    expect(needsExactJson("[0.12345678901234567890, 0.5]")).toBe(false)
  })
})
