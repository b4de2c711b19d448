/** Decides which column of a file is which field, or names everything that is wrong with the header and the map at once. */
import * as Result from "effect/Result"
import { foreignJson, isLonger } from "../../platform/kernel/index.ts"
import { MappingRefused } from "./ContactErrors.ts"

/** Fields that a column may have by name. Source: docs/reference/contacts.md#fields. */
export const fields = [
  "phone",
  "name",
  "first_name",
  "last_name",
  "email",
  "company",
  "tags",
  "notes",
  "opted_in"
] as const
export type Field = (typeof fields)[number]

/** What a column is: a field, or a value of the contact's own. */
export type Target =
  | { readonly _tag: "Field"; readonly field: Field }
  | { readonly _tag: "Custom"; readonly key: string }

export interface Column {
  /** Its place in a row, from 0. */
  readonly at: number
  readonly target: Target
}

/** Each header of the file with the field that it was read as, or null where the column is ignored. */
export type ReadColumns = Readonly<Record<string, string | null>>

export interface Mapping {
  readonly columns: ReadonlyArray<Column>
  /** The columns with the phone number, in their order. */
  readonly phones: ReadonlyArray<number>
  /** Every header with what it was read as. */
  readonly read: ReadColumns
  /** Cells of the header. A row may have fewer, and more only where they are empty. */
  readonly width: number
  /** The file speaks about consent, so that the form's flag does not. */
  readonly hasConsent: boolean
}

/** The widest sheet of common spreadsheets. */
const widest = 16_384
export const maxKeyLength = 64
const customPrefix = "custom."

const isField = (name: string): name is Field => (fields as ReadonlyArray<string>).includes(name)

/** The field of this name, `unknown`, or `badKey` for a `custom.` without a key that can be kept. */
const targetOf = (name: string): Target | "unknown" | "badKey" => {
  if (isField(name)) return { _tag: "Field", field: name }
  if (!name.startsWith(customPrefix)) return "unknown"
  const key = name.slice(customPrefix.length)
  return key !== "" && !isLonger(key, maxKeyLength) && !key.includes("\0") ? { _tag: "Custom", key } : "badKey"
}

/** A header without what spreadsheets and address books write differently: `E-mail` is `email`, `Tel.` is `tel`. */
const plain = (header: string): string => header.toLowerCase().replace(/[\s_\p{Pd}.:*]+/gu, "")

const phoneWords = ["phonenumber", "mobile", "mobilephone", "telephone", "tel", "cell"]
const fieldOfWord: ReadonlyMap<string, Field> = new Map([
  ...fields.map((field) => [plain(field), field] as const),
  ...phoneWords.map((word) => [word, "phone"] as const),
  ["email1value", "email"]
])

/** A numbered phone of an address book: `Phone 2 - Value`. */
const numberedPhone = /^phone[1-9](?:value)?$/

/** The field that a header names by itself; the key of a custom field keeps its case. Anything else is not known. */
const folded = (header: string): string => {
  if (header.toLowerCase().startsWith(customPrefix)) return customPrefix + header.slice(customPrefix.length)
  const word = plain(header)
  return fieldOfWord.get(word) ?? (numberedPhone.test(word) ? "phone" : header)
}

export const isPhone = (target: Target): boolean => target._tag === "Field" && target.field === "phone"

export const nameOf = (target: Target): string =>
  target._tag === "Field" ? target.field : `${customPrefix}${target.key}`

/** Characters of a header that a report shows. */
const maxHeader = 255

const cut = (text: string, maximum: number): string =>
  isLonger(text, maximum) ? `${[...text.slice(0, 2 * maximum)].slice(0, maximum).join("")}…` : text

/** Text that people wrote, short enough for a sentence about it. */
const quoted = (text: string): string => JSON.stringify(cut(text, 80))

const listOfFields = `${fields.join(", ")} and custom.<key> with a key of 1 to ${maxKeyLength} characters`

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

const claimsOf = (headers: ReadonlyArray<string>, map: ReadonlyMap<string, string> | null): ReadonlyArray<Claim> =>
  headers.flatMap((header, at) => {
    const name = map === null ? folded(header) : map.get(header)
    const ignored = name === undefined || (map === null && targetOf(name) === "unknown")
    return ignored ? [] : [{ at, header, name }]
  })

/** Everything that is wrong with a map by itself or beside the header. */
const faultsOfMap = (headers: ReadonlyArray<string>, map: ReadonlyMap<string, string>): ReadonlyArray<string> => {
  const present = new Set(headers)
  return [...map].flatMap(([header, name]) => [
    ...(present.has(header) ? [] : [`The file has no column ${quoted(header)}`]),
    ...(typeof targetOf(name) === "string"
      ? [`${quoted(header)} is mapped to ${quoted(name)}, which is no field: fields are ${listOfFields}`]
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

const faultsOfHeader = (claims: ReadonlyArray<Claim>): ReadonlyArray<string> =>
  claims
    .filter(({ name }) => targetOf(name) === "badKey")
    .map(({ header }) => `The column ${quoted(header)} needs a key of 1 to ${maxKeyLength} characters`)

/**
 * Maps a file's columns. Without `columnMap`, headers that spell a field's name, whatever their case, blanks and hyphens, map
 * themselves and all others are ignored; with it, its entries alone count. Source: docs/reference/contacts.md#mapping.
 */
export const mappingOf = (
  header: ReadonlyArray<string>,
  columnMap: string | null
): Result.Result<Mapping, MappingRefused> => {
  if (header.length > widest) return refused("file", [`The file has ${header.length} columns, more than ${widest}`])
  const headers = header.map((cell) => cell.trim())
  const map = columnMap === null ? null : parseMap(columnMap)
  if (map === undefined) return refused("columnMap", ["Expected a JSON object: each column to the name of its field"])

  const claims = claimsOf(headers, map)
  const named = new Set([...claims.map(({ name }) => name), ...(map?.values() ?? [])])
  const faults = [
    ...(map === null ? faultsOfHeader(claims) : faultsOfMap(headers, map)),
    ...faultsOfClaims(claims),
    ...(named.has("phone") ? [] : [withoutPhone(headers)])
  ]
  if (faults.length > 0) return refused(map === null ? "file" : "columnMap", faults)
  const columns = claims.map(({ at, name }) => ({ at, target: targetOf(name) as Target }))
  const fieldAt = new Map(columns.map(({ at, target }) => [at, nameOf(target)]))
  return Result.succeed({
    columns,
    phones: columns.flatMap(({ at, target }) => (isPhone(target) ? [at] : [])),
    read: Object.fromEntries(
      headers.flatMap((header, at) => (header === "" ? [] : [[cut(header, maxHeader), fieldAt.get(at) ?? null]]))
    ),
    width: header.length,
    hasConsent: named.has("opted_in")
  })
}

const refused = (part: "file" | "columnMap", messages: ReadonlyArray<string>) =>
  Result.fail(new MappingRefused({ faults: messages.map((message) => ({ field: part, message })) }))
