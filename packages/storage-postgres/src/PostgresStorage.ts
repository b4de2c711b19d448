/** Connects to Postgres, brings its schema up to date and offers it as Trunkline's storage. */
import { type LockKind, Read, Storage, StorageError, Tx } from "@trunkline/core/effect"
import { migrationsOf, stores } from "@trunkline/storage-kysely"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import pg from "pg"
import { classify } from "./PostgresErrors.ts"
import { PostgresSession } from "./PostgresSession.ts"

export interface PostgresOptions {
  readonly url: string
  /** Connections at most. Default 10. */
  readonly connections?: number
  /** A statement that runs longer is given up. Default 30 s. */
  readonly statementTimeoutMs?: number
}

/** Times that a transaction is run again when the database breaks a deadlock with it. */
const retries = 5

/** The advisory lock under which a schema is changed: any constant that nobody else uses. */
const migrationLock = "7305810294417213"

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.tryPromise({ try: run, catch: (error) => (error instanceof StorageError ? error : classify(error, what)) })

const migrate = async (client: pg.PoolClient): Promise<void> => {
  await client.query("begin")
  try {
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`)
    await client.query(
      "create table if not exists trunkline_migrations (version integer primary key, name text not null, applied_at bigint not null)"
    )
    const known = Number(
      (await client.query("select coalesce(max(version), 0) as version from trunkline_migrations")).rows[0].version
    )
    const all = migrationsOf("postgres")
    const latest = all.at(-1)?.version ?? 0
    if (known > latest) {
      throw new StorageError({
        reason: "corrupt",
        detail: `the database is at version ${known} of the schema, this release knows ${latest}: use a newer release`
      })
    }
    for (const { name, statements, version } of all) {
      if (version <= known) continue
      for (const statement of statements) await client.query(statement)
      await client.query(
        "insert into trunkline_migrations values ($1, $2, (extract(epoch from clock_timestamp()) * 1000)::bigint)",
        [version, name]
      )
    }
    await client.query("commit")
  } catch (error) {
    await client.query("rollback").catch(() => undefined)
    throw error
  }
}

/** Any text as a key of the 64-bit space of advisory locks. */
const lockStatement = "select pg_advisory_xact_lock(hashtextextended($1, 0))"

const services = (client: pg.PoolClient): Context.Context<Tx | Read> => {
  const session = Object.assign(new PostgresSession(client), {
    "~Read": true as const,
    lock: (kind: LockKind, key: string) =>
      attempt(`lock ${kind}`, () =>
        client.query({ name: "lock", text: lockStatement, values: [`${kind}:${key}`] }).then(() => undefined)
      )
  })
  return Context.make(Tx, session).pipe(Context.add(Read, session))
}

const make = Effect.fnUntraced(function* ({ connections = 10, statementTimeoutMs = 30_000, url }: PostgresOptions) {
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = new pg.Pool({
        connectionString: url,
        max: connections,
        statement_timeout: statementTimeoutMs,
        connectionTimeoutMillis: 10_000
      })
      // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
      made.on("error", () => undefined)
      return made
    }),
    (made) => Effect.promise(() => made.end())
  )
  const connect = attempt("connect", () => pool.connect())
  yield* Effect.acquireUseRelease(
    connect,
    (client) => attempt("migrate", () => migrate(client)),
    (client) => Effect.sync(() => client.release())
  )

  /** One run on one connection. Nothing can interrupt it: a commit is awaited, never abandoned half way. */
  const once = <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.flatMap(connect, (client) => {
      let clean = false
      return Effect.gen(function* () {
        yield* attempt("begin", () => client.query("begin"))
        const exit = yield* Effect.exit(Effect.provideContext(program, services(client)))
        const word = Exit.isSuccess(exit) ? "commit" : "rollback"
        yield* attempt(word, () => client.query(word))
        clean = true
        return yield* exit
        // A connection whose transaction may still be open is thrown away rather than given to the next.
      }).pipe(Effect.ensuring(Effect.sync(() => client.release(!clean))))
    })

  const again = (error: unknown): boolean => error instanceof StorageError && error.reason === "contended"

  const storage: Storage["Service"] = {
    transact: <A, E, R>(program: Effect.Effect<A, E, R>) =>
      Effect.uninterruptible(Effect.retry(once(program), { times: retries, while: again })) as Effect.Effect<
        A,
        E | StorageError,
        Exclude<R, Tx | Read>
      >,
    read: (program) =>
      Effect.provideService(program, Read, Object.assign(new PostgresSession(pool), { "~Read": true as const })),
    ready: Effect.asVoid(attempt("readiness", () => pool.query("select 1")))
  }
  return Context.make(Storage, storage)
})

/** Storage and all stores on one Postgres database. */
export const layer = (options: PostgresOptions) =>
  Layer.provideMerge(stores("postgres"), Layer.effectContext(make(options)))
