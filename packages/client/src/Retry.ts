/** When a request is sent again, and after how long. Pure. */
import type { ApiError } from "./ApiError.ts"

/** A server that asks for a longer wait is not waited for: the caller learns it from the error. */
const maxWaitSeconds = 30

const firstWaitMs = 500
const maxBackoffMs = 8000

/** The server has done nothing: it refused the request, or the same one of before is still running. */
const isUntouched = ({ code, status }: ApiError): boolean => status === 429 || code === "idempotency_in_progress"

/** Nobody knows whether the server has done anything: there was no answer, or it came from a server in between. */
const isUncertain = (status: number): boolean => [0, 408, 502, 503, 504].includes(status)

export interface Try {
  /** The number of the try that has failed, from 0. */
  readonly nth: number
  /** What to do twice is the same as to do it once: no POST, or one with an `Idempotency-Key`. */
  readonly isRepeatable: boolean
  readonly error: ApiError
  /** From 0 to 1, drawn for this try, so that clients that failed together do not come back together. */
  readonly chance: number
}

/** How many milliseconds to wait before the next try; null where there is none. */
export const nextTry = ({ chance, error, isRepeatable, nth }: Try, maxRetries: number): number | null => {
  const { retryAfterSeconds, status } = error
  if (nth >= maxRetries || !(isUntouched(error) || (isUncertain(status) && isRepeatable))) return null
  if (retryAfterSeconds !== null) return retryAfterSeconds <= maxWaitSeconds ? retryAfterSeconds * 1000 : null
  // What has no end that is known, such as a credit that is used up, names no time.
  if (status === 429) return null
  return Math.min(firstWaitMs * 2 ** nth, maxBackoffMs) * (0.5 + chance / 2)
}
