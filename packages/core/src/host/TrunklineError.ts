/** Errors as a host sees them that has never heard of Effect. */

import { statuses } from "../http/PlatformErrors.ts"
import { InferenceRefused } from "../inference/index.ts"
import { Wire } from "../kernel/index.ts"

/** `code` names the error and never changes; `status` is what the HTTP API would answer; the message is a sentence. */
export class TrunklineError extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, status: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "TrunklineError"
    this.code = code
    this.status = status
  }
}

const statusOf: Record<string, number> = {
  PaymentRequired: 402,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  TooManyRequests: 429,
  BadGateway: 502,
  Unprocessable: 422,
  UnprocessableSentence: 422,
  Unavailable: 503
}

interface Tagged {
  readonly _tag: string
  readonly message: string
}

const isTagged = (error: unknown): error is Tagged =>
  typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string"

/** Any failure as a `TrunklineError`; an interruption by the caller's signal stays an abort. */
export const toTrunklineError = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted === true) return signal.reason
  if (!isTagged(error)) return error
  if (error instanceof InferenceRefused) return new TrunklineError(error.code, error.status, error.message, error)
  const status = statuses[error._tag as keyof typeof statuses]
  const code = Wire.snakeName(error._tag)
    .replace(/^_/, "")
    .replace(/_error$/, "_error")
  return new TrunklineError(code, status === undefined ? 500 : (statusOf[nameOf(status)] ?? 500), error.message, error)
}

const nameOf = (wire: unknown): string => (wire as { readonly name: string }).name
