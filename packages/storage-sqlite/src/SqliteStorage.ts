/** Opens a SQLite database, brings its schema up to date and offers it as Trunkline's storage. */
import { closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { RetentionStore, Storage, StorageCounters, StorageError } from "@trunkline/core/storage"
import { OpenImport, removeOld, stores, withRead } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { LogCheckpoint } from "./LogCheckpoint.ts"
import { LogSync } from "./LogSync.ts"
import { openInMemory } from "./MemoryDatabase.ts"
import { SharedRead } from "./SharedRead.ts"
import { SqliteConnection } from "./SqliteConnection.ts"
import { classify } from "./SqliteErrors.ts"
import * as SqliteImports from "./SqliteImports.ts"
import { migrate } from "./SqliteMigrations.ts"
import { SqliteSession } from "./SqliteSession.ts"
import { SqliteWriter, type WriterOptions, writeNothing } from "./SqliteWriter.ts"

export interface SqliteOptions {
  /** A file, which is made when it is missing, together with its folder; or `:memory:`. */
  readonly path: string
}

/** A read never waits for a writer. It waits for the recovery after a crash, which takes milliseconds. */
const readLockTimeoutMillis = 20

const attempt = <A>(what: string, run: () => A): Effect.Effect<A, StorageError> =>
  Effect.try({ try: run, catch: (error) => (error instanceof StorageError ? error : classify(error, what)) })

const connect = (
  path: string,
  open: () => BetterSqlite.Database
): Effect.Effect<BetterSqlite.Database, StorageError, Scope.Scope> =>
  Effect.acquireRelease(attempt(`open ${path}`, open), (db) => Effect.sync(() => db.close()))

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** With mode 700. One by one: a recursive `mkdirSync` never ends below a folder in which nothing can be created, as in /proc. */
const makeFolder = (path: string): void => {
  if (isFolder(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error
  }
}

/** Explains what SQLite reports as "unable to open database file". */
const prepareFolder = (path: string): void => {
  try {
    makeFolder(dirname(path))
    if (!isFolder(path)) return
  } catch (error) {
    throw unavailable(path, `its folder cannot be used: ${(error as Error).message}`)
  }
  throw unavailable(path, "it is a folder: name a file in it")
}

/**
 * Creates the file with mode 600, because a database contains people's numbers; SQLite would follow the umask. Its log and
 * index files get the mode of the database. An existing file keeps its mode and is not opened here: closing it would drop
 * the locks of another connection of this process.
 */
const makeFile = (path: string): void => {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, constants.O_RDONLY | constants.O_CREAT, 0o600))
  } catch {
    // SQLite fails in the same way, with a message of its own.
  }
}

const unavailable = (path: string, why: string) =>
  new StorageError({ reason: "unavailable", detail: `open ${path}: ${why}` })

const prepareWriting = (db: BetterSqlite.Database, path: string): void => {
  db.pragma("busy_timeout = 5000")
  const mode = db.pragma("journal_mode = wal", { simple: true })
  if (mode !== "wal" && mode !== "memory") {
    throw unavailable(path, "it cannot have a write-ahead log there: use a local disk, not a network drive")
  }
  db.pragma("synchronous = full")
  db.pragma("foreign_keys = on")
  db.pragma("cache_size = -32000")
  // After a large import the next checkpoint truncates the log to this, and an idle moment to nothing.
  db.pragma("journal_size_limit = 67108864")
  migrate(db)
  // A savepoint keeps a copy of each page that its program changes, by itself in a temporary file.
  db.pragma("temp_store = memory")
  // From here on the writer brings commits to the disk: SQLite would stop the event loop for each of them.
  db.pragma("synchronous = normal")
  // From here on SQLite must not wait, because that blocks the event loop: the writer waits.
  db.pragma("busy_timeout = 0")
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** A database in memory has no files. */
const countersOf = (path: string | null): StorageCounters => ({
  read: () => ({
    pool: null,
    signals: null,
    files: path === null ? null : { databaseBytes: bytesOf(path), logBytes: bytesOf(`${path}-wal`) }
  })
})
/** Rows that one transaction of the retention removes: more would stop the event loop for longer than a few milliseconds. */
const maxRemoved = 200

/** A longer log is truncated when the writer is idle. SQLite by itself only overwrites it. */
const idleLogBytes = 1024 * 1024

/**
 * Moves a long log into the file and truncates it, unless something was written since the last check. Returns true when
 * another check is needed: the log is still written to, or another connection reads from it.
 */
const logShrinker = (db: BetterSqlite.Database, path: string): (() => boolean) => {
  const changes = db.prepare("select total_changes()").pluck()
  let before: unknown
  return () => {
    if (bytesOf(`${path}-wal`) <= idleLogBytes) return false
    const now = changes.get()
    if (now !== before) {
      before = now
      return true
    }
    try {
      const [{ busy }] = db.pragma("wal_checkpoint(truncate)") as readonly [{ readonly busy: number }]
      return busy !== 0
    } catch {
      // On a full disk, for example: the next commit reports it.
      return false
    }
  }
}

/** What a writer does about the log of its file, until the scope ends. */
const logOf = (db: BetterSqlite.Database, path: string): Effect.Effect<WriterOptions, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new LogCheckpoint(path, db)),
      (opened) => Effect.sync(() => opened.close())
    ),
    (checkpoint) => {
      const shrink = logShrinker(db, path)
      return {
        log: new LogSync(`${path}-wal`),
        onCommit: (changes) => checkpoint.committed(changes),
        onIdle: () => {
          const again = shrink()
          if (!again) checkpoint.rest()
          return again
        }
      }
    }
  )

/** A read-only file opens without an error, and even begins a transaction. */
const checkWritable = (db: BetterSqlite.Database): void => {
  try {
    db.exec(`begin immediate; ${writeNothing}; rollback`)
  } catch (error) {
    if (db.inTransaction) db.exec("rollback")
    if (classify(error, "").reason !== "contended") throw error
  }
}

const make = Effect.fnUntraced(function* (options: SqliteOptions) {
  const memory = options.path === ":memory:"
  const path = memory ? options.path : resolve(options.path)
  if (!memory) {
    yield* attempt(`open ${path}`, () => {
      prepareFolder(path)
      makeFile(path)
    })
  }
  const writing = yield* connect(path, () => (memory ? openInMemory() : new BetterSqlite(path)))
  yield* attempt(`open ${path}`, () => {
    prepareWriting(writing, path)
    checkWritable(writing)
  })
  const reading = memory
    ? writing
    : yield* connect(path, () => new BetterSqlite(path, { readonly: true, timeout: readLockTimeoutMillis }))

  const connection = new SqliteConnection(writing)
  const log = memory ? { log: null } : yield* logOf(writing, path)
  const writer = yield* Effect.acquireRelease(
    Effect.sync(() => new SqliteWriter(connection, log)),
    (opened) => Effect.sync(() => opened.close())
  )
  const committed = new SqliteSession(memory ? connection : new SqliteConnection(reading, new SharedRead(reading)))

  const storage: Storage["Service"] = {
    transact: (program) => writer.transact(program),
    transactWith:
      ({ durability }) =>
      (program) =>
        writer.transact(program, durability),
    durable: writer.durable,
    read: (program) => withRead(program, committed),
    ready: Effect.andThen(
      attempt("readiness", () => reading.prepare("select 1").get()),
      writer.transact(attempt("readiness", () => connection.run(writeNothing)))
    )
  }
  // A database in memory has no other thread's connection.
  const openImport = memory ? null : SqliteImports.open(path, writer)
  const retention = RetentionStore.of({
    // A table of SQLite needs no room ahead of time.
    prepare: () => Effect.void,
    remove: (kind, before) =>
      Effect.map(storage.transact(removeOld(kind, { before, limit: maxRemoved })), (removed) => removed === maxRemoved)
  })
  return Context.make(Storage, storage).pipe(
    Context.add(OpenImport, openImport),
    Context.add(RetentionStore, retention),
    Context.add(StorageCounters, countersOf(memory ? null : path))
  )
})

/** Storage and all stores on one SQLite database. */
export const layer = (
  options: SqliteOptions
): Layer.Layer<Storage | RetentionStore | Layer.Success<typeof stores>, StorageError> =>
  Layer.provideMerge(stores, Layer.effectContext(make(options)))
