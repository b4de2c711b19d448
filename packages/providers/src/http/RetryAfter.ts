/** Reads the `Retry-After` header. Pure. */
import type { Instant } from "@trunkline/core/provider"

/** Milliseconds from `at`, from zero on; null where the header is missing or says neither seconds nor a date of HTTP's. */
export const retryAfterMs = (header: string | null, at: Instant.Instant): number | null => {
  if (header === null) return null
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000
  // A text that is neither a number nor a date of HTTP's, such as -5, is still a date to the language.
  const until = / GMT\s*$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, until - at)
}

/** The same in whole seconds, rounded up. */
export const retryAfterSeconds = (header: string | null, at: Instant.Instant): number | null => {
  const ms = retryAfterMs(header, at)
  return ms === null ? null : Math.ceil(ms / 1000)
}
