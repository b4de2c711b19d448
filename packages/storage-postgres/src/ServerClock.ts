/** The server's clock, which may differ from this process's. */

/** Its milliseconds, in SQL. */
export const serverNow = "(extract(epoch from clock_timestamp()) * 1000)::bigint"

/** A difference up to this is not reported: an answer of the server may be this late. */
const toleranceMs = 10_000

/** Notices when this process's clock begins and ceases to differ from the server's. */
export class ClockComparison {
  #differs = false

  /** What an operator is to know; null where nothing has changed. */
  compare(server: number, here: number): string | null {
    const ahead = here - server
    const differs = Math.abs(ahead) > toleranceMs
    if (differs === this.#differs) return null
    this.#differs = differs
    if (!differs) return "the clock of this process agrees with that of the database server again"
    const seconds = Math.round(Math.abs(ahead) / 1000)
    return `the clock of this process is ${seconds} seconds ${ahead > 0 ? "ahead of" : "behind"} that of the database server: calling hours, retries and leases are kept by the clock of the process. Correct the one that is wrong`
  }
}
