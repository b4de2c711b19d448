/** Texts of any characters, for properties of what reads, stores or signs what somebody has written. */
import * as fc from "fast-check"

const surrogates = { first: 0xd800, count: 0x800 }

/**
 * fast-check's own unit "binary" generates the same: any code point but a half of a surrogate pair. It makes a table of all
 * 1.1 million of them in each process, though, which takes a second.
 */
const anyCharacter = fc.nat({ max: 0x10ffff - surrogates.count }).map(
  (n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count),
  (text) => {
    const point = typeof text === "string" ? text.codePointAt(0) : undefined
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error("This is not one character.")
    if (point < surrogates.first) return point
    if (point < surrogates.first + surrogates.count) throw new Error("This is half a character.")
    return point - surrogates.count
  }
)

/** A text of any characters, among them those that end lines, end strings or mean nothing. */
export const unicodeText = (
  size: { readonly minLength?: number; readonly maxLength?: number } = {}
): fc.Arbitrary<string> => fc.string({ unit: anyCharacter, ...size })
