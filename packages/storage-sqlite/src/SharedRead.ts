/**
 * One read transaction for all reads of a turn of the event loop. A statement on its own locks and unlocks the file, which takes
 * longer than most of them run. What another process commits meanwhile cannot be known to this one before its next turn.
 * Source: docs/choices.md#storage.
 */
import type BetterSqlite from "better-sqlite3"

/** The open ones of this process. */
const open = new Set<SharedRead>()

/** Ends them before a commit of this process, so that what it reads after it in the same turn sees it. */
export const endSharedReads = (): void => {
  for (const read of open) read.end()
}

export class SharedRead {
  readonly #db: BetterSqlite.Database
  readonly #begin: BetterSqlite.Statement
  readonly #commit: BetterSqlite.Statement

  constructor(db: BetterSqlite.Database) {
    this.#db = db
    this.#begin = db.prepare("begin")
    this.#commit = db.prepare("commit")
  }

  /** Called before each statement. */
  begin(): void {
    if (open.has(this)) return
    if (!this.#db.inTransaction) this.#begin.run()
    open.add(this)
    queueMicrotask(() => this.end())
  }

  end(): void {
    if (!open.delete(this) || !this.#db.open) return
    try {
      this.#commit.run()
    } catch {
      // The transaction stays open: the next statement reports what is wrong, and the next turn tries again.
    }
  }
}
