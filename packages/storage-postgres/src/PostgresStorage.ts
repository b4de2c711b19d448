/** Connects to Postgres, brings its schema up to date and offers it as Trunkline's storage. */
import {
  type Read,
  RemoteSignals,
  Storage,
  StorageCounters,
  StorageError,
  type TransactOptions,
  type Tx
} from "@trunkline/core/effect"
import { addRead, inTransaction, nested, stores } from "@trunkline/storage-kysely"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { poolFigures } from "./PoolFigures.ts"
import { classify } from "./PostgresErrors.ts"
import { migrate } from "./PostgresMigrations.ts"
import { PostgresSession } from "./PostgresSession.ts"
import { makeRemoteSignals } from "./PostgresSignals.ts"
import { runOn } from "./PostgresTransaction.ts"

export interface PostgresOptions {
  readonly url: string
  /** The schema of the tables, apart from those of the host. Default `trunkline`. */
  readonly schema?: string
  /** Maximum number of connections. Default 10. */
  readonly connections?: number
  /** Maximum time of a statement, and of a pause between two statements of a transaction. Default 30 s. */
  readonly statementTimeoutMs?: number
}

/** How often a transaction runs again after a deadlock. */
const maxRetries = 10

/** Maximum wait for a connection, new or from the pool. */
const connectMillis = 10_000

/** A vanished server is noticed this long after a statement's own limit. */
const silenceMillis = 5_000

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.tryPromise({ try: run, catch: (error) => (error instanceof StorageError ? error : classify(error, what)) })

const makePool = (options: Required<PostgresOptions>): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: "trunkline",
    max: options.connections,
    connectionTimeoutMillis: connectMillis,
    query_timeout: options.statementTimeoutMs + silenceMillis,
    keepAlive: true,
    onConnect: (client) => {
      // A connection that breaks outside the pool reports it here and again with its next statement.
      client.on("error", () => undefined)
      return client.query(settings(options))
    }
  })
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on("error", () => undefined)
  return pool
}

const settings = ({ schema, statementTimeoutMs }: Required<PostgresOptions>): string =>
  [
    `set search_path to ${pg.escapeIdentifier(schema)}`,
    `set statement_timeout to ${statementTimeoutMs}`,
    // Each statement is planned once, and by an index: the plan that tests have seen is the one that runs, whatever the
    // values are and however small a table was when it was planned. Planning anew costs more than most statements.
    "set plan_cache_mode to force_generic_plan",
    "set enable_seqscan to off",
    `set idle_in_transaction_session_timeout to ${statementTimeoutMs}`
  ].join("; ")

/** Acquires a connection. If the caller is interrupted meanwhile, the connection is released as soon as it arrives. */
const connect = (pool: pg.Pool): Effect.Effect<pg.PoolClient, StorageError> =>
  Effect.suspend(() => {
    let isWanted = true
    let acquired: pg.PoolClient | undefined
    const waiting = Effect.callback<pg.PoolClient, StorageError>((resume) => {
      pool.connect().then(
        (client) => {
          if (!isWanted) return client.release()
          acquired = client
          resume(Effect.succeed(client))
        },
        (error) => resume(Effect.fail(classify(error, "connect")))
      )
    })
    return Effect.onInterrupt(waiting, () =>
      Effect.sync(() => {
        isWanted = false
        acquired?.release()
      })
    )
  })

const transactOn = <A, E, R>(
  pool: pg.Pool,
  program: Effect.Effect<A, E, R>,
  options: TransactOptions
): Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      let lockFirst: ReadonlySet<string> = new Set()
      for (let run = 0; ; run++) {
        const client = yield* restore(connect(pool))
        const { exit, isReusable, retryWith } = yield* runOn(client, program, { ...options, lockFirst })
        client.release(!isReusable)
        if (retryWith === null || run === maxRetries) return yield* exit
        lockFirst = retryWith
      }
    })
  )

const checkWritable = async (pool: pg.Pool): Promise<void> => {
  const answer = await pool.query(
    "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as readonly"
  )
  if (answer.rows[0].readonly) {
    throw new StorageError({ reason: "unavailable", detail: "the database only reads: connect to the primary" })
  }
}

const make = Effect.fnUntraced(function* (given: PostgresOptions) {
  const options = { schema: "trunkline", connections: 10, statementTimeoutMs: 30_000, ...given }
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => makePool(options)),
    (made) => Effect.promise(() => made.end())
  )
  yield* Effect.acquireUseRelease(
    connect(pool),
    (client) => attempt("migrate", () => migrate(client, options)),
    (client) => Effect.sync(() => client.release())
  )
  const committed = new PostgresSession(pool)
  const transactWith: Storage["Service"]["transactWith"] = (options) => (program) =>
    Effect.contextWith((context: Context.Context<never>) =>
      inTransaction(context) ? Effect.die(nested()) : transactOn(pool, program, options)
    )
  const storage: Storage["Service"] = {
    transact: transactWith({ durability: "full" }),
    transactWith,
    // Inside a transaction a read sees the transaction's own state.
    read: <A, E, R>(program: Effect.Effect<A, E, R>) =>
      Effect.updateContext(
        program,
        (context: Context.Context<Exclude<R, Read>>) =>
          (inTransaction(context) ? context : addRead(context, committed)) as unknown as Context.Context<R>
      ),
    ready: attempt("readiness", () => checkWritable(pool))
  }
  const remote = yield* makeRemoteSignals({ url: options.url, schema: options.schema })
  const counters = { read: () => ({ pool: poolFigures(pool), signals: remote.counts(), files: null }) }
  return Context.make(Storage, storage).pipe(Context.add(RemoteSignals, remote), Context.add(StorageCounters, counters))
})

/** Storage and all stores on one Postgres database. */
export const layer = (options: PostgresOptions): Layer.Layer<Storage | Layer.Success<typeof stores>, StorageError> =>
  Layer.provideMerge(stores, Layer.effectContext(make(options)))
