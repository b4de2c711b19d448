/**
 * Brings everything that was committed without waiting for the disk to the disk, and to a synchronous standby: a commit that waits
 * covers all that stand before it in the server's log. Calls that come while one runs share the next one.
 */
import type pg from "pg"
import { committing } from "./PostgresTransaction.ts"

/** Writes nothing but itself. */
const emptyMessage = "select pg_logical_emit_message(true, 'trunkline', '')"

export class DurableCommit {
  readonly #pool: pg.Pool
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Completes once everything that was committed before the call survives a power cut. */
  wait(): Promise<void> {
    if (this.#running === null) return this.#begin()
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin()
    )
    return this.#next
  }

  #begin(): Promise<void> {
    this.#next = null
    const running = this.#commit().finally(() => {
      if (this.#running === running) this.#running = null
    })
    this.#running = running
    return running
  }

  async #commit(): Promise<void> {
    const client = await this.#pool.connect()
    let error: Error | undefined
    try {
      await committing(client, emptyMessage)
    } catch (failure) {
      error = failure as Error
      throw failure
    } finally {
      client.release(error)
    }
  }
}
