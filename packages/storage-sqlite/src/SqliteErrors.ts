/** What SQLite's result codes mean to a caller. The table is the code; its test walks it. */
import { StorageError, type StorageReason } from "@trunkline/core/storage"

/** By the primary result code; extended codes carry it as their first part. Source: docs/reference/storage.md#errors. */
export const reasons: Readonly<Record<string, typeof StorageReason.Type>> = {
  SQLITE_BUSY: "contended",
  SQLITE_LOCKED: "contended",
  SQLITE_INTERRUPT: "timeout",
  SQLITE_FULL: "full",
  SQLITE_IOERR: "unavailable",
  SQLITE_CANTOPEN: "unavailable",
  SQLITE_READONLY: "unavailable",
  SQLITE_PERM: "unavailable",
  SQLITE_AUTH: "unavailable",
  SQLITE_PROTOCOL: "unavailable",
  SQLITE_NOMEM: "unavailable",
  SQLITE_CORRUPT: "corrupt",
  SQLITE_NOTADB: "corrupt",
  SQLITE_FORMAT: "corrupt",
  SQLITE_SCHEMA: "corrupt"
}

/** SQLite has no code of its own for a schema that is not what we expect. */
const foreignSchema = /^(no such (table|column)|table \S+ (already exists|has no column))/

/** The driver's own error, without a code, of a storage that has been closed. */
const closed = /^The database connection is not open/

const primary = (code: string): string => code.split("_").slice(0, 2).join("_")

export const classify = (error: unknown, what: string): StorageError => {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
  const message = error instanceof Error ? error.message : String(error)
  const reason = closed.test(message)
    ? "unavailable"
    : foreignSchema.test(message)
      ? "corrupt"
      : (reasons[primary(code)] ?? "defect")
  return new StorageError({ reason, detail: `${what}: ${message}`, cause: error })
}
