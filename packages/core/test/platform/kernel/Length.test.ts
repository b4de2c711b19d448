/** Lengths in code points: docs/reference/http-conventions.md#bodies. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { afterPoints, codePoints, isLonger } from "../../../src/platform/kernel/index.ts"

const units = fc.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })), {
  maxLength: 20
})

describe("the length of a text", () => {
  it("is its number of code points, whatever it is made of", () => {
    expect(["", "abc", "नमस्ते", "😀😀", "👩🏽‍🚀", "\ud83d", "\ude00\ud83d"].map(codePoints)).toEqual([
      0, 3, 6, 2, 4, 1, 2
    ])
    fc.assert(
      fc.property(units, (codes) => {
        const text = String.fromCharCode(...codes)
        expect(codePoints(text)).toBe([...text].length)
      })
    )
  })

  it("is above a maximum exactly when it has more code points", () => {
    fc.assert(
      fc.property(units, fc.nat(25), (codes, maximum) => {
        const text = String.fromCharCode(...codes)
        expect(isLonger(text, maximum)).toBe([...text].length > maximum)
      })
    )
  })

  it("can be walked along, never into a character and never past the end", () => {
    expect(afterPoints("a😀b", 0, 2)).toBe(3)
    expect(afterPoints("a😀b", 1, 9)).toBe(4)
    expect(afterPoints("a😀b", 1, -1)).toBe(1)
  })
})
