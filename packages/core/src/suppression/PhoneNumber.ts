/** Decides whether a written number can be dialed, and which written numbers are one person's. */
import * as Schema from "effect/Schema"

/**
 * The last ten digits of a number at most, leading zeros of the number dropped, and backwards: a match on trailing
 * digits is then a match on a prefix, which an index answers with one range seek.
 */
export type MatchKey = string & { readonly "~MatchKey": true }

/** A key in a row. Checks nothing. */
export const MatchKey = Schema.String as unknown as Schema.Codec<MatchKey, string>

export interface Usable {
  /** The number's digits as `fold` reads them, leading zeros included. */
  readonly digits: string
  readonly key: MatchKey
}

/** Significant digits, that is without leading zeros, of a number that can be dialed. */
const minDigits = 7
const maxDigits = 15

/** The last digits that distinguish two numbers; country codes stand further left. */
const keyLength = 10

const foreignDigit = /(?![0-9])\p{Nd}/gu
const decimal = /^\p{Nd}$/u
const bracketedZero = /\p{Ps}[\s\p{Cf}]*0[\s\p{Cf}]*\p{Pe}/gu
const extensionMark = /[xpw;,#ｘｐｗ；，＃]/iu

/** Unicode lays decimal digits out in runs of ten that begin with zero, so that the place in the run is the value. */
const valueOf = (digit: string): string => {
  const point = digit.codePointAt(0)!
  let start = point
  while (decimal.test(String.fromCodePoint(start - 1))) start -= 1
  return String((point - start) % 10)
}

/**
 * The digits of a number as a person wrote it, in ASCII; all else is dropped, letters that stand for digits too.
 *
 * A bracketed trunk zero, as in `+44 (0)20`, is no digit. An extension ends the number, but only once seven digits
 * were read, leading zeros among them: before that its marks are words, as in `Phone 98765 43210`.
 * Source: docs/suppression.md#folding.
 *
 * @example fold("+44 (0)20 7946 0958 ext. 12") // "442079460958"
 */
export const fold = (text: string): string => {
  let digits = ""
  for (const char of text.replace(foreignDigit, valueOf).replace(bracketedZero, "")) {
    if (char >= "0" && char <= "9") digits += char
    else if (digits.length >= minDigits && extensionMark.test(char)) break
  }
  return digits
}

/**
 * The digits and the match key of a number that can be dialed: one with 7 to 15 digits, leading zeros not counted.
 * Anything else is `undefined`. Source: docs/suppression.md#usable.
 */
export const usable = (text: string): Usable | undefined => {
  const digits = fold(text)
  const significant = digits.replace(/^0+/, "")
  if (significant.length < minDigits || significant.length > maxDigits) return undefined
  return { digits, key: as([...significant.slice(-keyLength)].reverse().join("")) }
}

/** Gives a key its name where it comes back from a row. Checks nothing. */
export const as = (key: string): MatchKey => key as MatchKey

/**
 * True when two keys may be one person's: equal, or the shorter, of 7 to 9 digits, is how the other number ends.
 * Too broad on purpose, and not transitive: two long numbers that end in one short number need not match each other.
 * Source: docs/suppression.md#matching.
 */
export const samePerson = (a: MatchKey, b: MatchKey): boolean => a.startsWith(b) || b.startsWith(a)

/**
 * The half-open range `from <= key < to` of the keys that share the last seven digits with this one, in byte order
 * (`:` follows `9`; a database must compare keys under the C collation). Every key of the same person lies inside;
 * `samePerson` sorts out the rest, which are at most 1,111 distinct keys: 1 + 10 + 100 + 1000 of 7 to 10 digits.
 */
export const seekRange = (key: MatchKey): { readonly from: string; readonly to: string } => {
  const from = lockKey(key)
  return { from, to: `${from}:` }
}

/**
 * What to lock so that an addition to the list and a dial of the same person wait for each other: the last seven
 * digits, because the ten digits of two numbers may differ while an entry of seven covers both.
 */
export const lockKey = (key: MatchKey): string => key.slice(0, minDigits)
