/**
 * Moves the write-ahead log into the database, on a thread: a commit that does so itself stops the event loop for as long as the disk
 * needs. Where no thread can begin, or one fails, commits do it themselves again.
 */
import type BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { ThreadConnection } from "./ThreadConnection.ts"

/** Changed rows between two moves: some five hundred to two thousand pages of 4 kB. */
const changesBetween = 1000

/** From this many pages on writers pause until the log is moved as a whole: only then it begins anew. */
const maxPages = 8000

/** How long writers may pause for another connection that still reads what was committed long ago. */
const pauseMillis = 100

/** After this many pages a commit moves the log itself: SQLite's own number. */
const ownPages = 1000

/** A thread that keeps no process from ending. */
const begin = (path: string): ThreadConnection => {
  const thread = ThreadConnection.begin(path)
  thread.unref()
  return thread
}

type Thread = Pick<ThreadConnection, "close" | "execute" | "run">

export class LogCheckpoint {
  readonly #path: string
  readonly #db: Pick<BetterSqlite.Database, "pragma">
  readonly #begin: (path: string) => Thread
  #thread: Thread | null = null
  #changes = 0
  #isWorking = false
  #isOver = false

  /** `db`: the connection that writes. */
  constructor(path: string, db: Pick<BetterSqlite.Database, "pragma">, thread: (path: string) => Thread = begin) {
    this.#path = path
    this.#db = db
    this.#begin = thread
    db.pragma("wal_autocheckpoint = 0")
  }

  /** Called after each commit, with the number of rows that it has changed. */
  committed(changes: number): void {
    this.#changes += changes
    if (this.#changes < changesBetween || this.#isWorking || this.#isOver) return
    this.#changes = 0
    this.#isWorking = true
    void this.#move().then(
      () => {
        this.#isWorking = false
      },
      () => this.#giveUp()
    )
  }

  /** Ends the thread until there is more to move. */
  rest(): void {
    if (this.#isWorking) return
    this.#thread?.close()
    this.#thread = null
  }

  close(): void {
    this.#isOver = true
    this.#thread?.close()
    this.#thread = null
  }

  async #move(): Promise<void> {
    this.#thread ??= this.#begin(this.#path)
    const pages = await this.#checkpoint(this.#thread, "passive")
    if (pages < maxPages || this.#thread === null) return
    await Effect.runPromise(this.#thread.run(`pragma busy_timeout = ${pauseMillis}`))
    // What has come meanwhile: writers pause for what comes during this alone.
    await this.#checkpoint(this.#thread, "passive")
    await this.#checkpoint(this.#thread, "full")
  }

  /** Succeeds with the pages of the log. */
  async #checkpoint(thread: Thread, mode: "passive" | "full"): Promise<number> {
    const sql = `pragma wal_checkpoint(${mode})`
    const done = await Effect.runPromise(thread.execute(sql, { sql, values: [] }))
    return "rows" in done ? Number(done.rows[0]?.[1] ?? 0) : 0
  }

  #giveUp(): void {
    if (this.#isOver) return
    this.close()
    this.#db.pragma(`wal_autocheckpoint = ${ownPages}`)
  }
}
