/** What runs in the thread of ThreadConnection: a connection that does what it is told. Imports nothing of ours, so that it starts fast. */
import { parentPort, workerData } from "node:worker_threads"
import BetterSqlite from "better-sqlite3"

export interface ThreadOrder {
  readonly sql: string
  /** As SQLite takes them: text, numbers, bigints, null. */
  readonly values: ReadonlyArray<unknown>
}

export type ThreadAnswer =
  | { readonly names: ReadonlyArray<string>; readonly rows: ReadonlyArray<ReadonlyArray<unknown>> }
  | { readonly changes: number }
  | { readonly code: string | undefined; readonly message: string }

/** How long this connection, which blocks nobody but itself, waits for whoever is writing. */
const patienceMillis = 10_000

const open = (path: string): BetterSqlite.Database => {
  const db = new BetterSqlite(path, { fileMustExist: true, timeout: patienceMillis })
  db.pragma("synchronous = full")
  db.pragma("foreign_keys = on")
  db.pragma("cache_size = -8000")
  // Own tables are for very many rows: on disk, and nothing of them needs to outlive the connection.
  db.pragma("temp_store = file")
  db.pragma("temp.cache_size = -8000")
  db.pragma("temp.journal_mode = memory")
  return db
}

let db: BetterSqlite.Database | undefined
const prepared = new Map<string, BetterSqlite.Statement<Array<unknown>>>()

const run = ({ sql, values }: ThreadOrder): ThreadAnswer => {
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

parentPort?.on("message", (order: ThreadOrder | "close") => {
  if (order === "close") {
    db?.close()
    parentPort?.close()
    return
  }
  try {
    parentPort?.postMessage(run(order))
  } catch (error) {
    // An error would lose its own fields on the way between threads.
    const { code, message } = error as Error & { readonly code?: string }
    parentPort?.postMessage({ code, message })
  }
})
