/** Failures of a storage, by what a caller can do about them. */
import * as Schema from "effect/Schema"

/** What callers get for each error: the status of the HTTP interface, and the code. `LimitReached` stands beside the limits, in AccountLimits.ts. */
export const storageErrors = {
  LimitReached: { status: 409, code: "limit_reached" },
  StorageError: { status: 503, code: "storage_error" }
} as const

/**
 * - `unavailable` no connection, or it was lost; nothing is known to have been committed
 * - `contended`   the storage refused to wait longer for another writer; nothing was committed
 * - `timeout`     a statement ran over its limit; nothing was committed
 * - `full`        no room left on disk or in quota
 * - `corrupt`     the file or the schema is not what this version expects
 * - `defect`      the storage refused a statement of ours: a bug
 */
export const Reason = Schema.Literals(["unavailable", "contended", "timeout", "full", "corrupt", "defect"])
export type Reason = typeof Reason.Type

export class StorageError extends Schema.TaggedError<StorageError>()("StorageError", {
  reason: Reason,
  detail: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message() {
    return `storage ${this.reason}: ${this.detail}`
  }

  /** True when a retry of the same work may succeed. */
  get isRetryable(): boolean {
    return this.reason === "unavailable" || this.reason === "contended" || this.reason === "timeout"
  }
}
