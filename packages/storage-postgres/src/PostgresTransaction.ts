/** One program on one connection, from `begin` to `commit` or `rollback`. */
import type { LockKind, Read, StorageError, TransactOptions, Tx } from "@trunkline/core/storage"
import { Bounds, withTransaction } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import pg, { type PoolClient, type QueryArrayConfig, type QueryArrayResult, type QueryResult } from "pg"
import { classify } from "./PostgresErrors.ts"
import { PostgresSession, type SqlConnection } from "./PostgresSession.ts"
import { unprepared } from "./TransactionPooler.ts"

/** A lock, and whether others may have it in the same way. */
interface Lock {
  readonly name: string
  readonly isShared: boolean
}

/** Hashes a name to an advisory lock's 64-bit key. Two names with one key only wait for each other. */
const lockStatement = (name: string, isShared: boolean) =>
  `select pg_advisory_xact_lock${isShared ? "_shared" : ""}(hashtextextended(${name}, 0))`

/**
 * A connection whose transaction begins with its first statement. Locks that come first travel in one text with `begin`, and
 * what follows is sent behind it without waiting for its answer: where it fails the server refuses all that follows. Statements
 * that a program begins side by side are sent one behind the other, and the server runs them in this order.
 */
class TransactionConnection implements SqlConnection {
  readonly #client: PoolClient
  readonly #statements: SqlConnection
  readonly #options: BeginOptions
  #beginning: Promise<void> | null = null

  constructor(client: PoolClient, options: BeginOptions) {
    this.#client = client
    this.#statements = options.opening === null ? client : unprepared(client)
    this.#options = options
  }

  get hasBegun(): boolean {
    return this.#beginning !== null
  }

  query(query: QueryArrayConfig): Promise<QueryArrayResult<Array<unknown>>> {
    const beginning = this.#begin([])
    if (this.#options.opening !== null) return beginning.then(() => this.#statements.query(query))
    // Its failure is that of the statement too.
    beginning.catch(() => undefined)
    return this.#statements.query(query)
  }

  async lock(locks: ReadonlyArray<Lock>): Promise<void> {
    if (!this.hasBegun) return this.#begin(locks)
    // Sent together: the server acquires them one after the other.
    const acquired = locks.map(({ isShared, name }) =>
      this.query({
        name: isShared ? "lock_shared" : "lock",
        text: lockStatement("$1", isShared),
        values: [name],
        rowMode: "array"
      })
    )
    await Promise.all(acquired)
  }

  /** Behind what was sent before it, which may be under way although the program has ended. */
  queued<A>(run: () => Promise<A>): Promise<A> {
    return this.#options.opening === null ? run() : this.#begin([]).then(run, run)
  }

  #begin(locks: ReadonlyArray<Lock>): Promise<void> {
    this.#beginning ??= begin(this.#client, this.#options, locks)
    return this.#beginning
  }
}

class TransactionSession extends PostgresSession {
  readonly #connection: TransactionConnection
  /** Locks that were acquired or waited for, by their names. */
  readonly locks = new Map<string, Lock>()
  readonly #last: Array<Fiber.Fiber<void, StorageError>> = []

  constructor(connection: TransactionConnection, bounds: Bounds) {
    super(connection, bounds)
    this.#connection = connection
  }

  lock(kind: LockKind, keys: ReadonlyArray<string>, isShared: boolean): Effect.Effect<void, StorageError> {
    // Postgres has no U+0000 in texts, and breaks off at one in a text of statements.
    return this.lockAll(keys.map((key) => ({ name: `${kind}:${key}`.replaceAll("\0", ""), isShared })))
  }

  override readonly atEnd = (statements: Effect.Effect<void, StorageError>): Effect.Effect<void> =>
    Effect.map(Effect.forkDetach(statements, { startImmediately: true }), (fiber) => {
      this.#last.push(fiber)
    })

  /** The answers to statements that were sent at the end. */
  get ended(): Effect.Effect<void, StorageError> {
    return Effect.forEach(this.#last, Fiber.join, { discard: true })
  }

  lockAll(asked: ReadonlyArray<Lock>): Effect.Effect<void, StorageError> {
    return this.attempt("lock", () => {
      const locks = asked.filter((lock) => !isHeld(this.locks.get(lock.name), lock))
      for (const lock of locks) this.locks.set(lock.name, lock)
      return this.#connection.lock(locks)
    })
  }
}

/** Whether a transaction that has the first lock need not ask for the second: one that is not shared keeps away the others, too. */
const isHeld = (held: Lock | undefined, { isShared }: Lock): boolean =>
  held !== undefined && (isShared || !held.isShared)

/** One order for all transactions that run again. */
const inOrder = (locks: ReadonlyArray<Lock>): ReadonlyArray<Lock> =>
  locks.toSorted((one, other) => (one.name < other.name ? -1 : 1))

export interface Outcome<A, E> {
  readonly exit: Exit.Exit<A, E | StorageError>
  /** After a deadlock: run the program again from its start, with these locks first. Otherwise null. */
  readonly retryWith: ReadonlyArray<Lock> | null
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
  readonly lockFirst: ReadonlyArray<Lock>
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
        if (lockFirst.length > 0) yield* session.lockAll(inOrder(lockFirst))
        return yield* withTransaction(program, session, {
          lock: (kind, ...keys) => session.lock(kind, keys, false),
          lockShared: (kind, key) => session.lock(kind, [key], true)
        })
      })
    )
    bounds.end()
    if (!connection.hasBegun) return { exit, retryWith: null, isReusable: true }
    const retryWith = () => (bounds.failure?.reason === "contended" ? [...session.locks.values()] : null)
    if (Exit.isSuccess(exit) && bounds.failure === undefined) {
      const committing = yield* Effect.forkDetach(
        command("commit", () => connection.queued(() => commit(client))),
        { startImmediately: true }
      )
      // The server has made a rollback of the commit where one of them failed.
      const committed = yield* Effect.exit(
        Effect.andThen(Effect.exit(session.ended), (last) => Effect.andThen(Fiber.join(committing), last))
      )
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
  locks: ReadonlyArray<Lock>
): Promise<void> => {
  const texts = [
    durability === "relaxed" ? relaxed : "begin",
    ...(opening === null ? [] : [opening.text]),
    ...locks.map(({ isShared, name }) => lockStatement(pg.escapeLiteral(name), isShared))
  ]
  // Several statements in one text have several results.
  const results = (await client.query(texts.join("; "))) as unknown as ReadonlyArray<QueryResult>
  if (opening !== null) await opening.admit(results.at(-1 - locks.length)!.rows[0])
}

const commit = (client: PoolClient): Promise<void> => committing(client, "commit")

/**
 * Runs a statement that commits. Where somebody cancels the wait for a synchronous standby, the server reports success with a
 * warning: a fail-over would lose the commit, so nobody knows whether it is one.
 */
export const committing = async (client: PoolClient, text: string): Promise<void> => {
  let isUnconfirmed = false
  const onNotice = ({ routine }: { readonly routine?: string | undefined }) => {
    isUnconfirmed ||= routine === "SyncRepWaitForLSN"
  }
  client.on("notice", onNotice)
  try {
    await client.query(text)
  } finally {
    client.removeListener("notice", onNotice)
  }
  if (isUnconfirmed) throw Object.assign(new Error("no standby has confirmed it"), { code: "08007" })
}

/** A lost connection answers nothing: a rollback would wait for its timeout. */
const isLost = ({ failure }: Bounds): boolean => failure?.reason === "unavailable"
