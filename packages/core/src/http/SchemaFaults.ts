/** Reads a failed decode as the list of fields that are wrong, with a word for the kind of fault. */
import * as Effect from "effect/Effect"
import type * as HttpApiError from "effect/http-api/HttpApiError"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as SchemaIssue from "effect/SchemaIssue"
import { nearestName } from "../kernel/index.ts"
import { type FieldError, RequestErrors, Unprocessable } from "./PlatformErrors.ts"

const slots: Record<string, string> = { Params: "path", Query: "query", Headers: "header", Payload: "body" }

/** The part of a request that does not decode; undefined where it is an answer of ours that does not encode. */
export const slotOf = ({ kind }: HttpApiError.HttpApiSchemaError): string | undefined => slots[kind]

const message = SchemaIssue.makeFormatterDefault()

const words: Record<string, string> = {
  "effect/schema/isMinLength": "string_too_short",
  "effect/schema/isMaxLength": "string_too_long",
  "effect/schema/isGUID": "uuid_parsing",
  "effect/schema/isInt": "int_type",
  "trunkline/text": "string_length",
  "effect/schema/isBetween": "out_of_range",
  "effect/schema/isGreaterThanOrEqualTo": "greater_than_equal",
  "effect/schema/isLessThanOrEqualTo": "less_than_equal"
}

interface Node {
  readonly _tag: string
  readonly path?: ReadonlyArray<PropertyKey>
  readonly issue?: Node
  readonly issues?: ReadonlyArray<Node>
  readonly ast?: { readonly propertySignatures?: ReadonlyArray<{ readonly name: PropertyKey }> }
  readonly filter?: { readonly annotations?: { readonly representation?: { readonly id?: string } } }
}

/** The faults of an issue, each with its path. */
export const faultsOf = (issue: SchemaIssue.Issue, slot: string): ReadonlyArray<FieldError> =>
  slot === "body" && issue._tag === "InvalidValue"
    ? // Only a text that is no JSON fails as a whole and by its value.
      [{ loc: [slot], msg: "The body is not valid JSON", type: "json_invalid" }]
    : walk(issue as unknown as Node, [slot])

const walk = (node: Node, loc: ReadonlyArray<string | number>): ReadonlyArray<FieldError> => {
  switch (node._tag) {
    case "Pointer":
      return walk(node.issue!, [
        ...loc,
        ...(node.path ?? []).map((part) => (typeof part === "number" ? part : String(part)))
      ])
    case "Composite":
      return (node.issues ?? []).flatMap((issue) => walk(issue, loc))
    case "AnyOf":
      return anyOf(node, loc)
    case "Encoding":
      return walk(node.issue!, loc)
    case "Filter":
      return filtered(node, loc)
    case "UnexpectedKey":
      return [{ loc, msg: unknownField(node, String(loc.at(-1))), type: "extra_forbidden" }]
    default:
      return [fault(node, loc, leaf[node._tag] ?? "value_error")]
  }
}

/** Of alternatives, null is never what a caller meant: the faults are those of the other ones, said once. */
const anyOf = (node: Node, loc: ReadonlyArray<string | number>): ReadonlyArray<FieldError> => {
  const told = (node.issues ?? []).find(({ _tag }) => _tag !== "InvalidType")
  if (told !== undefined) return walk(told, loc)
  // A value of the wrong type and a word that is none of an enumeration look alike but for the words that are named.
  return [fault(node, loc, textOf(node).includes('"') ? "literal_error" : "type_error")]
}

const filtered = (node: Node, loc: ReadonlyArray<string | number>): ReadonlyArray<FieldError> => {
  const inner = node.issue
  if (inner?._tag === "Pointer" || inner?._tag === "Composite") return walk(inner, loc)
  return [fault(node, loc, words[node.filter?.annotations?.representation?.id ?? ""] ?? "value_error")]
}

/** A name that no field has, and the field that was probably meant. */
const unknownField = ({ ast }: Node, name: string): string => {
  const nearest = nearestName(
    name,
    (ast?.propertySignatures ?? []).map((one) => String(one.name))
  )
  return nearest === undefined ? "Unknown field" : `Unknown field: did you mean ${nearest}?`
}

const textOf = (node: Node): string =>
  message(node as unknown as SchemaIssue.Issue)
    .split("\n")[0]!
    .replace(/ \| null$/, "")
    .replace(/^Missing key$/, "Field required")

const leaf: Record<string, string> = {
  MissingKey: "missing",
  InvalidType: "type_error",
  InvalidValue: "value_error"
}

const fault = (node: Node, loc: ReadonlyArray<string | number>, type: string): FieldError => ({
  loc,
  msg: textOf(node),
  type
})

/** A request that does not decode is 422; an answer of ours that does not encode is our fault, and stays a 500. */
export const layer = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestErrors,
  (error: HttpApiError.HttpApiSchemaError) => {
    const slot = slotOf(error)
    return slot === undefined
      ? Effect.fail(error)
      : Effect.fail(new Unprocessable({ detail: [...faultsOf(error.cause.issue, slot)] }))
  }
)
