/** One program on one connection, from `begin` to `commit` or `rollback`. */
import type { LockKind, Read, StorageError, TransactOptions, Tx } from "@trunkline/core/storage"
import { Bounds, withTransaction } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import pg, { type PoolClient, type QueryArrayConfig, type QueryArrayResult, type QueryResult } from "pg"
import { classify } from "./PostgresErrors.ts"
import { PostgresSession, type SqlConnection } from "./PostgresSession.ts"
import { unprepared } from "./TransactionPooler.ts"

/** Hashes a name to an advisory lock's 64-bit key. Two names with one key only wait for each other. */
const lockStatement = (name: string) => `select pg_advisory_xact_lock(hashtextextended(${name}, 0))`

/**
 * A connection whose transaction begins with its first statement. Locks that come first travel in one text with `begin`, which
 * saves most transactions a round trip. Statements that a program begins side by side run one after the other.
 */
class TransactionConnection implements SqlConnection {
  readonly #client: PoolClient
  readonly #statements: SqlConnection
  readonly #options: BeginOptions
  #beginning: Promise<void> | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: PoolClient, options: BeginOptions) {
    this.#client = client
    this.#statements = options.opening === null ? client : unprepared(client)
    this.#options = options
  }

  get hasBegun(): boolean {
    return this.#beginning !== null
  }

  query(query: QueryArrayConfig): Promise<QueryArrayResult<Array<unknown>>> {
    return this.queued(() => this.#query(query))
  }

  lock(names: ReadonlyArray<string>): Promise<void> {
    return this.queued(async () => {
      if (!this.hasBegun) return this.#begin(names)
      for (const name of names) {
        await this.#query({ name: "lock", text: lockStatement("$1"), values: [name], rowMode: "array" })
      }
    })
  }

  async #query(query: QueryArrayConfig): Promise<QueryArrayResult<Array<unknown>>> {
    await this.#begin([])
    return this.#statements.query(query)
  }

  /** After what was begun before it, which may go on although the program has ended. */
  queued<A>(run: () => Promise<A>): Promise<A> {
    const result = this.#last.then(run, run)
    this.#last = result.catch(() => undefined)
    return result
  }

  #begin(locks: ReadonlyArray<string>): Promise<void> {
    this.#beginning ??= begin(this.#client, this.#options, locks)
    return this.#beginning
  }
}

class TransactionSession extends PostgresSession {
  readonly #connection: TransactionConnection
  /** Locks that were acquired or waited for, in their order. */
  readonly lockNames = new Set<string>()

  constructor(connection: TransactionConnection, bounds: Bounds) {
    super(connection, bounds)
    this.#connection = connection
  }

  lock(kind: LockKind, key: string): Effect.Effect<void, StorageError> {
    // Postgres has no U+0000 in texts, and breaks off at one in a text of statements.
    return this.lockAll([`${kind}:${key}`.replaceAll("\0", "")])
  }

  lockAll(names: ReadonlyArray<string>): Effect.Effect<void, StorageError> {
    return this.attempt("lock", () => {
      for (const name of names) this.lockNames.add(name)
      return this.#connection.lock(names)
    })
  }
}

export interface Outcome<A, E> {
  readonly exit: Exit.Exit<A, E | StorageError>
  /** After a deadlock: run the program again from its start, with these locks first. Otherwise null. */
  readonly retryWith: ReadonlySet<string> | null
  /** The connection is in a known state and can serve the next transaction. */
  readonly isReusable: boolean
}

/** How transactions begin where a connection keeps nothing between them. */
export interface Opening {
  /** Statements that make the settings, the last of which reads the server's state. */
  readonly text: string
  /** Rejects where nothing may be written on the server. */
  readonly admit: (state: { readonly [column: string]: unknown }) => Promise<void>
}

interface BeginOptions extends TransactOptions {
  /** Null where each connection has its settings, and was admitted when it was made. */
  readonly opening: Opening | null
}

export interface RunOptions extends BeginOptions {
  /** The locks of an earlier run that ended in a deadlock. Acquired at once and in one order they cannot cause it again. */
  readonly lockFirst: ReadonlySet<string>
}

/** Never fails itself. Must run uninterruptibly: a commit is awaited, not abandoned half way. No statement, no transaction. */
export const runOn = <A, E, R>(
  client: PoolClient,
  program: Effect.Effect<A, E, R>,
  { lockFirst, ...options }: RunOptions
): Effect.Effect<Outcome<A, E>, never, Exclude<R, Tx | Read>> =>
  Effect.gen(function* () {
    const bounds = new Bounds()
    const connection = new TransactionConnection(client, options)
    const session = new TransactionSession(connection, bounds)
    const command = (word: string, run: () => Promise<unknown>) =>
      Effect.tryPromise({ try: run, catch: (error) => bounds.failed(classify(error, word)) })

    const exit: Exit.Exit<A, E | StorageError> = yield* Effect.exit(
      Effect.gen(function* () {
        if (lockFirst.size > 0) yield* session.lockAll([...lockFirst].sort())
        return yield* withTransaction(program, session, (kind, key) => session.lock(kind, key))
      })
    )
    bounds.end()
    if (!connection.hasBegun) return { exit, retryWith: null, isReusable: true }
    const retryWith = () => (bounds.failure?.reason === "contended" ? session.lockNames : null)
    if (Exit.isSuccess(exit) && bounds.failure === undefined) {
      const committed = yield* Effect.exit(command("commit", () => connection.queued(() => commit(client))))
      return Exit.isSuccess(committed)
        ? { exit, retryWith: null, isReusable: true }
        : { exit: committed, retryWith: retryWith(), isReusable: false }
    }
    const rolledBack = isLost(bounds)
      ? false
      : Exit.isSuccess(yield* Effect.exit(command("rollback", () => connection.queued(() => client.query("rollback")))))
    return {
      exit: Exit.isSuccess(exit) ? Exit.fail(bounds.failure!) : exit,
      retryWith: retryWith(),
      isReusable: rolledBack
    }
  }) as Effect.Effect<Outcome<A, E>, never, Exclude<R, Tx | Read>>

/** A commit that does not wait for the disk would not wait for a synchronous standby either, and be lost in a fail-over. */
const relaxed = `begin; select set_config('synchronous_commit',
  case when current_setting('synchronous_standby_names') = '' then 'off' else 'remote_write' end, true)`

const begin = async (
  client: PoolClient,
  { durability, opening }: BeginOptions,
  locks: ReadonlyArray<string>
): Promise<void> => {
  const texts = [
    durability === "relaxed" ? relaxed : "begin",
    ...(opening === null ? [] : [opening.text]),
    ...locks.map((name) => lockStatement(pg.escapeLiteral(name)))
  ]
  // Several statements in one text have several results.
  const results = (await client.query(texts.join("; "))) as unknown as ReadonlyArray<QueryResult>
  if (opening !== null) await opening.admit(results.at(-1 - locks.length)!.rows[0])
}

/**
 * Where somebody cancels the wait for a synchronous standby, the server reports success with a warning: a fail-over would lose
 * the commit, so nobody knows whether it is one.
 */
const commit = async (client: PoolClient): Promise<void> => {
  let isUnconfirmed = false
  const onNotice = ({ routine }: { readonly routine?: string | undefined }) => {
    isUnconfirmed ||= routine === "SyncRepWaitForLSN"
  }
  client.on("notice", onNotice)
  try {
    await client.query("commit")
  } finally {
    client.removeListener("notice", onNotice)
  }
  if (isUnconfirmed) throw Object.assign(new Error("no standby has confirmed it"), { code: "08007" })
}

/** A lost connection answers nothing: a rollback would wait for its timeout. */
const isLost = ({ failure }: Bounds): boolean => failure?.reason === "unavailable"
