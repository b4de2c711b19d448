/** One program on one connection, from `begin` to `commit` or `rollback`. */
import type { LockKind, Read, StorageError, TransactOptions, Tx } from "@trunkline/core/effect"
import { addTransaction, Bounds } from "@trunkline/storage-kysely"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { PoolClient } from "pg"
import { classify } from "./PostgresErrors.ts"
import { PostgresSession } from "./PostgresSession.ts"

/** Hashes a name to an advisory lock's 64-bit key. Two names with one key only wait for each other. */
const lockStatement = "select pg_advisory_xact_lock(hashtextextended($1, 0))"

class TransactionSession extends PostgresSession {
  readonly #client: PoolClient
  /** Locks that were acquired or waited for, in their order. */
  readonly lockNames = new Set<string>()

  constructor(client: PoolClient, bounds: Bounds) {
    super(client, bounds)
    this.#client = client
  }

  lock(kind: LockKind, key: string): Effect.Effect<void, StorageError> {
    return this.lockName(`${kind}:${key}`)
  }

  lockName(name: string): Effect.Effect<void, StorageError> {
    return Effect.asVoid(
      this.attempt("lock", () => {
        this.lockNames.add(name)
        return this.#client.query({ name: "lock", text: lockStatement, values: [name] })
      })
    )
  }
}

export interface Outcome<A, E> {
  readonly exit: Exit.Exit<A, E | StorageError>
  /** After a deadlock: run the program again from its start, with these locks first. Otherwise null. */
  readonly retryWith: ReadonlySet<string> | null
  /** The connection is in a known state and can serve the next transaction. */
  readonly isReusable: boolean
}

export interface RunOptions extends TransactOptions {
  /** The locks of an earlier run that ended in a deadlock. Acquired at once and in one order they cannot cause it again. */
  readonly lockFirst: ReadonlySet<string>
}

/** Never fails itself. Must run uninterruptibly: a commit is awaited, not abandoned half way. */
export const runOn = <A, E, R>(
  client: PoolClient,
  program: Effect.Effect<A, E, R>,
  { durability, lockFirst }: RunOptions
): Effect.Effect<Outcome<A, E>, never, Exclude<R, Tx | Read>> =>
  Effect.gen(function* () {
    const bounds = new Bounds()
    const session = new TransactionSession(client, bounds)
    const command = (word: string) =>
      Effect.tryPromise({ try: () => client.query(word), catch: (error) => bounds.failed(classify(error, word)) })

    const exit: Exit.Exit<A, E | StorageError> = yield* Effect.exit(
      Effect.gen(function* () {
        yield* command(durability === "relaxed" ? "begin; set local synchronous_commit to off" : "begin")
        yield* Effect.forEach([...lockFirst].sort(), (name) => session.lockName(name), { discard: true })
        return yield* Effect.provideContext(
          program,
          addTransaction(Context.empty(), session, (kind, key) => session.lock(kind, key))
        )
      })
    )
    bounds.end()
    const retryWith = () => (bounds.failure?.reason === "contended" ? session.lockNames : null)
    if (Exit.isSuccess(exit) && bounds.failure === undefined) {
      const committed = yield* Effect.exit(command("commit"))
      return Exit.isSuccess(committed)
        ? { exit, retryWith: null, isReusable: true }
        : { exit: committed, retryWith: retryWith(), isReusable: false }
    }
    const rolledBack = isLost(bounds) ? false : Exit.isSuccess(yield* Effect.exit(command("rollback")))
    return {
      exit: Exit.isSuccess(exit) ? Exit.fail(bounds.failure!) : exit,
      retryWith: retryWith(),
      isReusable: rolledBack
    }
  }) as Effect.Effect<Outcome<A, E>, never, Exclude<R, Tx | Read>>

/** A lost connection answers nothing: a rollback would wait for its timeout. */
const isLost = ({ failure }: Bounds): boolean => failure?.reason === "unavailable"
