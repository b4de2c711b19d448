/** Decides what one row of an import says about a person, what several rows say together, and which faults are reported. */
import * as Result from "effect/Result"
import { isLonger } from "../../platform/kernel/index.ts"
import type { PhoneNumber } from "../../platform/numbers/index.ts"
import type { ImportReport, ListKind, RowFault } from "../../platform/overview/index.ts"
import {
  type CsvRecord,
  FileFields,
  type FileReading,
  firstOf,
  type KeyedName,
  type Mapping,
  maxPhoneLength,
  phoneOf,
  putCells,
  type Target,
  upTo
} from "../csv/index.ts"

/** Fields that a column may have by name. Source: docs/reference/contacts.md#fields. */
const fields = ["phone", "name", "first_name", "last_name", "email", "company", "tags", "notes", "opted_in"] as const
export type Field = (typeof fields)[number]

/** Variables that a contact of a campaign may have. */
const maxVariables = 64

const words: ReadonlyArray<[string, Field]> = [["email1value", "email"]]

/** What the columns of a file of contacts may be. */
export const contactFields = new FileFields<Field>(fields, { keyed: [["custom", null]], words })

/** The same of people who are put on a campaign that sends a template, which their variables fill. */
const templateFields = new FileFields<Field>(fields, {
  keyed: [
    ["custom", null],
    ["variables", maxVariables]
  ],
  words
})

export const fieldsOfList: Readonly<Record<ListKind, FileFields<Field>>> = {
  campaign: contactFields,
  templateCampaign: templateFields
}

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
  /** What fills the template of a campaign, for this row's person. */
  readonly variables: Readonly<Record<string, string>>
  /** The row's own word; false where the file has no such column. */
  readonly optedIn: boolean
}

/** Longest values in code points; `name` is each of the four names. */
export const maxLengths = {
  phone: maxPhoneLength,
  name: 255,
  email: 254,
  tag: 64,
  /** All tags of a row: each is bounded, and a megabyte of commas is no list of tags. */
  tags: 10_000,
  notes: 5000,
  custom: 1000,
  variables: 1024
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

/** What address books write between several addresses of one cell. The first one counts. */
const betweenAddresses = /:::|[;,\n]/

type Draft = {
  -readonly [K in keyof ImportFields]: ImportFields[K]
} & { matchKey?: PhoneNumber.MatchKey; optedIn?: boolean }

/** Puts the text of one cell, which is not empty, into the row, or returns its fault. */
type Read = (draft: Draft, text: string) => string | undefined

const text =
  (maximum: number, field: "name" | "firstName" | "lastName" | "company" | "notes"): Read =>
  (draft, value) => {
    if (isLonger(value, maximum)) return upTo(maximum)
    draft[field] = value
    return undefined
  }

const readers: Record<Field, Read> = {
  phone: (draft, cell) => {
    const given = phoneOf(cell)
    if (typeof given === "string") return given
    Object.assign(draft, given)
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

/** What a row says, or everything that is wrong with it: such a row is refused as a whole. Source: docs/reference/contacts.md#fields. */
export const rowOf = (
  mapping: Mapping<Field>,
  record: CsvRecord
): Result.Result<ImportRow, ReadonlyArray<RowFault>> => {
  const draft: Draft = { phone: "" }
  const keyed: Keyed = { custom: [], variables: [] }
  const faults = putCells(mapping, record, (target, text) => put(draft, keyed, target, text))
  const { matchKey, optedIn = false, ...fields } = draft
  if (faults.length > 0 || matchKey === undefined) return Result.fail(faults)
  const [custom, variables] = [Object.fromEntries(keyed.custom), Object.fromEntries(keyed.variables)]
  return Result.succeed({ row: record.row, matchKey, fields, custom, variables, optedIn })
}

type Keyed = Readonly<Record<KeyedName, Array<readonly [string, string]>>>

const put = (draft: Draft, keyed: Keyed, target: Target<Field>, value: string): string | undefined => {
  if (target._tag === "Field") return readers[target.field](draft, value)
  if (isLonger(value, maxLengths[target.name])) return upTo(maxLengths[target.name])
  keyed[target.name].push([target.key, value])
  return undefined
}

/** Everything that a file, or a part of it, says about one person. */
export interface ImportPerson extends ImportRow {
  /** How many rows said it; `row` is the first of them. */
  readonly rows: number
  /** The person as the list gets to know it: as the first row has it, the one that is put on the list. */
  readonly listed: Pick<ImportRow, "variables" | "optedIn"> & { readonly phone: string; readonly name: string | null }
}

export const personOf = (row: ImportRow): ImportPerson => ({
  ...row,
  rows: 1,
  listed: {
    phone: row.fields.phone,
    name: listedName(row.fields),
    variables: row.variables,
    optedIn: row.optedIn
  }
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

/** What an import does, or would do, to address book and list, in rows of the file. */
export interface ImportEffect {
  /** Rows that made a contact. */
  readonly created: number
  /** Rows that were put on the list. */
  readonly attached: number
}

/** A row that is accepted makes a contact or meets one, and is put on the campaign or finds its person there. */
export const reportOf = (
  dryRun: boolean,
  { columns, errorCounts, errors, failed, totalRows }: FileReading,
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
