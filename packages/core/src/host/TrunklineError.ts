/** Errors of the promise API. */
import type { InferenceRefused } from "../gateway/errors/index.ts"
import { Wire } from "../platform/kernel/index.ts"
import type { ErrorStatus } from "../platform/room/index.ts"
import type { RoomErrors, RoomErrorTag } from "./Rooms.ts"

/** The fault of one field of what a host passed. */
export interface InvalidField {
  /** From the record that the field stands in: `["maxAttempts"]`, `["people", 3, "phone"]`. */
  readonly path: ReadonlyArray<string | number>
  /** A sentence for people. */
  readonly message: string
}

/**
 * `code` names the error and never changes; `status` is what the HTTP API would answer; the message is a sentence. `fields`
 * has every field that is to blame, where fields are. Source: docs/reference/errors.md.
 */
export class TrunklineError extends Error {
  readonly code: string
  readonly status: number
  readonly fields: ReadonlyArray<InvalidField>

  constructor(
    code: string,
    status: number,
    message: string,
    cause?: unknown,
    fields: ReadonlyArray<InvalidField> = []
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "TrunklineError"
    this.code = code
    this.status = status
    this.fields = fields
  }
}

/** The sentence of an error names at most this many fields; `fields` has them all. */
const maxNamed = 5

const sentenceOf = ({ message, path }: InvalidField): string =>
  path.length === 0 ? message : `${path.join(".")}: ${message}`

/** All faults as one sentence. */
export const sentencesOf = (fields: ReadonlyArray<InvalidField>, max = maxNamed): string => {
  const named = fields.slice(0, max).map(sentenceOf)
  return [...named, ...(fields.length > max ? [`and ${fields.length - max} more`] : [])].join("; ")
}

/** Arguments that do not decode: every failing field at once. */
export const schemaRefused = (fields: ReadonlyArray<InvalidField>, cause?: unknown): TrunklineError =>
  new TrunklineError("schema_refused", 422, sentencesOf(fields), cause, fields)

/** Every failure that a promise may have: one that no room declares does not compile. */
export type PromiseFailure =
  | { readonly _tag: RoomErrorTag; readonly message: string }
  | InferenceRefused
  | TrunklineError

/** The status of every code that a promise may be refused with, those of the gateway apart. */
export const errorCodesOf = (errors: RoomErrors): Readonly<Record<string, number>> =>
  Object.fromEntries([
    ...Object.values(errors).map(({ code, status }) => [code, status] as const),
    ["internal_error", 500],
    ["options_refused", 500],
    ["schema_refused", 422],
    ["token_secret_missing", 500],
    ["voice_session_closed", 409]
  ])

interface Tagged {
  readonly _tag: string
  readonly message: string
  readonly faults?: ReadonlyArray<{ readonly field: string; readonly message: string }>
}

const isTagged = (error: unknown): error is Tagged =>
  typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string"

const fieldsOf = ({ faults }: Tagged): ReadonlyArray<InvalidField> =>
  Array.isArray(faults) ? faults.map(({ field, message }) => ({ path: Wire.pathOf(field), message })) : []

const internal = (error: unknown): TrunklineError =>
  new TrunklineError("internal_error", 500, error instanceof Error ? error.message : String(error), error)

/** The gateway is not loaded for it: its refusals bring code and status along. */
const isInferenceRefused = (error: Tagged): error is Tagged & Pick<InferenceRefused, "code" | "status"> =>
  error._tag === ("InferenceRefused" satisfies InferenceRefused["_tag"])

/** Makes any failure a `TrunklineError`, with the errors of the product's rooms; an interruption by the caller's signal stays an abort. */
export const makeToTrunklineError =
  (errors: Readonly<Record<string, ErrorStatus | undefined>>) =>
  (error: unknown, signal: AbortSignal | undefined): unknown => {
    if (signal?.aborted === true) return signal.reason
    if (error instanceof TrunklineError) return error
    if (!isTagged(error)) return internal(error)
    if (isInferenceRefused(error)) return new TrunklineError(error.code, error.status, error.message, error)
    const known = errors[error._tag]
    return known === undefined
      ? internal(error)
      : new TrunklineError(known.code, known.status, error.message, error, fieldsOf(error))
  }
