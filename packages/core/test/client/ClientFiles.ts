/** Writes the files of `packages/client/src/generated`: from the published contract the records as types and each area's routes as methods, from the catalogue the data of events. */
import * as OpenApi from "effect/http-api/OpenApi"
import { everything, publicApi } from "../../src/host/Everything.ts"
import { groupsOf } from "../../src/host/Rooms.ts"
import { brandOf } from "../../src/platform/brand/index.ts"
import { type Described, methodOf, tableOf } from "./ClientMethods.ts"
import { commented, type JsonSchema, refsOf, typeOf } from "./ClientTypes.ts"
import { eventsFile } from "./EventsFile.ts"

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

const documentOf = (): Document => OpenApi.fromApi(publicApi(brandOf(undefined))) as unknown as Document

/** The groups of the contract that an area serves. */
const groupsByArea = (): ReadonlyArray<readonly [area: string, groups: ReadonlyArray<string>]> =>
  everything.areas.map((area) => {
    const groups = groupsOf(area.rooms, "api", brandOf(undefined)) as ReadonlyArray<{ readonly identifier: string }>
    return [area.name, groups.map(({ identifier }) => identifier)]
  })

const methodsByGroup = (document: Document): ReadonlyMap<string, ReadonlyArray<Described>> => {
  const found = new Map<string, Array<Described>>()
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(operations)) {
      const [group] = operation.operationId.split(".")
      found.set(group!, [...(found.get(group!) ?? []), { ...operation, path, verb: verb.toUpperCase() }])
    }
  }
  return found
}

interface AreaSource {
  readonly groups: ReadonlyArray<string>
  readonly methods: ReadonlyMap<string, ReadonlyArray<Described>>
  /** The names of all records. */
  readonly records: ReadonlyArray<string>
}

const areaFile = (area: string, { groups, methods, records }: AreaSource): string => {
  const made = groups.flatMap((group) => {
    const found = methods.get(group)
    return found === undefined ? [] : [{ group, methods: found }]
  })
  const types = made.map(({ group, methods }) =>
    [`export interface ${capital(group)}Methods {`, ...methods.map(methodOf), "}", ""].join("\n")
  )
  const client = [
    `/** The routes of the area ${area}. */`,
    `export interface ${capital(area)}Client {`,
    ...made.map(({ group }) => `  readonly ${group}: ${capital(group)}Methods`),
    "}",
    "",
    `/** For the \`areas\` of \`createClient\`. */`,
    `export const ${area}: ClientArea<${capital(area)}Client> = clientArea({`,
    made.map(({ group, methods }) => `  ${group}: {\n${methods.map(tableOf).join(",\n")}\n  }`).join(",\n"),
    "})",
    ""
  ]
  const text = [...types, ...client].join("\n")
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "")
  const named = (from: string, names: ReadonlyArray<string>) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code))
    return used.length === 0 ? [] : [`import type { ${used.join(", ")} } from "${from}"`]
  }
  return [
    `/** The area ${area}: made from the contract by ClientFiles.test.ts. */`,
    ...named("../ServerEvents.ts", ["ServerEvents"]),
    ...named("../List.ts", ["List"]),
    `import { type ClientArea, clientArea } from "../Operation.ts"`,
    ...named("../Request.ts", ["FileResponse", "FormFile", "KeyedRequestOptions", "RequestOptions"]),
    ...named("./Records.ts", records),
    "",
    text
  ].join("\n")
}

/** Records that methods name, and those within them. */
const recordsFile = ({ components: { schemas } }: Document, roots: ReadonlyArray<string>): string => {
  const named = new Set<string>()
  const add = (name: string): void => {
    if (named.has(name)) return
    named.add(name)
    for (const inner of refsOf(schemas[name])) add(inner)
  }
  roots.forEach(add)
  return [
    "/** The records of the HTTP API, as they are on the wire: made from the contract by ClientFiles.test.ts. */",
    "",
    ...[...named].sort().map((name) => {
      const schema = schemas[name]!
      const type = typeOf(schema, "")
      const head = schema.description === undefined ? "" : commented(schema.description, "")
      return `${head}${type.startsWith("{") ? `export interface ${name} ${type}` : `export type ${name} = ${type}`}\n`
    })
  ].join("\n")
}

/** The files by their names, before they are formatted. */
export const clientFiles = (): ReadonlyArray<readonly [name: string, text: string]> => {
  const document = documentOf()
  const methods = methodsByGroup(document)
  const records = Object.keys(document.components.schemas).sort()
  const areas = groupsByArea().filter(([, groups]) => groups.some((group) => methods.has(group)))
  return [
    ["Events.ts", eventsFile()],
    ["Records.ts", recordsFile(document, [...refsOf([...methods.values()].flat())])],
    ...areas.map(
      ([area, groups]) => [`${capital(area)}Client.ts`, areaFile(area, { groups, methods, records })] as const
    )
  ]
}
