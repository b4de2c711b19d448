/** A start whose database is cut off in the middle begins again, for a while. Source: docs/operations.md#start. */
import { StorageError } from "@trunkline/core/effect"

/** How long a start is tried again after it was first cut off. */
const againForMs = 30_000

const everyMs = 1_000

export interface Again {
  /** Says what is wrong, once. */
  readonly say: (fault: StorageError, forMs: number) => void
  /** Milliseconds that only grow. */
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<void>
}

/**
 * Starts, and starts again for 30 s when the database was reached and the connection broke. A database that does not answer at
 * all, or that refuses the user, ends the start at once. Rejects with the last failure.
 */
export const startAgain = async <A>(start: () => Promise<A>, { now, say, sleep }: Again): Promise<A> => {
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
      if (until === undefined) say(fault, againForMs)
      until ??= now() + againForMs
      await sleep(everyMs)
    }
  }
}

/** Only Postgres has a connection that can break. Its client is loaded when there is a fault to read. */
const failureOf = async (fault: StorageError) => (await import("@trunkline/storage-postgres")).connectionFailure(fault)

const storageErrorOf = (error: unknown): StorageError | null => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) if (one instanceof StorageError) return one
  return null
}
