/** Runs in the thread of ThreadConnection: executes statements on one connection. Imports nothing of ours, so that it starts fast. */
import { parentPort, workerData } from "node:worker_threads"
import BetterSqlite from "better-sqlite3"

export interface ThreadStatement {
  readonly sql: string
  /** As SQLite accepts them: text, numbers, bigints, null. */
  readonly values: ReadonlyArray<unknown>
}

export type ThreadResult =
  | { readonly names: ReadonlyArray<string>; readonly rows: ReadonlyArray<ReadonlyArray<unknown>> }
  | { readonly changes: number }
  | { readonly code: string | undefined; readonly message: string }

/** How long this connection waits for another writer. It blocks nothing but its own thread. */
const lockTimeoutMillis = 10_000

const open = (path: string): BetterSqlite.Database => {
  const db = new BetterSqlite(path, { fileMustExist: true, timeout: lockTimeoutMillis })
  db.pragma("synchronous = full")
  db.pragma("foreign_keys = on")
  db.pragma("cache_size = -4000")
  // Temporary tables contain very many rows: they are on disk, and need not outlive the connection.
  db.pragma("temp_store = file")
  db.pragma("temp.cache_size = -4000")
  db.pragma("temp.journal_mode = memory")
  return db
}

let db: BetterSqlite.Database | undefined
const prepared = new Map<string, BetterSqlite.Statement<Array<unknown>>>()

const run = ({ sql, values }: ThreadStatement): ThreadResult => {
  db ??= open((workerData as { readonly path: string }).path)
  let native = prepared.get(sql)
  if (native === undefined) {
    native = db.prepare<Array<unknown>>(sql).safeIntegers(true)
    if (native.reader) native.raw(true)
    prepared.set(sql, native)
  }
  if (!native.reader) return { changes: native.run(...values).changes }
  return {
    names: native.columns().map(({ name }) => name),
    rows: native.all(...values) as ReadonlyArray<ReadonlyArray<unknown>>
  }
}

parentPort?.on("message", (message: ThreadStatement | "close") => {
  if (message === "close") {
    db?.close()
    parentPort?.close()
    return
  }
  try {
    parentPort?.postMessage(run(message))
  } catch (error) {
    // An error would lose its own fields on the way between threads.
    const { code, message } = error as Error & { readonly code?: string }
    parentPort?.postMessage({ code, message })
  }
})
