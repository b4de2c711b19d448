/** A request in JSON as every route of `/v1/*` with such a body looks at it. Pure. Source: docs/reference/gateway.md#order. */
import { fingerprintOf, smallFingerprintOf } from "../../platform/idempotency/index.ts"
import { isWritableJson } from "../../platform/kernel/index.ts"
import type { Model } from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import type { Json } from "../upstreams/GenerateWork.ts"

export interface JsonRequest {
  /** Without fields that are null: null stands for an absent field. */
  readonly body: Json
  /** Of the body as it was received. */
  readonly bytes: number
}

export interface JsonInput {
  readonly json: JsonRequest
  readonly idempotencyKey: string | null
}

export const withoutNullFields = (body: Json): Json =>
  Object.values(body).includes(null)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body

/** Refuses JSON that no upstream could be sent; null for every other. */
export const unwritableRefusal = (body: unknown): InferenceRefused | null =>
  isWritableJson(body)
    ? null
    : refuse("invalid_request", { message: "The body is nested too deeply, or has a number that is out of range." })

/** Of route and JSON, however it was written. */
export const jsonFingerprint = (route: string, { body, bytes }: JsonRequest) => fingerprintOf([route, body], bytes)

/** The same of a request that is not large, at once. */
export const smallJsonFingerprint = (route: string, { body }: Pick<JsonRequest, "body">): string =>
  smallFingerprintOf([route, body])

/** Refuses a body of more bytes than the model accepts; null where it accepts them. */
export const bytesRefusal = (
  { bytes }: Pick<JsonRequest, "bytes">,
  { limits }: Pick<Model, "limits">
): InferenceRefused | null =>
  limits.bytes === null || bytes <= limits.bytes
    ? null
    : refuse("file_too_large", {
        message: `The request has more than the ${limits.bytes} bytes that this model accepts.`
      })
