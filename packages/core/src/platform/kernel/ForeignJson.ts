/** JSON that somebody else wrote: its depth and its elements are counted over its bytes before it is parsed. Pure. Source: docs/reference/http-conventions.md#json-bounds. */
import { parseExactJson } from "./ExactJson.ts"

/** Choice: no request that a client library writes comes near to either. */
export const maxJsonDepth = 200
export const maxJsonElements = 200_000

/** Bounds that a text of JSON can exceed, each with what is then said of the text. */
export const jsonExcesses = {
  json_too_deep: `is nested more than ${maxJsonDepth} levels deep`,
  json_too_large: `has more than ${maxJsonElements.toLocaleString("en")} elements: entries of lists and fields of objects`
} as const
export type JsonExcess = keyof typeof jsonExcesses

const [quote, comma, backslash, opening, closing] = [34, 44, 92, 123, 125]

/** The bit by which `[` and `{`, and `]` and `}`, differ. */
const curly = 32

/** The place of the quote that ends a string, or the end of the text. */
const endOfString = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

/**
 * The bound that a text exceeds, whether or not it is JSON; null for none. One pass over the bytes, which stops where a bound is
 * exceeded: 32 MiB take 10 to 100 ms, a string less than blanks. An element is a `[`, a `{` or a `,` outside of strings.
 */
export const jsonExcess = (bytes: Uint8Array, maxElements = maxJsonElements): JsonExcess | null => {
  let [depth, elements] = [0, 0]
  // Every element and every level takes a byte.
  if (bytes.length <= maxJsonDepth) return null
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === comma) elements += 1
    else if ((byte | curly) === opening) {
      elements += 1
      depth += 1
      if (depth > maxJsonDepth) return "json_too_deep"
    } else if ((byte | curly) === closing) depth -= 1
    if (elements > maxElements) return "json_too_large"
  }
  return null
}

const utf8 = new TextEncoder()

/** Holds a short text while it is counted: a new buffer would take longer than the count. */
const shared = new Uint8Array(16 * 1024)

/** UTF-8 of a text, until the next call. */
const bytesOf = (text: string): Uint8Array =>
  text.length * 3 <= shared.length ? shared.subarray(0, utf8.encodeInto(text, shared).written) : utf8.encode(text)

/** The value of JSON, or `undefined` where it is none or exceeds a bound. Texts are counted as UTF-8. */
const read = (
  json: string | Uint8Array,
  maxElements: number,
  parse: (json: string | Uint8Array) => unknown
): unknown => {
  // Where a level is opened and closed, it takes two bytes. A level that is not closed is no JSON.
  const isShort = json.length <= 2 * maxJsonDepth
  if (!isShort && jsonExcess(typeof json === "string" ? bytesOf(json) : json, maxElements) !== null) return undefined
  try {
    return parse(json)
  } catch {
    return undefined
  }
}

const plain = (json: string | Uint8Array): unknown =>
  JSON.parse(typeof json === "string" ? json : new TextDecoder().decode(json))

/** The value of JSON that somebody else wrote, or `undefined` where it is none or exceeds a bound. */
export const foreignJson = (json: string | Uint8Array, maxElements = maxJsonElements): unknown =>
  read(json, maxElements, plain)

/** The same with all digits of its integers, for values that are passed on. */
export const exactForeignJson = (json: string | Uint8Array, maxElements = maxJsonElements): unknown =>
  read(json, maxElements, parseExactJson)
