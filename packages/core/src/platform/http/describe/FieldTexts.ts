/** What the fields of bodies mean, for readers of the contract: said by the room whose fields they are. Pure. */
import * as Context from "effect/Context"
import { isObject } from "../../kernel/index.ts"

/**
 * Descriptions of fields of a group's requests and answers, by the field's name on the wire. `Schema.field` is for one schema
 * alone, where another has a field of that name that means something else; `query.parameter` is a query parameter.
 */
export const FieldTexts = Context.Reference<Readonly<Record<string, string>>>(
  "@trunkline/core/platform/http/FieldTexts",
  {
    defaultValue: () => ({})
  }
)

type Json = Readonly<Record<string, unknown>>

/** Schemas of a form's fields that are not texts, by their names: a form is read as texts. */
export const FormFields = Context.Reference<Readonly<Record<string, Record<string, unknown>>>>(
  "@trunkline/core/platform/http/FormFields",
  { defaultValue: () => ({}) }
)

/** Fields that mean the same wherever they are. */
const everywhere: Readonly<Record<string, string>> = {
  id: "Id of the record",
  tenant_id: "Id of the account",
  created_at: "Time at which the record was created",
  updated_at: "Time of the last change"
}

/** The texts of a group for one component, where another group has it as well. What is said of a component by name goes first. */
export const textsFor = (
  component: string,
  texts: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => {
  const named = Object.entries(texts).filter(([field]) => field.includes("."))
  const others = Object.entries(texts).filter(([field]) => !field.includes("."))
  return Object.fromEntries([...others.map(([field, text]) => [`${component}.${field}`, text]), ...named])
}

/** The schema with a description of each field, at any depth; one that is there already is kept. */
export const describeFields = (schema: Json, name: string, texts: Readonly<Record<string, string>>): Json => {
  const textOf = (field: string) => texts[`${name}.${field}`] ?? texts[field] ?? everywhere[field]
  const described = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(described)
    if (!isObject(node)) return node
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        key === "properties" && isObject(value) ? fields(value) : described(value)
      ])
    )
  }
  const fields = (properties: Json): Json =>
    Object.fromEntries(
      Object.entries(properties).map(([field, type]) => {
        const text = textOf(field)
        const inner = described(type) as Json
        return [field, text === undefined || "description" in inner ? inner : { ...inner, description: text }]
      })
    )
  return described(schema) as Json
}

/** Names of the components that a part of the document refers to by itself. */
export const componentsIn = (node: unknown): ReadonlyArray<string> => {
  if (Array.isArray(node)) return node.flatMap(componentsIn)
  if (!isObject(node)) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value.replace(/^#\/components\//, "")] : componentsIn(value)
  )
}
