/** The fields of an upload, and which uploads are refused. Pure. Source: docs/reference/batches.md#upload. */
import * as Result from "effect/Result"
import { requestFingerprint } from "../../platform/idempotency/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { type FieldFault, type InferenceRefused, refuse, refuseFields } from "../errors/InferenceErrors.ts"
import type { UploadFields, UploadForm } from "./UploadForm.ts"
import { tooLarge } from "./UploadForm.ts"

export interface UploadRequest {
  readonly filename: string
  readonly size: number
  readonly purpose: string
  /** Null for a file that does not expire. */
  readonly expiresAfterSeconds: number | null
  readonly fingerprint: string
}

const anchorField = "expires_after[anchor]"
const secondsField = "expires_after[seconds]"
const minSeconds = Instant.hour / Instant.second
const maxSeconds = (30 * Instant.day) / Instant.second

const lastOf = (fields: UploadFields, name: string): string | null =>
  fields.findLast(([given]) => given === name)?.[1].trim() || null

const required = "Field required"

const expiryFaults = (anchor: string | null, seconds: string | null): ReadonlyArray<FieldFault> => {
  const isNumber = seconds !== null && /^\d{1,9}$/.test(seconds)
  const number = Number(seconds)
  return [
    ...(anchor === null || anchor === "created_at" ? [] : [{ field: anchorField, message: "Expected created_at" }]),
    ...(anchor !== null && seconds === null ? [{ field: secondsField, message: required }] : []),
    ...(seconds === null || (isNumber && number >= minSeconds && number <= maxSeconds)
      ? []
      : [{ field: secondsField, message: `Expected a whole number from ${minSeconds} to ${maxSeconds}` }])
  ]
}

/** Reads the form and reports every fault of its fields at once. Unknown fields are ignored. */
export const readUploadRequest = ({ fields, file }: UploadForm): Result.Result<UploadRequest, InferenceRefused> => {
  const [purpose, anchor, seconds] = [
    lastOf(fields, "purpose"),
    lastOf(fields, anchorField),
    lastOf(fields, secondsField)
  ]
  const faults = [
    ...(file === null ? [{ field: "file", message: required }] : []),
    ...(purpose === null ? [{ field: "purpose", message: required }] : []),
    ...expiryFaults(anchor, seconds)
  ]
  if (file === null || purpose === null || faults.length > 0) return Result.fail(refuseFields(faults))
  const { digest, filename, size } = file
  return Result.succeed({
    filename,
    size,
    purpose,
    expiresAfterSeconds: seconds === null ? null : Number(seconds),
    fingerprint: requestFingerprint("files", [...fields].sort(byName), digest, size)
  })
}

const byName = ([a]: UploadFields[number], [b]: UploadFields[number]): number => (a < b ? -1 : a > b ? 1 : 0)

/** Why an upload is refused although its fields are right; null for one that is not. */
export const uploadRefusal = (
  { purpose, size }: Pick<UploadRequest, "purpose" | "size">,
  maxBytes: number
): InferenceRefused | null => {
  if (purpose !== "batch") {
    return refuse("invalid_request", {
      message: `Files are uploaded for batches alone: the purpose must be batch; it is ${JSON.stringify(purpose)}.`,
      param: "purpose"
    })
  }
  if (size === 0) return refuse("invalid_request", { message: "The file is empty.", param: "file" })
  return size > maxBytes ? tooLarge(maxBytes) : null
}

/** Uploads of one account that may be under way at a time. */
const maxUploads = 4

/** An upload beside too many others; null where it may begin. */
export const countRefusal = (others: number): InferenceRefused | null =>
  others < maxUploads
    ? null
    : refuse("rate_limit_exceeded", {
        message: `This account has ${maxUploads} uploads under way. Wait until one of them has ended.`,
        retryAfterSeconds: 5
      })

/** An upload that does not fit into the plan's storage; null where it fits. `maxBytes` is null for unlimited storage. */
export const storageRefusal = (
  size: number,
  { maxBytes, used }: { readonly maxBytes: number | null; readonly used: number }
): InferenceRefused | null => {
  if (maxBytes === null || used + size <= maxBytes) return null
  const left = Math.max(0, maxBytes - used).toLocaleString("en-US")
  return refuse("file_too_large", {
    message: `The file does not fit: ${left} bytes of the plan's storage are left. Delete files, or choose another plan.`,
    param: "file"
  })
}
