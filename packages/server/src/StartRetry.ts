/** Retries a start whose database connection breaks. Source: docs/reference/operations.md#start. */
import { StorageError } from "@trunkline/core/provider"

/** How long a start is retried after its connection first broke. */
const maxRetryMs = 30_000

const retryDelayMs = 1_000

export interface RetryTools {
  /** Called once, before the first retry. */
  readonly onRetry: (fault: StorageError, forMs: number) => void
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
}

/**
 * Starts, and retries for 30 s where the database was reached and the connection broke. A database that never answers, or
 * that refuses the user, is not retried. Rejects with the last failure.
 */
export const retryStart = async <A>(start: () => Promise<A>, { now, onRetry, sleep }: RetryTools): Promise<A> => {
  let until: number | undefined
  for (;;) {
    try {
      return await start()
    } catch (error) {
      const fault = storageErrorOf(error)
      const failure = fault === null ? "permanent" : await failureOf(fault)
      if (
        fault === null ||
        failure === "permanent" ||
        (until === undefined ? failure !== "interrupted" : now() >= until)
      )
        throw error
      if (until === undefined) onRetry(fault, maxRetryMs)
      until ??= now() + maxRetryMs
      await sleep(retryDelayMs)
    }
  }
}

/** Only Postgres has a connection that can break. Its client is loaded when there is a fault to read. */
const failureOf = async (fault: StorageError) => (await import("@trunkline/storage-postgres")).connectionFailure(fault)

const storageErrorOf = (error: unknown): StorageError | null => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) if (one instanceof StorageError) return one
  return null
}
