/** Lengths of texts, which the product counts in Unicode code points. Pure. Source: docs/reference/http-conventions.md#bodies. */

/** How many code points a text has; half of a surrogate pair counts as one. */
export const codePoints = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; count += 1) at = afterPoints(text, at, 1)
  return count
}

/** True where a text has more code points than `maximum`. Counts only where the number of UTF-16 units does not decide. */
export const isLonger = (text: string, maximum: number): boolean =>
  text.length > maximum && (text.length > 2 * maximum || codePoints(text) > maximum)

/** The place `count` code points after another one, at most the text's end. */
export const afterPoints = (text: string, from: number, count: number): number => {
  let at = from
  for (let left = count; left > 0 && at < text.length; left -= 1) at += text.codePointAt(at)! > 0xffff ? 2 : 1
  return at
}

interface ByteLength {
  readonly byteLength: (text: string) => number
}

/** Node's own takes a tenth of the time for a long text. */
const node = (globalThis as { readonly Buffer?: ByteLength }).Buffer

/** Texts up to this length are counted here: the call costs more. */
const shortLength = 64

/** Bytes of a text in UTF-8; half of a surrogate pair counts as the replacement character that is written for it. */
export const utf8Length = (text: string): number =>
  text.length > shortLength && node !== undefined ? node.byteLength(text) : countedBytes(text)

const countedBytes = (text: string): number => {
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // Both halves of a pair together have four bytes, which is one more for each than an ASCII character has.
    length += unit < 0x800 || isPaired(text, unit, at) ? 1 : 2
  }
  return length
}

const isPaired = (text: string, unit: number, at: number): boolean =>
  isHigh(unit) ? isLow(text.charCodeAt(at + 1)) : isLow(unit) && isHigh(text.charCodeAt(at - 1))

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
