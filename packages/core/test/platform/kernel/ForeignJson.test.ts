/** JSON of others: what is counted before it is parsed. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  exactForeignJson,
  foreignJson,
  isWritableJson,
  jsonExcess,
  maxJsonDepth,
  maxJsonElements
} from "../../../src/platform/kernel/index.ts"

const utf8 = new TextEncoder()
const nested = (levels: number, inner = "") => `${"[".repeat(levels)}${inner}${"]".repeat(levels)}`
const excess = (text: string) => jsonExcess(utf8.encode(text))

/** Counted from the value itself. */
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
const sizeOf = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0
  const inner = Object.values(value)
  return 1 + Math.max(0, inner.length - 1) + inner.reduce<number>((sum, one) => sum + sizeOf(one), 0)
}

describe("JSON that somebody else wrote", () => {
  it("may be nested 200 levels deep, in lists and objects alike, and no deeper", () => {
    expect(excess(nested(maxJsonDepth))).toBe(null)
    expect(excess(nested(maxJsonDepth + 1))).toBe("json_too_deep")
    const pairs = (levels: number) => `${'{"a":['.repeat(levels)}${"]}".repeat(levels)}`
    expect(excess(pairs(maxJsonDepth / 2))).toBe(null)
    expect(excess(pairs(maxJsonDepth / 2 + 1))).toBe("json_too_deep")
  })

  it("may have 200,000 elements and no more", () => {
    const list = (elements: number) => `[${"0,".repeat(elements - 1)}0]`
    expect(excess(list(maxJsonElements))).toBe(null)
    expect(excess(list(maxJsonElements + 1))).toBe("json_too_large")
    expect(excess(`[${"{},".repeat(maxJsonElements / 2)}{}]`)).toBe("json_too_large")
  })

  it("is not counted inside of strings, whatever is escaped there", () => {
    const inside = "[{,".repeat(maxJsonElements)
    for (const text of [inside, `\\"${inside}`, `${inside}\\\\`, '\\\\\\"'.repeat(1000)]) {
      expect(excess(JSON.stringify([text]))).toBe(null)
    }
    expect(excess(`["\\\\",${nested(maxJsonDepth + 1)}]`)).toBe("json_too_deep")
  })

  it("is counted as its value has it, whatever the value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat({ max: 4 }), (value, indent) => {
        const bytes = utf8.encode(`${JSON.stringify(value, null, indent)}${" ".repeat(maxJsonDepth)}`)
        const size = sizeOf(value)
        expect(jsonExcess(bytes, size)).toBe(null)
        if (size > 0) expect(jsonExcess(bytes, size - 1)).toBe("json_too_large")
        expect(depthOf(value)).toBeLessThan(maxJsonDepth)
      })
    )
  })

  it("is undefined where a bound is exceeded and where it is none", () => {
    for (const read of [foreignJson, exactForeignJson]) {
      for (const text of ["", "{", "[1", nested(maxJsonDepth + 1), nested(maxJsonDepth + 1, "9007199254740993")]) {
        expect(read(text)).toBe(undefined)
        expect(read(utf8.encode(text))).toBe(undefined)
      }
      expect(read('{"a":[1]}')).toEqual({ a: [1] })
      expect(read(utf8.encode(nested(maxJsonDepth)))).toEqual(JSON.parse(nested(maxJsonDepth)))
    }
    expect(JSON.stringify(exactForeignJson("[9007199254740993]"))).toBe("[9007199254740993]")
  })

  it("is refused without a look beyond the bound, so that twice as much takes no longer", () => {
    const bytes = utf8.encode("[".repeat(16 * 1024 * 1024))
    const took = (length: number) => {
      const began = performance.now()
      for (let times = 0; times < 100; times++) jsonExcess(bytes.subarray(0, length))
      return performance.now() - began
    }
    took(bytes.length)
    expect(took(bytes.length)).toBeLessThan(20 * took(bytes.length / 1024) + 20)
  })

  it("is a value that can be written again, unless a number is out of range", () => {
    expect(isWritableJson(foreignJson(nested(maxJsonDepth)))).toBe(true)
    expect(isWritableJson(foreignJson("[1e999]"))).toBe(false)
    expect(isWritableJson(JSON.parse(nested(maxJsonDepth + 1)))).toBe(false)
  })
})
