/** Reads what a person, a spreadsheet or an address book has written as a telephone number. Pure. Source: docs/reference/suppression.md#folding. */

import { scan } from "./NumberScan.ts"
import { isAddress, isAmount, isDate, isShortened, isTime } from "./OtherText.ts"

/** Why a text is no number that can be dialed. */
export type NoNumber = "shortened" | "amount" | "date" | "address" | "keys" | "unclear" | "digits"

/** What a text says of one telephone number. */
export interface Written {
  /** In ASCII, leading zeros included. */
  readonly digits: string
  /** A plus sign stands in front of them. */
  readonly isInternational: boolean
}

/** Characters of a text that are looked at. No written number is longer. */
const maxText = 256

const ascii = /^[ -~]*$/
const invisible = /\p{Cf}|\p{Me}|\p{Variation_Selector}/gu
const fullWidth = /[\uFF01-\uFF5E]/g
const foreignDigit = /(?![0-9])\p{Nd}/gu
const decimal = /^\p{Nd}$/u
const bracketedZero = /\p{Ps}\s*0\s*\p{Pe}/gu

/** Unicode lays decimal digits out in runs of ten that begin with zero, so that the place in the run is the value. */
const valueOf = (digit: string): string => {
  const point = digit.codePointAt(0)!
  let start = point
  while (decimal.test(String.fromCodePoint(start - 1))) start -= 1
  return String((point - start) % 10)
}

/** Digits and common signs in ASCII, without what nobody sees. */
const inAscii = (text: string): string =>
  text
    .replace(invisible, "")
    .replace(fullWidth, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(foreignDigit, valueOf)

/** Without a trunk zero in brackets either. */
const plain = (written: string): string => {
  const text = written.slice(0, maxText)
  return (ascii.test(text) ? text : inAscii(text)).replace(bracketedZero, "").trim()
}

/** A program has written the number as a fraction: nothing is lost. */
const fraction = /^([^.,]*[0-9]{7,})[.,]0$/

/** The number in a text, or why there is none. */
export const read = (written: string): Written | NoNumber => {
  const text = plain(written).replace(fraction, "$1")
  if (isAddress(text)) return "address"
  if (isShortened(text)) return "shortened"
  if (isTime(text)) return "date"
  const scanned = scan(text)
  const starts = [text.search(/[0-9]/), ...(typeof scanned === "string" ? [] : [scanned.start])]
  const isInternational = typeof scanned !== "string" && scanned.isInternational
  if (isAmount(text, isInternational ? [] : starts)) return "amount"
  if (!isInternational && starts.some((start) => isDate(text.slice(start)))) return "date"
  return typeof scanned === "string" ? scanned : { digits: scanned.digits, isInternational }
}
