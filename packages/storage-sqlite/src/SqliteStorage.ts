/** Opens a SQLite database, brings its schema up to date and offers it as Trunkline's storage. */
import { Read, Storage, StorageError } from "@trunkline/core/effect"
import { migrationsOf, stores } from "@trunkline/storage-kysely"
import BetterSqlite from "better-sqlite3"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { classify } from "./SqliteErrors.ts"
import { SqliteSession } from "./SqliteSession.ts"
import { SqliteWriter } from "./SqliteWriter.ts"

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  readonly path: string
}

const open = (path: string, options: BetterSqlite.Options): Effect.Effect<BetterSqlite.Database, StorageError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(new BetterSqlite(path, options))
    } catch (error) {
      return Effect.fail(classify(error, `open ${path}`))
    }
  })

/**
 * `synchronous=full`: the promise of at most one call for an attempt does not survive a power cut otherwise.
 * `busy_timeout=0`: waiting for another process would block the event loop; the writer waits by itself.
 */
const prepare = (db: BetterSqlite.Database): void => {
  db.pragma("busy_timeout = 5000")
  db.pragma("journal_mode = wal")
  db.pragma("synchronous = full")
  db.pragma("foreign_keys = on")
  db.pragma("cache_size = -32000")
}

/** Applies what is missing, in one transaction of its own: two processes that start together take turns. */
export const migrate = (db: BetterSqlite.Database): void => {
  db.exec("begin immediate")
  try {
    db.exec(
      "create table if not exists trunkline_migrations (version integer primary key, name text not null, applied_at integer not null) strict"
    )
    const known = db.prepare("select max(version) as version from trunkline_migrations").get() as {
      version: number | null
    }
    const all = migrationsOf("sqlite")
    const latest = all.at(-1)?.version ?? 0
    if ((known.version ?? 0) > latest) {
      throw new StorageError({
        reason: "corrupt",
        detail: `the database is at version ${known.version} of the schema, this release knows ${latest}: use a newer release`
      })
    }
    for (const { name, statements, version } of all) {
      if (version <= (known.version ?? 0)) continue
      for (const statement of statements) db.exec(statement)
      db.prepare("insert into trunkline_migrations values (?, ?, unixepoch() * 1000)").run(version, name)
    }
    db.exec("commit")
  } catch (error) {
    if (db.inTransaction) db.exec("rollback")
    throw error
  }
}

const make = Effect.fnUntraced(function* ({ path }: SqliteOptions) {
  const memory = path === ":memory:"
  const writing = yield* Effect.acquireRelease(open(path, {}), (db) => Effect.sync(() => db.close()))
  yield* Effect.try({
    try: () => {
      prepare(writing)
      migrate(writing)
      writing.pragma("busy_timeout = 0")
    },
    catch: (error) => (error instanceof StorageError ? error : classify(error, `open ${path}`))
  })
  const reading = memory
    ? writing
    : yield* Effect.acquireRelease(open(path, { readonly: true }), (db) => Effect.sync(() => db.close()))
  if (!memory) reading.pragma("busy_timeout = 1000")

  const writer = new SqliteWriter(writing)
  const session = Object.assign(new SqliteSession(reading), { "~Read": true as const })
  const storage: Storage["Service"] = {
    transact: (program) => writer.transact(program),
    read: (program) => Effect.provideService(program, Read, session),
    ready: Effect.try({
      try: () => void reading.prepare("select 1").get(),
      catch: (error) => classify(error, "readiness")
    })
  }
  return Context.make(Storage, storage)
})

/** Storage and all stores on one SQLite database. */
export const layer = (options: SqliteOptions) =>
  Layer.provideMerge(stores("sqlite"), Layer.effectContext(make(options)))
