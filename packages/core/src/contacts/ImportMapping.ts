/** Decides which column of a file is which field, or names everything that is wrong with the header and the map at once. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { foreignJson, isLonger } from "../kernel/index.ts"

/** Fields that a column may have by name. Source: docs/contacts.md#fields. */
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

export interface Mapping {
  readonly columns: ReadonlyArray<Column>
  /** Cells of the header. A row may have fewer, and more only where they are empty. */
  readonly width: number
  /** The file speaks about consent, so that the form's flag does not. */
  readonly hasConsent: boolean
}

/** A header and a map that do not go together; every fault at once, by the form's part. */
export class MappingRefused extends Schema.TaggedError<MappingRefused>()("MappingRefused", {
  faults: Schema.Array(Schema.Struct({ field: Schema.Literals(["file", "columnMap"]), message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ message }) => message).join("; ")
  }
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

/** A header that spells a field's name in any case; the key of a custom field keeps its own. */
const folded = (header: string): string => {
  const lower = header.toLowerCase()
  return lower.startsWith(customPrefix) ? customPrefix + header.slice(customPrefix.length) : lower
}

export const nameOf = (target: Target): string =>
  target._tag === "Field" ? target.field : `${customPrefix}${target.key}`

/** Text that people wrote, short enough for a sentence about it. */
const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

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
    return earlier === undefined ? [] : [`Two columns are ${name}: ${quoted(earlier)} and ${quoted(header)}`]
  })
}

const faultsOfHeader = (claims: ReadonlyArray<Claim>): ReadonlyArray<string> =>
  claims
    .filter(({ name }) => targetOf(name) === "badKey")
    .map(({ header }) => `The column ${quoted(header)} needs a key of 1 to ${maxKeyLength} characters`)

/**
 * Maps a file's columns. Without `columnMap`, headers that spell a field's name map themselves and all others are
 * ignored; with it, its entries alone count. Source: docs/contacts.md#mapping.
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
    ...(named.has("phone") ? [] : ['No column is the phone number: call one "phone", or name it in column_map'])
  ]
  if (faults.length > 0) return refused(map === null ? "file" : "columnMap", faults)
  return Result.succeed({
    columns: claims.map(({ at, name }) => ({ at, target: targetOf(name) as Target })),
    width: header.length,
    hasConsent: named.has("opted_in")
  })
}

const refused = (part: "file" | "columnMap", messages: ReadonlyArray<string>) =>
  Result.fail(new MappingRefused({ faults: messages.map((message) => ({ field: part, message })) }))
