/** What runs in the thread of BulkWorker: one transaction, one answer. Imports nothing of ours, so that it starts fast. */
import { parentPort, workerData } from "node:worker_threads"
import BetterSqlite from "better-sqlite3"

export interface BulkStatement {
  readonly sql: string
  /** As SQLite takes them: text, numbers, bigints, null. */
  readonly values: ReadonlyArray<unknown>
}

export interface BulkOrder {
  readonly path: string
  readonly statements: ReadonlyArray<BulkStatement>
}

export type BulkAnswer =
  | { readonly changes: ReadonlyArray<number> }
  | { readonly code: string | undefined; readonly message: string }

const { path, statements } = workerData as BulkOrder

const run = (): BulkAnswer => {
  const db = new BetterSqlite(path, { fileMustExist: true, timeout: 10_000 })
  try {
    db.pragma("synchronous = full")
    db.pragma("foreign_keys = on")
    db.pragma("cache_size = -64000")
    const changes = db
      .transaction(() => statements.map(({ sql, values }) => db.prepare<Array<unknown>>(sql).run(...values).changes))
      .immediate()
    // Here, and not in the next small commit of the event loop, the long log is written back into the database.
    db.pragma("wal_checkpoint(passive)")
    return { changes }
  } finally {
    db.close()
  }
}

const answer = (): BulkAnswer => {
  try {
    return run()
  } catch (error) {
    return { code: (error as { code?: string }).code, message: (error as Error).message }
  }
}

parentPort?.postMessage(answer())
