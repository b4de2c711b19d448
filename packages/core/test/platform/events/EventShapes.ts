/** Writes the types of every event's data in plain TypeScript, from the catalogue: who reads events need not know schemas. */

import * as Schema from "effect/Schema"
import type { EventName } from "../../../src/platform/events/index.ts"
import { catalogueEntry, emailEvents, platformEvents } from "./AllEvents.ts"

interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly description?: string
}

/** What the formatter allows in a line. */
const widest = 120

const literal = (value: unknown): string => JSON.stringify(value)

const alternatives = ({ anyOf, enum: values }: JsonSchema, indent: string): ReadonlyArray<string> =>
  values?.map(literal) ??
  anyOf?.flatMap((one) => (one.enum === undefined ? [typeOf(one, indent)] : alternatives(one, indent))) ??
  []

const typeOf = (schema: JsonSchema, indent: string): string => {
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined || schema.anyOf !== undefined) return alternatives(schema, indent).join(" | ")
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type
    case "integer":
    case "number":
      return "number"
    case "array":
      return `ReadonlyArray<${typeOf(schema.items ?? {}, indent)}>`
    case "object":
      return schema.properties === undefined
        ? "Readonly<Record<string, unknown>>"
        : `{\n${fieldsOf(schema, `${indent}  `).join("\n")}\n${indent}}`
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}

const fieldsOf = ({ properties = {}, required = [] }: JsonSchema, indent: string): ReadonlyArray<string> =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const head = `${indent}readonly ${name}${required.includes(name) ? "" : "?"}:`
    const line = `${head} ${typeOf(schema, indent)}`
    const isWide = line.length > widest && !line.includes("\n")
    return [
      `${indent}/** ${schema.description ?? ""}. */`,
      ...(isWide ? [head, ...alternatives(schema, indent).map((one) => `${indent}  | ${one}`)] : [line])
    ]
  })

const dataOf = (name: EventName): readonly [identifier: string, schema: JsonSchema] => {
  const { definitions } = Schema.toJsonSchemaDocument(catalogueEntry(name).data)
  return Object.entries(definitions)[0] as unknown as [string, JsonSchema]
}

/** The file of all types, as the formatter has it. */
export const eventShapes = (): string => {
  const names = [...platformEvents, ...emailEvents]
  const shapes = new Map(names.map(dataOf))
  return [
    "/** What every event carries, under wire names: made from the catalogue by EventShapes.test.ts. Types, which are records too. */",
    "",
    ...[...shapes].flatMap(([identifier, schema]) => [
      `export type ${identifier} = {`,
      ...fieldsOf(schema, "  "),
      "}",
      ""
    ]),
    "/** The data of each event, by its name. */",
    "export interface EventDataOf {",
    ...names.map((name) => `  readonly ${literal(name)}: ${dataOf(name)[0]}`),
    "}",
    "",
    "export type EventName = keyof EventDataOf",
    ""
  ].join("\n")
}
