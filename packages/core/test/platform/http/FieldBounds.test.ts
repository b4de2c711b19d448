/** Every field of every request has a maximum. */
import { neutralBrand } from "@trunkline/core/testing"
import * as OpenApi from "effect/http-api/OpenApi"
import { expect, it } from "vitest"
import { makeApi } from "../../../src/host/index.ts"

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> }
}

const document = OpenApi.fromApi(makeApi(neutralBrand)) as unknown as Json

const operations = Object.values(
  document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>
).flatMap((path) => Object.values(path))

const at = (reference: string): Json =>
  reference
    .slice(2)
    .split("/")
    .reduce<Json>((node, key) => node[key] as Json, document)

const lists = (schema: Json, key: string): ReadonlyArray<Json> => (schema[key] as ReadonlyArray<Json> | undefined) ?? []

/** Formats of a fixed length, and patterns that have an end. */
const isFinite = ({ const: only, enum: words, format, maxLength, pattern }: Json): boolean =>
  only !== undefined ||
  words !== undefined ||
  maxLength !== undefined ||
  format === "uuid" ||
  format === "date-time" ||
  (typeof pattern === "string" && pattern.endsWith("$") && !/[*+]/.test(pattern))

/** True of a free object with a bound of the number of its keys and of their length. */
const hasCount = (schema: Json): boolean =>
  [schema, ...lists(schema, "allOf")].some(({ maxProperties }) => maxProperties !== undefined)

/** Where the whole has a bound in bytes, its parts have one; a field that must not be given has none. */
const isBounded = (schema: Json): boolean =>
  schema["x-max-bytes"] !== undefined || schema.not !== undefined || (schema.type !== "array" && isFinite(schema))

/** Paths of the fields below a schema that have no maximum. */
const unbounded = (schema: Json, path: string, seen: ReadonlySet<string> = new Set()): ReadonlyArray<string> => {
  const reference = schema.$ref as string | undefined
  if (reference !== undefined) {
    return seen.has(reference) ? [] : unbounded(at(reference), path, new Set([...seen, reference]))
  }
  if (isBounded(schema) || lists(schema, "allOf").some(isBounded)) return []
  const alternatives = [...lists(schema, "anyOf"), ...lists(schema, "oneOf"), ...lists(schema, "allOf")]
  if (alternatives.length > 0) return alternatives.flatMap((one) => unbounded(one, path, seen))
  if (schema.type === "string") return isFinite(schema) ? [] : [`${path}: string`]
  if (schema.type === "array") {
    const elements = [...(schema.items === undefined ? [] : [schema.items as Json]), ...lists(schema, "prefixItems")]
    return [
      ...(schema.maxItems === undefined ? [`${path}: array`] : []),
      ...elements.flatMap((one) => unbounded(one, `${path}[]`, seen))
    ]
  }
  if (schema.type === "object" || schema.properties !== undefined) {
    const known = Object.entries((schema.properties as Readonly<Record<string, Json>> | undefined) ?? {})
    const others = schema.additionalProperties ?? known.length === 0
    const isOpen = others !== false && typeof others !== "undefined" && !hasCount(schema)
    return [
      ...known.flatMap(([name, field]) => unbounded(field, `${path}.${name}`, seen)),
      ...(isOpen ? [`${path}.*: open`] : []),
      ...(typeof others === "object" && hasCount(schema) ? unbounded(others as Json, `${path}.*`, seen) : [])
    ]
  }
  return schema.type === undefined && schema.enum === undefined && schema.const === undefined ? [`${path}: any`] : []
}

/** Bodies whose bounds are not fields of their own, and why. */
const bodiesOfOthers: Readonly<Record<string, string>> = {
  "callbacks.take": "a carrier's form has one bound for all of it, and a number of fields",
  "callbacks.resume": "a carrier's form has one bound for all of it, and a number of fields",
  "inbound.take": "a signed delivery is read by its channel, from exact bytes that have one bound"
}

/** Fields of requests that are passed on to a model, which has a maximum of its own. The body's bound is theirs. */
const passedOn: Readonly<Record<string, RegExp>> = {
  "a prompt may have as many tokens as the model takes":
    /^(llm\.(responses|inputTokens)\.(input|instructions)|messages\.\w+\.system(\[\]\.text)?|llm\.chat\.messages|messages\.\w+\.messages): (string|array)$/,
  "fields that the gateway does not know are the model's":
    /^(llm|messages|embeddings|images|speechSynthesis)\.[\w.[\]]+\.\*: open$/,
  "an input of embeddings may have as many tokens as the model takes": /^embeddings\.embed\.input/,
  "other fields of a batch are passed over": /^batches\.create\.\*: open$/
}

/** A form is read with bounds for its fields, its parts and its file. */
const ofForms = "multipart/form-data"

const faults = operations.flatMap(({ operationId, requestBody }) =>
  operationId in bodiesOfOthers
    ? []
    : Object.entries(requestBody?.content ?? {})
        .filter(([contentType]) => contentType !== ofForms)
        .flatMap(([, { schema }]) => unbounded(schema, operationId))
)

it("every text, list and free object that a body may hold has a maximum", () => {
  expect([...new Set(faults)].filter((fault) => !Object.values(passedOn).some((known) => known.test(fault)))).toEqual(
    []
  )
})

it("every exception is still one", () => {
  const unused = Object.entries(passedOn).filter(([, known]) => !faults.some((fault) => known.test(fault)))
  expect(unused.map(([why]) => why)).toEqual([])
  expect(Object.keys(bodiesOfOthers).filter((id) => !operations.some((one) => one.operationId === id))).toEqual([])
})
