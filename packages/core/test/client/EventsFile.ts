/** Writes the types of every event's data in plain TypeScript, from the catalogue: who reads events need not know schemas. */
import * as Schema from "effect/Schema"
import type { EventName } from "../../src/platform/events/index.ts"
import { catalogueEntry, emailEvents, platformEvents } from "../platform/events/AllEvents.ts"
import { type JsonSchema, typeOf } from "./ClientTypes.ts"

const dataOf = (name: EventName): readonly [identifier: string, schema: JsonSchema] => {
  const { definitions } = Schema.toJsonSchemaDocument(catalogueEntry(name).data)
  const [identifier, schema] = Object.entries(definitions)[0]!
  return [identifier, JSON.parse(JSON.stringify(schema, closed))]
}

/** Nothing is read of an event but the fields that it is described to have. */
const closed = (key: string, value: unknown): unknown => (key === "additionalProperties" ? undefined : value)

/** The file of all types, before it is formatted. They are types and no interfaces, so that they are records too. */
export const eventsFile = (): string => {
  const names = [...platformEvents, ...emailEvents]
  const types = new Map(names.map(dataOf))
  return [
    "/** What every event carries, under wire names: made from the catalogue by ClientFiles.test.ts. Types, which are records too. */",
    "",
    ...[...types].map(([identifier, schema]) => `export type ${identifier} = ${typeOf(schema, "")}\n`),
    "/** The data of each event, by its name. */",
    "export interface EventDataOf {",
    ...names.map((name) => `  readonly ${JSON.stringify(name)}: ${dataOf(name)[0]}`),
    "}",
    "",
    "export type EventName = keyof EventDataOf",
    ""
  ].join("\n")
}
