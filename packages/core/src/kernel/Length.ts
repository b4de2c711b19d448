/** Lengths of texts, which the product counts in Unicode code points. Pure. Source: docs/http-conventions.md#bodies. */

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

const utf8 = new TextEncoder()

/** Bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => utf8.encode(text).length
