/** Types of the contract's schemas, in plain TypeScript. */

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: JsonSchema | boolean
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

const prefix = "#/components/schemas/"

/** The names of the records that anything of the contract refers to. */
export const refsOf = (value: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const walk = (one: unknown): void => {
    if (typeof one !== "object" || one === null) return
    for (const [name, inner] of Object.entries(one)) {
      if (name === "$ref" && typeof inner === "string" && inner.startsWith(prefix))
        found.add(inner.slice(prefix.length))
      walk(inner)
    }
  }
  walk(value)
  return found
}

export const commented = (text: string, indent: string): string => {
  const lines = text.replaceAll("*/", "* /").trim().split("\n")
  if (text.trim() === "") return ""
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
}

export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** A bound that every whole number keeps says nothing. */
const stated = (bound: number | undefined): number | undefined =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined

const boundsOf = ({ default: standard, description = "", ...schema }: JsonSchema): string => {
  const [minimum, maximum] = [stated(schema.minimum), stated(schema.maximum)]
  const bounds =
    minimum !== undefined && maximum !== undefined
      ? `From ${minimum} to ${maximum}.`
      : maximum !== undefined
        ? `At most ${maximum}.`
        : minimum !== undefined && minimum > 0
          ? `At least ${minimum}.`
          : ""
  const sentences =
    standard === undefined || /\bdefault\b/i.test(description) ? "" : `Default ${JSON.stringify(standard)}.`
  return [bounds, sentences].filter((one) => one !== "").join(" ")
}

const memberOf = (name: string, schema: JsonSchema, isRequired: boolean, indent: string): string => {
  const sentences = [schema.description === undefined ? "" : sentence(schema.description), boundsOf(schema)]
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  const type = typeOf(schema, indent)
  return `${commented(sentences.filter((one) => one !== "").join(" "), indent)}${indent}readonly ${key}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"}`
}

const objectOf = ({ additionalProperties, properties, required = [] }: JsonSchema, indent: string): string => {
  const isOpen = typeof additionalProperties === "object" || additionalProperties === true
  const others = typeof additionalProperties === "object" ? typeOf(additionalProperties, indent) : "unknown"
  if (properties === undefined) return `Readonly<Record<string, ${others}>>`
  const members = Object.entries(properties).map(([name, schema]) =>
    memberOf(name, schema, required.includes(name), `${indent}  `)
  )
  return `{\n${[...members, ...(isOpen ? [`${indent}  readonly [name: string]: unknown`] : [])].join("\n")}\n${indent}}`
}

/** The type of a schema. */
export const typeOf = (schema: JsonSchema, indent: string): string => {
  if (schema.$ref !== undefined) return schema.$ref.slice(prefix.length)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(" | ")
  switch (schema.type) {
    case "string":
      return schema.format === "binary" ? "FormFile" : "string"
    case "boolean":
    case "null":
      return schema.type
    case "integer":
    case "number":
      return "number"
    case "array":
      return `ReadonlyArray<${typeOf(schema.items ?? {}, indent)}>`
    case "object":
      return objectOf(schema, indent)
    default:
      return "unknown"
  }
}
