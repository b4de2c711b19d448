/** Decides whether a written number can be dialed, and which written numbers are one person's. */
import * as Schema from "effect/Schema"
import { minDigits } from "./NumberScan.ts"
import { type NoNumber, read, type Written } from "./WrittenNumber.ts"

export type { NoNumber }

/**
 * The last ten digits of a number at most, leading zeros of the number dropped, and backwards: a match on trailing
 * digits is then a match on a prefix, which an index answers with one range seek.
 */
export type MatchKey = string & { readonly "~MatchKey": true }

/** A key in a row. Checks nothing. */
export const MatchKey = Schema.String as unknown as Schema.Codec<MatchKey, string>

export interface Usable extends Written {
  readonly key: MatchKey
}

/** Maximum significant digits, that is without leading zeros, of a number that can be dialed. */
const maxDigits = 15

/** The last digits that distinguish two numbers; country codes stand further left. */
const keyLength = 10

/**
 * The digits of a number as a person wrote it, in ASCII; empty where the text is something else, such as a date or an amount.
 * Source: docs/reference/suppression.md#folding.
 *
 * @example fold("+44 (0)20 7946 0958 ext. 12") // "442079460958"
 */
export const fold = (text: string): string => {
  const written = read(text)
  return typeof written === "string" ? "" : written.digits
}

const readUsable = (text: string): Usable | NoNumber => {
  const written = read(text)
  if (typeof written === "string") return written
  const significant = written.digits.replace(/^0+/, "")
  if (significant.length < minDigits || significant.length > maxDigits) return "digits"
  return { ...written, key: as([...significant.slice(-keyLength)].reverse().join("")) }
}

/**
 * The digits and the match key of a number that can be dialed: one with 7 to 15 digits, leading zeros not counted.
 * Anything else is `undefined`. Source: docs/reference/suppression.md#usable.
 */
export const usable = (text: string): Usable | undefined => {
  const number = readUsable(text)
  return typeof number === "string" ? undefined : number
}

/** Why a text is no number that can be dialed; null where it is one. */
export const whyUnusable = (text: string): NoNumber | null => {
  const number = readUsable(text)
  return typeof number === "string" ? number : null
}

const sentences: Readonly<Record<NoNumber, string>> = {
  shortened:
    "The spreadsheet has shortened the number, and its last digits are lost: format the column as text and export it again",
  amount: "Expected a phone number; this is an amount",
  date: "Expected a phone number; this is a date or has a time in it",
  address: "Expected a phone number; this is an address",
  keys: "Expected a phone number in digits: its letters do not make a whole one",
  unclear: "Expected one phone number; this may be more than one: write one alone",
  digits: "Expected a number that can be dialed, of 7 to 15 digits"
}

/** What to do about a text that is no number that can be dialed. */
export const unusableSentence = (text: string): string => sentences[whyUnusable(text) ?? "digits"]

/** Gives a key its name where it comes back from a row. Checks nothing. */
export const as = (key: string): MatchKey => key as MatchKey

/**
 * The key of a record whose number another record of the account has as well. It matches as that number does, and is unique.
 * Source: docs/reference/suppression.md#upgrade.
 */
export const twin = (key: MatchKey, id: string): MatchKey => as(`${key}/${id}`)

/** The key of a record whose text is no number: no number matches it. */
export const nobody = (id: string): MatchKey => as(`-/${id}`)

const digitsOf = (key: MatchKey): string => {
  const end = key.indexOf("/")
  return end < 0 ? key : key.slice(0, end)
}

/** Whether two keys are of the same trailing digits. */
export const sameDigits = (a: MatchKey, b: MatchKey): boolean => digitsOf(a) === digitsOf(b)

/**
 * True when two keys may be one person's: equal, or the shorter, of 7 to 9 digits, is how the other number ends.
 * Too broad on purpose, and not transitive: two long numbers that end in one short number need not match each other.
 * Source: docs/reference/suppression.md#matching.
 */
export const samePerson = (a: MatchKey, b: MatchKey): boolean => {
  const [one, other] = [digitsOf(a), digitsOf(b)]
  return one.startsWith(other) || other.startsWith(one)
}

/** Keys that a database finds with one range seek: `from <= key < to`, in byte order. */
export interface KeyRange {
  readonly from: string
  readonly to: string
}

/**
 * The half-open range `from <= key < to` of the keys that share the last seven digits with this one, in byte order
 * (`:` follows `9`; a database must compare keys under the C collation). Every key of the same person lies inside;
 * `samePerson` sorts out the rest, which are at most 1,111 distinct keys: 1 + 10 + 100 + 1000 of 7 to 10 digits.
 */
export const seekRange = (key: MatchKey): KeyRange => {
  const from = lockKey(key)
  return { from, to: `${from}:` }
}

/** The ranges of several keys, each once: keys that share the last seven digits share their range. */
export const seekRanges = (keys: ReadonlyArray<MatchKey>): ReadonlyArray<KeyRange> => [
  ...new Map(keys.map((key) => [lockKey(key), seekRange(key)])).values()
]

/**
 * The keys of the same person, as a database finds them: one of `shorter`, or `from <= key < to`. It is what `samePerson` says of keys
 * without an id behind them.
 */
export const sameKeys = (key: MatchKey) => {
  const digits = digitsOf(key)
  const lengths = Array.from({ length: Math.max(digits.length - minDigits, 0) }, (_, i) => minDigits + i)
  return { shorter: lengths.map((length) => as(digits.slice(0, length))), from: as(digits), to: as(`${digits}:`) }
}

/**
 * What to lock so that an addition to the list and a dial of the same person wait for each other: the last seven
 * digits, because the ten digits of two numbers may differ while an entry of seven covers both.
 */
export const lockKey = (key: MatchKey): string => key.slice(0, minDigits)
