/** Checks a brand against the names that stand in the contract already. */
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as SchemaAST from "effect/SchemaAST"
import { Scopes } from "../platform/accounts/index.ts"
import { type Brand, brandOf, namingFaults, neutralBrand, type ReservedNames } from "../platform/brand/index.ts"
import type { SettingFault } from "../platform/settings/index.ts"
import { groupsOf, type Rooms, roomEvents } from "./Rooms.ts"

type Endpoint = Pick<HttpApiEndpoint.Top, "path" | "payload" | "success">

const endpointsOf = (rooms: Rooms): ReadonlyArray<Endpoint> =>
  [...groupsOf(rooms, "api", neutralBrand), ...groupsOf(rooms, "unpublishedApi", neutralBrand)].flatMap((group) =>
    Object.values<Endpoint>(group.endpoints)
  )

/** First segments below `/api/v1`, such as `contacts`. */
const segments = (endpoints: ReadonlyArray<Endpoint>): ReadonlyArray<string> =>
  endpoints.flatMap(({ path }) => /^\/api\/v1\/([a-z][a-z-]*)/.exec(path)?.[1] ?? [])

const bodies = ({ payload, success }: Endpoint): ReadonlyArray<SchemaAST.AST> =>
  [...success, ...[...payload.values()].flatMap(({ schemas }) => schemas)].map(({ ast }) => SchemaAST.toEncoded(ast))

/** What an AST is made of. */
const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Objects":
      return ast.propertySignatures.map(({ type }) => type)
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Union":
      return ast.types
    default:
      return []
  }
}

/** The field names of every object in a schema. */
const objectsOf = (ast: SchemaAST.AST): ReadonlyArray<ReadonlyArray<string>> => [
  ...(ast._tag === "Objects" ? [ast.propertySignatures.map(({ name }) => String(name))] : []),
  ...partsOf(ast).flatMap(objectsOf)
]

/** Fields of objects in which a field of the brand stands too. */
const fields = (rooms: Rooms, endpoints: ReadonlyArray<Endpoint>): ReadonlyArray<string> => {
  const branded = new Set([neutralBrand.messageIdField, neutralBrand.messageIdsField, neutralBrand.userIdField])
  const events = roomEvents(rooms).entries.map(({ data }) => SchemaAST.toEncoded(data.ast))
  return [...endpoints.flatMap(bodies), ...events]
    .flatMap(objectsOf)
    .filter((names) => names.some((name) => branded.has(name)))
    .flatMap((names) => names.filter((name) => !branded.has(name)))
}

const known = new WeakMap<Rooms, ReservedNames>()

/** The names of the product's contract, without those that a brand chooses. They are the same for every brand: found once. */
const reservedNames = (rooms: Rooms): ReservedNames => {
  const found = known.get(rooms) ?? findReservedNames(rooms)
  known.set(rooms, found)
  return found
}

const findReservedNames = (rooms: Rooms): ReservedNames => {
  const endpoints = endpointsOf(rooms)
  const scopes = Scopes.scopes.map((scope) => scope.split(":")[0] ?? "")
  return {
    channels: new Set(
      [...segments(endpoints), ...scopes].filter((name) => name !== neutralBrand.channel && name !== "channel")
    ),
    fields: new Set(fields(rooms, endpoints))
  }
}

/** Everything that is wrong with a brand, its names in the contract included; nothing for one that can be used. */
export const brandFaults = (rooms: Rooms, brand: Brand): ReadonlyArray<string> =>
  namingFaults(brand, reservedNames(rooms))

/** A brand whose field names nobody chooses, so that one name can be checked alone. */
const unlikelyBrand: Brand = { ...neutralBrand, messageIdField: "a__1", messageIdsField: "a__2", userIdField: "a__3" }

/** Each name is checked by itself, so that a fault has its path; then all together. */
export const brandRules = (
  { brand = {} }: { readonly brand?: Partial<Brand> },
  rooms: Rooms
): ReadonlyArray<SettingFault> => {
  // Its names are the contract's own, and to find all others takes a tenth of a start.
  if (brandOf(brand) === neutralBrand) return []
  const ofNames = Object.entries(brand).flatMap(([name, value]) =>
    typeof value === "string"
      ? brandFaults(rooms, { ...unlikelyBrand, [name]: value }).map((message) => ({ path: ["brand", name], message }))
      : []
  )
  const ofAll = brandFaults(rooms, brandOf(brand)).filter((message) =>
    ofNames.every((fault) => fault.message !== message)
  )
  return [...ofNames, ...ofAll.map((message) => ({ path: ["brand"], message }))]
}
