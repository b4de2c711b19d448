/** Connects to Postgres, brings its schema up to date and offers it as Trunkline's storage. */
import {
  Instant,
  LostCommits,
  type Read,
  RemoteSignals,
  RetentionStore,
  Storage,
  StorageCounters,
  type StorageError,
  type TransactOptions,
  type Tx
} from "@trunkline/core/storage"
import { inTransaction, nested, stores, withRead } from "@trunkline/storage-kysely"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import pg from "pg"
import { DurableCommit } from "./DurableCommit.ts"
import { poolFigures } from "./PoolFigures.ts"
import { classify } from "./PostgresErrors.ts"
import { migrate } from "./PostgresMigrations.ts"
import { PostgresPromotions, stateColumns } from "./PostgresPromotions.ts"
import { makeRetention } from "./PostgresRetention.ts"
import { PostgresServers } from "./PostgresServers.ts"
import { PostgresSession } from "./PostgresSession.ts"
import { makeRemoteSignals } from "./PostgresSignals.ts"
import { type Opening, type RunOptions, runOn } from "./PostgresTransaction.ts"
import { ClockComparison } from "./ServerClock.ts"
import { optionMissing, readsOn, requireSchema, sharesConnections } from "./TransactionPooler.ts"

/** How a database is used. */
export interface PostgresSettings {
  /** The schema of the tables, apart from those of the host. Default `trunkline`. */
  readonly schema?: string
  /** Maximum number of connections. Default 10. */
  readonly connections?: number
  /** Maximum time of a statement, and of a pause between two statements of a transaction. Default 30 s. */
  readonly statementTimeoutMs?: number
  /** Whether a pooler stands before the server that gives a connection to each transaction. Default `session`: none, or one in session mode. */
  readonly pooler?: "session" | "transaction"
  /** The server itself where `url` is a pooler's: for signals and migrations. */
  readonly directUrl?: string
  /** For this time after a fail-over carriers and channels are asked what the database may have lost. Default an hour. */
  readonly failoverLookUpMs?: number
}

export interface PostgresOptions extends PostgresSettings {
  /** One server, or several of which one accepts writes: `postgres://user:password@a:5432,b:5432/database`. */
  readonly url: string
}

type Settings = Required<Omit<PostgresOptions, "directUrl">> & Pick<PostgresOptions, "directUrl">

const defaults = {
  schema: "trunkline",
  connections: 10,
  statementTimeoutMs: 30_000,
  pooler: "session",
  failoverLookUpMs: 3_600_000
} as const

/** How often a transaction runs again after a deadlock. */
const maxRetries = 10

/** Maximum wait for a connection, new or from the pool. */
const connectMillis = 10_000

/** A server that answers others is given up this long after a statement's own limit. */
const silenceMillis = 5_000

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.tryPromise({ try: run, catch: (error) => classify(error, what) })

/** The settings of a connection, or those of one transaction. */
const settingsText = ({ schema, statementTimeoutMs }: Settings, scope: "session" | "local"): string =>
  [
    `set ${scope} search_path to ${pg.escapeIdentifier(schema)}`,
    `set ${scope} statement_timeout to ${statementTimeoutMs}`,
    // Each statement is planned once, and by an index: the plan that tests have seen is the one that runs, whatever the
    // values are and however small a table was when it was planned. Planning anew costs more than most statements.
    `set ${scope} plan_cache_mode to force_generic_plan`,
    `set ${scope} enable_seqscan to off`,
    `set ${scope} idle_in_transaction_session_timeout to ${statementTimeoutMs}`
  ].join("; ")

const makePool = (settings: Settings, servers: PostgresServers): pg.Pool => {
  const pool = new pg.Pool({
    ...servers.config,
    max: settings.connections,
    pipeline: true,
    connectionTimeoutMillis: connectMillis,
    query_timeout: settings.statementTimeoutMs + silenceMillis,
    onConnect: async (client) => {
      // A connection that breaks outside the pool reports it here and again with its next statement.
      client.on("error", () => undefined)
      if (settings.pooler === "session") await client.query(settingsText(settings, "session"))
      await servers.admit(client)
    }
  })
  // An idle connection that breaks is replaced; without a listener it would end the process.
  pool.on("error", () => undefined)
  return pool
}

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
  options: TransactOptions & { readonly opening: Opening | null }
): Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      let lockFirst: RunOptions["lockFirst"] = []
      for (let run = 0; ; run++) {
        const client = yield* restore(connect(pool))
        const { exit, isReusable, retryWith } = yield* runOn(client, program, { ...options, lockFirst })
        client.release(!isReusable)
        if (retryWith === null || run === maxRetries) return yield* exit
        lockFirst = retryWith
      }
    })
  )

/** The servers behind a URL, watched until the scope closes. */
const serversOf = Effect.fnUntraced(function* (url: string, promotions: PostgresPromotions | null) {
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const clock = yield* Clock.Clock
  const comparison = new ClockComparison()
  const warn = (text: string) => void run(Effect.logWarning(text))
  const onMove = (name: string) => warn(`the database server is ${name} now`)
  const onClock = (now: number) => {
    // A second list names the same server.
    const difference = promotions === null ? null : comparison.compare(now, clock.currentTimeMillisUnsafe())
    if (difference !== null) warn(difference)
  }
  return yield* Effect.acquireRelease(
    attempt("connect", async () => new PostgresServers({ url, promotions, onMove, onClock })),
    (servers) => Effect.promise(() => servers.close())
  )
})

/** A connection of its own, outside the pool. */
const connectApart = async ({ config: { Client, ...config } }: PostgresServers): Promise<pg.Client> => {
  const client = new Client({ ...config, connectionTimeoutMillis: connectMillis })
  client.on("error", () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw classify(error, "connect")
  }
  return client
}

/** Brings the schema up to date, on the server itself. */
const prepare = async (settings: Settings, servers: PostgresServers, direct: PostgresServers | null): Promise<void> => {
  if (settings.pooler === "session" && (await sharesConnections(() => connectApart(servers)))) throw optionMissing()
  const client = await connectApart(direct ?? servers)
  try {
    if (direct === null) return await requireSchema(client, settings.schema)
    const { url } = await direct.target()
    await migrate(client, { url, schema: settings.schema })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** How transactions run, and reads outside them. */
const programsOn = (pool: pg.Pool, servers: PostgresServers, settings: Settings) => {
  const local = settingsText(settings, "local")
  const isShared = settings.pooler === "transaction"
  const opening: Opening | null = isShared
    ? { text: `${local}; select ${stateColumns}`, admit: (state) => servers.admitState(state) }
    : null
  const transactWith: Storage["Service"]["transactWith"] = (options) => (program) =>
    Effect.contextWith((context: Context.Context<never>) =>
      inTransaction(context) ? Effect.die(nested()) : transactOn(pool, program, { ...options, opening })
    )
  return { committed: new PostgresSession(isShared ? readsOn(pool, local) : pool), transactWith }
}

const make = Effect.fnUntraced(function* (given: PostgresOptions) {
  const settings: Settings = { ...defaults, ...given }
  const clock = yield* Clock.Clock
  const now = () => Instant.make(clock.currentTimeMillisUnsafe())
  const promotions = new PostgresPromotions(settings.schema, settings.failoverLookUpMs, now)
  const servers = yield* serversOf(settings.url, promotions)
  const direct =
    settings.directUrl !== undefined
      ? yield* serversOf(settings.directUrl, null)
      : settings.pooler === "session"
        ? servers
        : null
  yield* attempt("migrate", () => prepare(settings, servers, direct))
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => makePool(settings, servers)),
    (made) => Effect.promise(() => made.end())
  )
  for (const one of new Set([servers, direct])) one?.watch()
  const retention = makeRetention(settings, (what, run) =>
    Effect.acquireUseRelease(
      connect(pool),
      (client) => attempt(what, () => run(client)),
      (client) => Effect.sync(() => client.release())
    )
  )
  // Before anything is written: after a standstill the months since then have no partitions.
  yield* retention.prepare(yield* Instant.now)
  const { committed, transactWith } = programsOn(pool, servers, settings)
  const durable = new DurableCommit(pool)
  const storage: Storage["Service"] = {
    transact: transactWith({ durability: "full" }),
    transactWith,
    durable: attempt("commit", () => durable.wait()),
    read: (program) => withRead(program, committed),
    ready: attempt("readiness", async () => void (await servers.stateOf(pool)))
  }
  const remote = yield* makeRemoteSignals({ servers: direct, schema: settings.schema })
  const counters = { read: () => ({ pool: poolFigures(pool), signals: remote.counts(), files: null }) }
  return Context.make(Storage, storage).pipe(
    Context.add(RemoteSignals, remote),
    Context.add(RetentionStore, retention),
    Context.add(StorageCounters, counters),
    Context.add(
      LostCommits,
      Effect.sync(() => promotions.lost)
    )
  )
})

/** Storage and all stores on one Postgres database. */
export const layer = (
  options: PostgresOptions
): Layer.Layer<Storage | RetentionStore | Layer.Success<typeof stores>, StorageError> =>
  // Stores know what they have read of their own database.
  Layer.provideMerge(Layer.fresh(stores), Layer.effectContext(make(options)))
