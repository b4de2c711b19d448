/** Reads a failed decode as the list of fields that are wrong, with a word for the kind of fault. */
import * as Effect from "effect/Effect"
import type * as HttpApiError from "effect/http-api/HttpApiError"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { knownKeys, leavesOf, nearestName, type SchemaLeaf } from "../kernel/index.ts"
import { bodyFaultOf, filterId } from "./engine/index.ts"
import { type FieldError, RequestErrors, Unprocessable } from "./PlatformErrors.ts"

const slots: Record<string, string> = { Params: "path", Query: "query", Headers: "header", Payload: "body" }

/** The part of a request that does not decode; undefined where it is an answer of ours that does not encode. */
export const slotOf = ({ kind }: HttpApiError.HttpApiSchemaError): string | undefined => slots[kind]

const message = SchemaIssue.makeFormatterDefault()

/** Words for checks that fail, by the ids of the checks. */
const words: Record<string, string> = {
  [filterId(Schema.isMinLength(0))]: "string_too_short",
  [filterId(Schema.isMaxLength(0))]: "string_too_long",
  [filterId(Schema.isGUID())]: "uuid_parsing",
  [filterId(Schema.isInt())]: "int_type",
  "trunkline/text": "string_length",
  [filterId(Schema.isBetween({ minimum: 0, maximum: 0 }))]: "out_of_range",
  [filterId(Schema.isGreaterThanOrEqualTo(0))]: "greater_than_equal",
  [filterId(Schema.isLessThanOrEqualTo(0))]: "less_than_equal"
}

/** Faults that one answer names. */
export const maxFaults = 100

/** The first faults of an issue, each with its path. */
export const faultsOf = (issue: SchemaIssue.Issue, slot: string): ReadonlyArray<FieldError> => {
  const whole = bodyFaultOf(issue)
  return whole === null
    ? leavesOf(issue, [slot]).slice(0, maxFaults).flatMap(faultsOfLeaf).slice(0, maxFaults)
    : [{ loc: [slot], ...whole }]
}

const faultsOfLeaf = ({ issue, path }: SchemaLeaf): ReadonlyArray<FieldError> => {
  switch (issue._tag) {
    case "AnyOf":
      return anyOf(issue, path)
    case "Filter":
      return [fault(issue, path, words[filterId(issue.filter)] ?? "value_error")]
    case "UnexpectedKey":
      return [{ loc: path, msg: unknownField(issue, String(path.at(-1))), type: "extra_forbidden" }]
    default:
      return [fault(issue, path, types[issue._tag] ?? "value_error")]
  }
}

/** Of alternatives, null is never what a caller meant: the faults are those of the other ones, once. */
const anyOf = (issue: SchemaIssue.AnyOf, path: SchemaLeaf["path"]): ReadonlyArray<FieldError> => {
  const meant = issue.issues.find(({ _tag }) => _tag !== "InvalidType")
  if (meant !== undefined) return leavesOf(meant, path).flatMap(faultsOfLeaf)
  // A value of the wrong type and a word that is none of an enumeration look alike but for the words that are named.
  return [fault(issue, path, textOf(issue).includes('"') ? "literal_error" : "type_error")]
}

/** A name that no field has, and the field that was probably meant. */
const unknownField = (issue: SchemaIssue.UnexpectedKey, name: string): string => {
  const nearest = nearestName(name, knownKeys(issue))
  return nearest === undefined ? "Unknown field" : `Unknown field: did you mean ${nearest}?`
}

const textOf = (issue: SchemaIssue.Issue): string =>
  message(issue)
    .split("\n")[0]!
    .replace(/ \| null$/, "")
    .replace(/^Missing key$/, "Field required")
    // Only parameters of a query are numbers that come as texts, and all of them are integers.
    .replace(/^Expected a string representing a finite number$/, "Expected an integer, written in digits alone")

const types: Record<string, string> = {
  MissingKey: "missing",
  InvalidType: "type_error",
  InvalidValue: "value_error"
}

const fault = (issue: SchemaIssue.Issue, loc: SchemaLeaf["path"], type: string): FieldError => ({
  loc,
  msg: textOf(issue),
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
