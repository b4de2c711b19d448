/** What SQLSTATE codes mean to a caller. The table is the code; its test walks it. */
import { StorageError, type StorageReason } from "@trunkline/core/storage"

/** A whole code first, then its class. Source: docs/reference/storage.md#errors. */
export const reasons: Readonly<Record<string, typeof StorageReason.Type>> = {
  "40001": "contended",
  "40P01": "contended",
  "55P03": "contended",
  "57014": "timeout",
  "25P03": "timeout",
  "25P04": "timeout",
  "53100": "full",
  "53200": "full",
  "53400": "full",
  "53300": "unavailable",
  "3D000": "unavailable",
  "25006": "unavailable",
  "42501": "unavailable",
  "57P01": "unavailable",
  "57P02": "unavailable",
  "57P03": "unavailable",
  "57P04": "unavailable",
  "57P05": "unavailable",
  "3F000": "corrupt",
  "42P01": "corrupt",
  "42703": "corrupt",
  "42P07": "corrupt",
  XX001: "corrupt",
  XX002: "corrupt",
  "08": "unavailable",
  "28": "unavailable",
  "58": "unavailable"
}

/** Errors of the connection itself, before or instead of an answer of the server. */
const network = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "EAI_AGAIN"
])

/** The driver's own errors carry no code. */
const lost =
  /connection terminated|connection error|client was closed|not queryable|read timeout|timeout exceeded when trying to connect|cannot use a pool after/i

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""

/** Codes of a server that was there and broke off, or that is just starting or stopping. */
const broken = new Set(["ECONNRESET", "EPIPE", "57P01", "57P02", "57P03", "57P05", "53300"])

/** Codes that a retry does not change: a wrong name, a wrong password, a database that is not there. */
const lasting = new Set(["ENOTFOUND", "3D000", "25006", "42501"])

/**
 * What a failure of the connection means for the next attempt:
 * - `interrupted` the server was reached, and the connection broke
 * - `unreachable` nothing answers
 * - `permanent`   the next attempt fails in the same way
 */
export const connectionFailure = ({
  cause,
  detail,
  isRetryable
}: StorageError): "interrupted" | "unreachable" | "permanent" => {
  const code = codeOf(cause)
  if (!isRetryable || lasting.has(code) || code.startsWith("28") || cause === undefined) return "permanent"
  const isBroken =
    broken.has(code) || code.startsWith("08") || (code === "" && /terminated|not queryable/i.test(detail))
  return isBroken ? "interrupted" : "unreachable"
}

export const classify = (error: unknown, what: string): StorageError => {
  if (error instanceof StorageError) return error
  const code = codeOf(error)
  // An address that resolves to several gives an error of all of them, with no message of its own.
  const message = error instanceof Error ? error.message || code : String(error)
  const reason =
    network.has(code) || (code === "" && lost.test(message))
      ? "unavailable"
      : (reasons[code] ?? reasons[code.slice(0, 2)] ?? "defect")
  return new StorageError({ reason, detail: `${what}: ${message}`, cause: error })
}
