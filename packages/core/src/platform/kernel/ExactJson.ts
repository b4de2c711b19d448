/** JSON that is passed on: its integers beyond 2^53 keep all of their digits. Pure. Source: docs/reference/language-models.md#what-differs-from-the-originals. */

/** What engines have that read and write the digits of a number; the compiler does not know of it yet. */
interface ExactJson {
  parse(text: string, read: (name: string, value: unknown, at?: { readonly source?: string }) => unknown): unknown
  rawJSON?(text: string): unknown
  isRawJSON?(value: unknown): boolean
}
const json: ExactJson = JSON

/** Where no number has as many digits, all integers are exact. */
const unsafeDigits = 16

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Whether that number of digits stands in a row, but for those of a fraction: one of them stands at a multiple of it. */
const hasLongInteger = (length: number, codeAt: (at: number) => number): boolean => {
  for (let at = 0; at < length; at += unsafeDigits) {
    if (!isDigit(codeAt(at))) continue
    let [from, to] = [at, at + 1]
    while (from > 0 && isDigit(codeAt(from - 1))) from -= 1
    while (to < length && isDigit(codeAt(to))) to += 1
    if (to - from >= unsafeDigits && codeAt(from - 1) !== 46) return true
    at = Math.max(at, to - unsafeDigits)
  }
  return false
}

const exactly = (_: string, value: unknown, at?: { readonly source?: string }): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(at?.source ?? "")
    ? json.rawJSON!(at!.source!)
    : value

/** True of a number that is held as its digits. `JSON.stringify` writes them; to all other code it is no number and no object. */
export const isRawNumber = (value: object): boolean => "rawJSON" in value && json.isRawJSON?.(value) === true

/** Whether JSON, as a text or as its bytes, may have integers that `JSON.parse` would change. */
export const needsExactJson = (body: string | Uint8Array): boolean =>
  json.rawJSON !== undefined &&
  (typeof body === "string"
    ? hasLongInteger(body.length, (at) => body.charCodeAt(at))
    : hasLongInteger(body.length, (at) => body[at]!))

/** The value of JSON with all digits of its integers. Throws as `JSON.parse` does. Of others' JSON `exactForeignJson` is the way to read. */
export const parseExactJson = (body: string | Uint8Array): unknown => {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  return needsExactJson(body) ? json.parse(text, exactly) : JSON.parse(text)
}
