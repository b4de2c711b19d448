/** Decides what one row of an import says about a person, what several rows say together, and which faults are reported. */
import * as Result from "effect/Result"
import { isLonger } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import type { CsvRecord } from "./CsvReader.ts"
import { type Field, isPhone, type Mapping, nameOf, type ReadColumns, type Target } from "./ImportMapping.ts"

/** The fields of a person's row that are not empty. Source: docs/reference/contacts.md#fields. */
export interface ImportFields {
  /** As it was given. */
  readonly phone: string
  readonly name?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
  readonly company?: string
  readonly tags?: ReadonlyArray<string>
  readonly notes?: string
}

export interface ImportRow {
  /** The number that a spreadsheet shows. */
  readonly row: number
  readonly matchKey: PhoneNumber.MatchKey
  readonly fields: ImportFields
  readonly custom: Readonly<Record<string, string>>
  /** The row's own word; false where the file has no such column. */
  readonly optedIn: boolean
}

/** The fault of one cell. `field` is a field's name, or `column 7` for a cell that no header stands over. */
export interface RowFault {
  readonly row: number
  readonly field: string
  readonly message: string
}

/** Longest values in code points; `name` is each of the four names. */
export const maxLengths = {
  phone: 64,
  name: 255,
  email: 254,
  tag: 64,
  /** All tags of a row: each is bounded, and a megabyte of commas is no list of tags. */
  tags: 10_000,
  notes: 5000,
  custom: 1000
} as const

const consent: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["false", false],
  ["0", false],
  ["no", false]
])

/** Something before the @, and a host name of at least two parts after it. Whether it exists only a message can tell. */
export const address = /^[^\s@<>()[\]\\,;:"]+@(?:[\p{L}\p{N}\p{M}-]+\.)+[\p{L}\p{N}\p{M}-]{2,}$/u

/** What address books write between several values of one cell. The first one counts. */
const between = ":::"
const betweenAddresses = /:::|[;,\n]/

const firstOf = (value: string, mark: string | RegExp): string =>
  value
    .split(mark)
    .map((part) => part.trim())
    .find((part) => part !== "") ?? ""

type Draft = {
  -readonly [K in keyof ImportFields]: ImportFields[K]
} & { matchKey?: PhoneNumber.MatchKey; optedIn?: boolean }

/** Puts the text of one cell, which is not empty, into the row, or returns its fault. */
type Read = (draft: Draft, text: string) => string | undefined

const upTo = (maximum: number) => `Expected at most ${maximum} characters`

const text =
  (maximum: number, field: "name" | "firstName" | "lastName" | "company" | "notes"): Read =>
  (draft, value) => {
    if (isLonger(value, maximum)) return upTo(maximum)
    draft[field] = value
    return undefined
  }

const readers: Record<Field, Read> = {
  phone: (draft, cell) => {
    const value = firstOf(cell, between)
    if (isLonger(value, maxLengths.phone)) return upTo(maxLengths.phone)
    const number = PhoneNumber.usable(value)
    if (number === undefined) return PhoneNumber.unusableSentence(value)
    draft.phone = value
    draft.matchKey = number.key
    return undefined
  },
  name: text(maxLengths.name, "name"),
  first_name: text(maxLengths.name, "firstName"),
  last_name: text(maxLengths.name, "lastName"),
  company: text(maxLengths.name, "company"),
  notes: text(maxLengths.notes, "notes"),
  email: (draft, cell) => {
    const value = firstOf(cell, betweenAddresses)
    if (isLonger(value, maxLengths.email)) return upTo(maxLengths.email)
    if (!address.test(value)) return "Expected an e-mail address"
    draft.email = value
    return undefined
  },
  tags: (draft, value) => {
    if (isLonger(value, maxLengths.tags)) return upTo(maxLengths.tags)
    const tags = value.split(/[,;]/).flatMap((tag) => tag.trim() || [])
    if (tags.some((tag) => isLonger(tag, maxLengths.tag))) return `${upTo(maxLengths.tag)} in each tag`
    if (tags.length > 0) draft.tags = tags
    return undefined
  },
  opted_in: (draft, value) => {
    const word = consent.get(value.toLowerCase())
    if (word === undefined) return "Expected yes or no, true or false, 1 or 0"
    draft.optedIn = word
    return undefined
  }
}

/**
 * What a row says, or everything that is wrong with it: such a row is refused as a whole. Blanks around a value are
 * dropped, and an empty cell says nothing. Source: docs/reference/contacts.md#fields.
 */
export const rowOf = (mapping: Mapping, record: CsvRecord): Result.Result<ImportRow, ReadonlyArray<RowFault>> => {
  const { cells, row } = record
  const faults: Array<RowFault> = []
  const draft: Draft = { phone: "" }
  const custom: Array<readonly [string, string]> = []
  const value = (at: number) => (cells[at] ?? "").trim()
  // Of several columns with the phone the first that is filled counts.
  const phoneAt = mapping.phones.find((at) => value(at) !== "")
  if (phoneAt === undefined) faults.push({ row, field: "phone", message: "Required" })
  for (const { at, target } of mapping.columns) {
    if (value(at) === "" || (isPhone(target) && at !== phoneAt)) continue
    const message = read(draft, custom, target, value(at))
    if (message !== undefined) faults.push({ row, field: nameOf(target), message })
  }
  const surplus = cells.findIndex((cell, at) => at >= mapping.width && cell.trim() !== "")
  if (surplus >= 0) faults.push({ row, field: `column ${surplus + 1}`, message: "The header has fewer columns" })

  const { matchKey, optedIn = false, ...fields } = draft
  if (faults.length > 0 || matchKey === undefined) return Result.fail(faults)
  return Result.succeed({ row, matchKey, fields, custom: Object.fromEntries(custom), optedIn })
}

const read = (
  draft: Draft,
  custom: Array<readonly [string, string]>,
  target: Target,
  value: string
): string | undefined => {
  // Postgres keeps no such character in a text, so that no storage is given one.
  if (value.includes("\0")) return "Expected text without NUL characters"
  if (target._tag === "Field") return readers[target.field](draft, value)
  if (isLonger(value, maxLengths.custom)) return upTo(maxLengths.custom)
  custom.push([target.key, value])
  return undefined
}

/** Everything that a file, or a part of it, says about one person. */
export interface ImportPerson extends ImportRow {
  /** How many rows said it; `row` is the first of them. */
  readonly rows: number
  /** The person as the campaign gets to know it: as the first row has it, the one that is put on the list. */
  readonly listed: { readonly phone: string; readonly name: string | null }
}

export const personOf = (row: ImportRow): ImportPerson => ({
  ...row,
  rows: 1,
  listed: { phone: row.fields.phone, name: listedName(row.fields) }
})

/** What a person's earlier rows and one more say together: later cells win, empty ones are silent, consent stays. */
export const and = (person: ImportPerson, row: ImportRow): ImportPerson => ({
  ...person,
  fields: { ...person.fields, ...row.fields },
  custom: { ...person.custom, ...row.custom },
  optedIn: person.optedIn || row.optedIn,
  rows: person.rows + 1
})

const listedName = ({ firstName, lastName, name }: ImportFields): string | null => {
  const full = name ?? [firstName, lastName].filter((part) => part !== undefined).join(" ")
  if (full === "") return null
  // Two long names together may be longer than a name on a list may be.
  return isLonger(full, maxLengths.name) ? [...full].slice(0, maxLengths.name).join("") : full
}

/** How often one thing is wrong; `row` is the first of the rows. */
export interface FaultCount extends RowFault {
  readonly rows: number
}

/** What an import does, or would do, to address book and campaign, in rows of the file. */
export interface ImportEffect {
  /** Rows that made a contact. */
  readonly created: number
  /** Rows that were put on the campaign. */
  readonly attached: number
}

/** Source: docs/reference/contacts.md#report. */
export interface ImportReport {
  readonly dryRun: boolean
  readonly totalRows: number
  readonly created: number
  readonly updated: number
  readonly failed: number
  /** The first hundred. */
  readonly errors: ReadonlyArray<RowFault>
  /** Everything that is wrong, by its kind in the order of the file: the first hundred kinds. */
  readonly errorCounts: ReadonlyArray<FaultCount>
  /** What each column was read as. */
  readonly columns: ReadColumns
  readonly attached: number
  readonly skippedInvalid: number
  readonly skippedDuplicate: number
  /** Contacts on the campaign: afterwards, or in a dry run at present. */
  readonly totalNow: number
}

/** What reading a file has come to. */
export interface ImportReading {
  readonly totalRows: number
  readonly failed: number
  readonly errors: ReadonlyArray<RowFault>
  readonly errorCounts: ReadonlyArray<FaultCount>
  readonly columns: ReadColumns
}

/** Faults, and kinds of faults, that a report lists. */
export const maxErrors = 100

/** A row that is accepted makes a contact or meets one, and is put on the campaign or finds its person there. */
export const reportOf = (
  dryRun: boolean,
  { columns, errorCounts, errors, failed, totalRows }: ImportReading,
  { attached, created }: ImportEffect,
  totalNow: number
): ImportReport => ({
  dryRun,
  totalRows,
  created,
  updated: totalRows - failed - created,
  failed,
  errors,
  errorCounts,
  columns,
  attached,
  skippedInvalid: failed,
  skippedDuplicate: totalRows - failed - attached,
  totalNow
})
