/** Reads one row of a file by its mapping, or names everything that is wrong with it. Pure. Source: docs/reference/contacts.md#fields. */
import { isLonger } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import type { RowFault } from "../../platform/overview/index.ts"
import type { CsvRecord } from "./CsvReader.ts"
import { isPhone, type Mapping, nameOf, type Target } from "./ImportMapping.ts"

/** Puts the text of one cell, which is not empty, into what is made of the row, or returns its fault. */
export type PutCell<F extends string> = (target: Target<F>, text: string) => string | undefined

/**
 * Puts the cells of a row, and returns all their faults: such a row is refused as a whole. Blanks around a value are dropped, and an
 * empty cell says nothing. Of several columns with the phone the first that is filled counts.
 */
export const putCells = <F extends string>(
  { columns, phones, width }: Mapping<F>,
  { cells, row }: CsvRecord,
  put: PutCell<F>
): ReadonlyArray<RowFault> => {
  const faults: Array<RowFault> = []
  const value = (at: number) => (cells[at] ?? "").trim()
  const phoneAt = phones.find((at) => value(at) !== "")
  if (phoneAt === undefined) faults.push({ row, field: "phone", message: "Required" })
  for (const { at, target } of columns) {
    const text = value(at)
    if (text === "" || (isPhone(target) && at !== phoneAt)) continue
    // Postgres keeps no such character in a text, so that no storage is given one.
    const message = text.includes("\0") ? "Expected text without NUL characters" : put(target, text)
    if (message !== undefined) faults.push({ row, field: nameOf(target), message })
  }
  const surplus = cells.findIndex((cell, at) => at >= width && cell.trim() !== "")
  if (surplus >= 0) faults.push({ row, field: `column ${surplus + 1}`, message: "The header has fewer columns" })
  return faults
}

export const upTo = (maximum: number) => `Expected at most ${maximum} characters`

/** The first part of a cell that is not empty. */
export const firstOf = (value: string, mark: string | RegExp): string =>
  value
    .split(mark)
    .map((part) => part.trim())
    .find((part) => part !== "") ?? ""

/** What address books write between several numbers of one cell. The first one counts. */
const between = ":::"

export const maxPhoneLength = 64

/** A telephone number as it was given. */
export interface GivenPhone {
  readonly phone: string
  readonly matchKey: PhoneNumber.MatchKey
}

/** The number of a cell, or why it has none that can be dialed. */
export const phoneOf = (cell: string): GivenPhone | string => {
  const phone = firstOf(cell, between)
  if (isLonger(phone, maxPhoneLength)) return upTo(maxPhoneLength)
  const number = PhoneNumber.usable(phone)
  return number === undefined ? PhoneNumber.unusableSentence(phone) : { phone, matchKey: number.key }
}
