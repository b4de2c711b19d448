/** Requests of `/v1/*` that do not decode, in the envelope of that family. Source: docs/reference/errors.md#inference. */
import * as Effect from "effect/Effect"
import type * as HttpApiError from "effect/http-api/HttpApiError"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { bodyFaultOf, listLengths } from "../../platform/http/index.ts"
import { faultsOf, slotOf } from "../../platform/http/SchemaFaults.ts"
import { refusedBy, refuseWith } from "./InferenceAnswers.ts"
import { type InferenceRefused, refuse, refuseFields } from "./InferenceErrors.ts"

/** Turns schema failures of a request into refusals, and declares them for every endpoint. */
export class InferenceRequestErrors extends HttpApiMiddleware.Service<InferenceRequestErrors>()(
  "@trunkline/core/http/InferenceRequestErrors",
  { error: refusedBy(400, 422) }
) {}

/** A body that is no JSON object is refused as one that is no JSON, or too much of it. */
const refusalOf = (issue: Parameters<typeof faultsOf>[0], slot: string): InferenceRefused => {
  const whole = bodyFaultOf(issue)
  if (whole !== null) return refuse("invalid_request", { message: whole.msg })
  const faults = faultsOf(issue, slot)
  const [first] = faults
  return slot === "body" && first?.type === "type_error" && first.loc.length === 1
    ? refuse("invalid_request", { message: "The body must be a JSON object" })
    : refuseFields(faults.map(({ loc, msg }) => ({ field: loc.slice(1).join("."), message: msg })))
}

/** Reads a body that is in no request as the contract reads those that are, and refuses in the same words. */
export const bodyReaderOf = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  const tooLong = listLengths(schema.ast)
  return (body: unknown): Result.Result<A, InferenceRefused> => {
    const issue = tooLong(body)
    return issue === null
      ? Result.mapError(decode(body), (failed) => refusalOf(failed.issue, "body"))
      : Result.fail(refusalOf(issue, "body"))
  }
}

/** A request that does not decode is refused; an answer of ours that does not encode is our fault, and stays a 500. */
export const layer = HttpApiMiddleware.layerSchemaErrorTransform(
  InferenceRequestErrors,
  (error: HttpApiError.HttpApiSchemaError) => {
    const slot = slotOf(error)
    return slot === undefined ? Effect.fail(error) : refuseWith(refusalOf(error.cause.issue, slot))
  }
)
