/** One program on one connection, from `begin` to `commit` or `rollback`. */
import type { LockKind, Read, StorageError, TransactOptions, Tx } from "@trunkline/core/effect"
import { addTransaction, Bounds } from "@trunkline/storage-kysely"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { PoolClient } from "pg"
import { classify } from "./PostgresErrors.ts"
import { PostgresSession } from "./PostgresSession.ts"

/** Any text as a key of the 64-bit space of advisory locks. Two that share a key only wait for each other. */
const lockStatement = "select pg_advisory_xact_lock(hashtextextended($1, 0))"

class TransactionSession extends PostgresSession {
  readonly #client: PoolClient
  /** What was locked, or waited for, in the order in which it was asked for. */
  readonly asked = new Set<string>()

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
        this.asked.add(name)
        return this.#client.query({ name: "lock", text: lockStatement, values: [name] })
      })
    )
  }
}

export interface Ended<A, E> {
  readonly exit: Exit.Exit<A, E | StorageError>
  /** The database gave this transaction up for the sake of another: run it again from its start, with these locks first. */
  readonly again: ReadonlySet<string> | null
  /** The connection is in a known state and may serve the next transaction. */
  readonly clean: boolean
}

/**
 * Never fails itself. To be run uninterruptibly: a commit is awaited, not abandoned half way.
 *
 * `first` are the locks that an earlier run asked for when it met a deadlock. Taken at once and in one order they cannot
 * lead to the same deadlock again.
 */
export const runOn = <A, E, R>(
  client: PoolClient,
  program: Effect.Effect<A, E, R>,
  first: ReadonlySet<string>,
  { durability }: TransactOptions
): Effect.Effect<Ended<A, E>, never, Exclude<R, Tx | Read>> =>
  Effect.gen(function* () {
    const bounds = new Bounds()
    const session = new TransactionSession(client, bounds)
    const command = (word: string) =>
      Effect.tryPromise({ try: () => client.query(word), catch: (error) => bounds.failed(classify(error, word)) })

    const exit: Exit.Exit<A, E | StorageError> = yield* Effect.exit(
      Effect.gen(function* () {
        yield* command(durability === "relaxed" ? "begin; set local synchronous_commit to off" : "begin")
        yield* Effect.forEach([...first].sort(), (name) => session.lockName(name), { discard: true })
        return yield* Effect.provideContext(
          program,
          addTransaction(Context.empty(), session, (kind, key) => session.lock(kind, key))
        )
      })
    )
    bounds.end()
    const again = () => (bounds.failure?.reason === "contended" ? session.asked : null)
    if (Exit.isSuccess(exit) && bounds.failure === undefined) {
      const committed = yield* Effect.exit(command("commit"))
      return Exit.isSuccess(committed)
        ? { exit, again: null, clean: true }
        : { exit: committed, again: again(), clean: false }
    }
    const rolledBack = isLost(bounds) ? false : Exit.isSuccess(yield* Effect.exit(command("rollback")))
    return {
      exit: Exit.isSuccess(exit) ? Exit.fail(bounds.failure!) : exit,
      again: again(),
      clean: rolledBack
    }
  }) as Effect.Effect<Ended<A, E>, never, Exclude<R, Tx | Read>>

/** Nothing that is sent to a lost connection is answered before its time is up. */
const isLost = ({ failure }: Bounds): boolean => failure?.reason === "unavailable"
