/** Decides which column of a file is which field, or names everything that is wrong with the header and the map at once. */
import * as Result from "effect/Result"
import { foreignJson, isLonger } from "../../platform/kernel/index.ts"
import { MappingRefused, type ReadColumns } from "../../platform/overview/index.ts"

/** Values that a row has under keys of its own: `custom.<key>` of the person, `variables.<key>` of their place on a list. */
export type KeyedName = "custom" | "variables"

/** What a column is: a field, or a value of the row's own. */
export type Target<F extends string> =
  | { readonly _tag: "Field"; readonly field: F }
  | { readonly _tag: "Keyed"; readonly name: KeyedName; readonly key: string }

export interface Column<F extends string> {
  /** Its place in a row, from 0. */
  readonly at: number
  readonly target: Target<F>
}

export interface Mapping<F extends string> {
  readonly columns: ReadonlyArray<Column<F>>
  /** The columns with the phone number, in their order. */
  readonly phones: ReadonlyArray<number>
  /** Every header with what it was read as. */
  readonly read: ReadColumns
  /** Cells of the header. A row may have fewer, and more only where they are empty. */
  readonly width: number
}

/** The widest sheet of common spreadsheets. */
const widest = 16_384
export const maxKeyLength = 64

/** A header without what spreadsheets and address books write differently: `E-mail` is `email`, `Tel.` is `tel`. */
const plain = (header: string): string => header.toLowerCase().replace(/[\s_\p{Pd}.:*]+/gu, "")

const phoneWords = ["phonenumber", "mobile", "mobilephone", "telephone", "tel", "cell"]

/** A numbered phone of an address book: `Phone 2 - Value`. */
const numberedPhone = /^phone[1-9](?:value)?$/

/** What the columns of a file may be. */
export class FileFields<F extends string> {
  readonly #names: ReadonlyArray<F>
  /** How many columns may be values of the row's own, by their names; any number where it is null. */
  readonly #keyed: ReadonlyMap<KeyedName, number | null>
  /** Fields by a header that names them. */
  readonly #byWord: ReadonlyMap<string, F | "phone">

  /** `words`: headers, in their plain form, that name a field otherwise. */
  constructor(
    names: ReadonlyArray<F>,
    { keyed, words }: { keyed: ReadonlyArray<[KeyedName, number | null]>; words: ReadonlyArray<[string, F]> }
  ) {
    this.#names = names
    this.#keyed = new Map(keyed)
    this.#byWord = new Map<string, F | "phone">([
      ...names.map((field) => [plain(field), field] as const),
      ...phoneWords.map((word) => [word, "phone"] as const),
      ...words
    ])
  }

  /** All of them, as a sentence has them. */
  get list(): string {
    const keyed = [...this.#keyed.keys()].map((name) => `${name}.<key>`)
    const last = keyed.pop()
    const end = last === undefined ? "" : ` and ${last} with a key of 1 to ${maxKeyLength} characters`
    return `${[...this.#names, ...keyed].join(", ")}${end}`
  }

  /** The field of this name, `unknown`, or `badKey` for a `custom.` or `variables.` without a key that can be kept. */
  target(name: string): Target<F> | "unknown" | "badKey" {
    const field = this.#names.find((one) => one === name)
    if (field !== undefined) return { _tag: "Field", field }
    const keyed = this.#keyedOf(name)
    if (keyed === undefined) return "unknown"
    const key = name.slice(keyed.length + 1)
    return key !== "" && !isLonger(key, maxKeyLength) && !key.includes("\0")
      ? { _tag: "Keyed", name: keyed, key }
      : "badKey"
  }

  /** The field that a header names by itself; a key keeps its case. Anything else is not known. */
  named(header: string): string {
    const keyed = this.#keyedOf(header.toLowerCase())
    if (keyed !== undefined) return keyed + header.slice(keyed.length)
    const word = plain(header)
    return this.#byWord.get(word) ?? (numberedPhone.test(word) ? "phone" : header)
  }

  /** What is wrong with the number of columns under one name. */
  faultsOf(names: ReadonlyArray<string>): ReadonlyArray<string> {
    return [...this.#keyed].flatMap(([keyed, most]) => {
      const many = names.filter((name) => this.#keyedOf(name) === keyed).length
      return most !== null && many > most ? [`${many} columns are ${keyed}.<key>, more than ${most}`] : []
    })
  }

  #keyedOf(name: string): KeyedName | undefined {
    return [...this.#keyed.keys()].find((keyed) => name.startsWith(`${keyed}.`))
  }
}

export const isPhone = (target: Target<string>): boolean => target._tag === "Field" && target.field === "phone"

export const nameOf = (target: Target<string>): string =>
  target._tag === "Field" ? target.field : `${target.name}.${target.key}`

/** Characters of a header that a report shows. */
const maxHeader = 255

const cut = (text: string, maximum: number): string =>
  isLonger(text, maximum) ? `${[...text.slice(0, 2 * maximum)].slice(0, maximum).join("")}…` : text

/** Text that people wrote, short enough for a sentence about it. */
const quoted = (text: string): string => JSON.stringify(cut(text, 80))

/** A column and the field that it is said to be. */
interface Claim {
  readonly at: number
  readonly header: string
  readonly name: string
}

/** A JSON object of strings, by header without surrounding blanks; undefined for anything else. */
const parseMap = (text: string): ReadonlyMap<string, string> | undefined => {
  const json = foreignJson(text)
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined
  const entries: ReadonlyArray<[string, unknown]> = Object.entries(json)
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === "string")) return undefined
  return new Map(entries.map(([header, name]) => [header.trim(), name]))
}

const claimsOf = (
  fields: FileFields<string>,
  headers: ReadonlyArray<string>,
  map: ReadonlyMap<string, string> | null
): ReadonlyArray<Claim> =>
  headers.flatMap((header, at) => {
    const name = map === null ? fields.named(header) : map.get(header)
    const ignored = name === undefined || (map === null && fields.target(name) === "unknown")
    return ignored ? [] : [{ at, header, name }]
  })

/** Everything that is wrong with a map by itself or beside the header. */
const faultsOfMap = (
  fields: FileFields<string>,
  headers: ReadonlyArray<string>,
  map: ReadonlyMap<string, string>
): ReadonlyArray<string> => {
  const present = new Set(headers)
  return [...map].flatMap(([header, name]) => [
    ...(present.has(header) ? [] : [`The file has no column ${quoted(header)}`]),
    ...(typeof fields.target(name) === "string"
      ? [`${quoted(header)} is mapped to ${quoted(name)}, which is no field: fields are ${fields.list}`]
      : [])
  ])
}

const faultsOfClaims = (claims: ReadonlyArray<Claim>): ReadonlyArray<string> => {
  const headerOf = new Map<string, string>()
  return claims.flatMap(({ header, name }) => {
    const earlier = headerOf.get(name)
    headerOf.set(name, header)
    return earlier === undefined || name === "phone"
      ? []
      : [`Two columns are ${name}: ${quoted(earlier)} and ${quoted(header)}`]
  })
}

/** Headers that a sentence names. */
const maxNamed = 20

const withoutPhone = (headers: ReadonlyArray<string>): string => {
  const written = headers.filter((header) => header !== "")
  const more = written.length > maxNamed ? ` and ${written.length - maxNamed} more` : ""
  const list = `${written.slice(0, maxNamed).map(quoted).join(", ")}${more}`
  return `No column is the phone number: call one "phone", or name it in column_map. The first row has ${list}`
}

const faultsOfHeader = (fields: FileFields<string>, claims: ReadonlyArray<Claim>): ReadonlyArray<string> =>
  claims
    .filter(({ name }) => fields.target(name) === "badKey")
    .map(({ header }) => `The column ${quoted(header)} needs a key of 1 to ${maxKeyLength} characters`)

/**
 * Maps a file's columns. Without `columnMap`, headers that spell a field's name, whatever their case, blanks and hyphens, map
 * themselves and all others are ignored; with it, its entries alone count. Source: docs/reference/contacts.md#mapping.
 */
export const mappingOf = <F extends string>(
  fields: FileFields<F>,
  header: ReadonlyArray<string>,
  columnMap: string | null
): Result.Result<Mapping<F>, MappingRefused> => {
  if (header.length > widest) return refused("file", [`The file has ${header.length} columns, more than ${widest}`])
  const headers = header.map((cell) => cell.trim())
  const map = columnMap === null ? null : parseMap(columnMap)
  if (map === undefined) return refused("columnMap", ["Expected a JSON object: each column to the name of its field"])

  const claims = claimsOf(fields, headers, map)
  const named = new Set([...claims.map(({ name }) => name), ...(map?.values() ?? [])])
  const faults = [
    ...(map === null ? faultsOfHeader(fields, claims) : faultsOfMap(fields, headers, map)),
    ...faultsOfClaims(claims),
    ...fields.faultsOf(claims.map(({ name }) => name)),
    ...(named.has("phone") ? [] : [withoutPhone(headers)])
  ]
  if (faults.length > 0) return refused(map === null ? "file" : "columnMap", faults)
  const columns = claims.map(({ at, name }) => ({ at, target: fields.target(name) as Target<F> }))
  const fieldAt = new Map(columns.map(({ at, target }) => [at, nameOf(target)]))
  return Result.succeed({
    columns,
    phones: columns.flatMap(({ at, target }) => (isPhone(target) ? [at] : [])),
    read: Object.fromEntries(
      headers.flatMap((header, at) => (header === "" ? [] : [[cut(header, maxHeader), fieldAt.get(at) ?? null]]))
    ),
    width: header.length
  })
}

const refused = (part: "file" | "columnMap", messages: ReadonlyArray<string>) =>
  Result.fail(new MappingRefused({ faults: messages.map((message) => ({ field: part, message })) }))
