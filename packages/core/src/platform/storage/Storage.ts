/** The port between rules and databases: a transaction is a requirement in the type. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StorageError } from "./StorageErrors.ts"

/** Kinds of locks, in the order in which a transaction acquires them. A room defines what its keys mean. */
export type LockKind =
  | "contact-import"
  | "numbers"
  | "campaign"
  | "template-sender"
  | "template-campaign"
  | "suppression-additions"
  | "suppression"
  | "call"
  | "call-record"
  | "report"
  | "customer-of"
  | "customer"
  | "payment"
  | "carrier"
  | "account"
  | "people"
  | "webhook"
  | "opt-out"
  | "template"
  | "voice-analysis"
  | "account-limit"

/** Reads committed state; inside a transaction, the transaction's own state. */
export class Read extends Context.Service<
  Read,
  {
    /** How many parts of a program the database takes side by side. */
    readonly concurrency: 1 | "unbounded"
  }
>()("@trunkline/core/platform/storage/Read") {}

/** Runs a part of a program for items that do not need each other's results: side by side where the database is far, so that they share round trips. */
export const together = <A, B, E, R>(
  items: Iterable<A>,
  part: (item: A, nth: number) => Effect.Effect<B, E, R>
): Effect.Effect<Array<B>, E, R | Read> => Read.use(({ concurrency }) => Effect.forEach(items, part, { concurrency }))

/** The same for items of which those with one key come one after the other, in their order. The results stand in the order of the items. */
export const togetherBy = <A, B, E, R>(
  items: ReadonlyArray<A>,
  key: (item: A) => string,
  part: (item: A, nth: number) => Effect.Effect<B, E, R>
): Effect.Effect<ReadonlyArray<B>, E, R | Read> => {
  const groups = Map.groupBy(items.entries(), ([, item]) => key(item))
  const inOrder = together(groups.values(), (group) =>
    Effect.forEach(group, ([nth, item]) => Effect.map(part(item, nth), (result) => [nth, result] as const))
  )
  return Effect.map(inOrder, (found) =>
    found
      .flat()
      .toSorted(([a], [b]) => a - b)
      .map(([, result]) => result)
  )
}

/**
 * A running transaction. Code that writes needs it; only `Storage.transact` provides it.
 *
 * `lock` serialises this transaction with every other that locks the same key, until it ends. Acquire a lock before reading
 * what will be written, several in the order of the kinds above, and within one kind in ascending order of keys. SQLite has
 * one writer and needs no locks.
 */
export class Tx extends Context.Service<
  Tx,
  {
    readonly lock: (kind: LockKind, ...keys: ReadonlyArray<string>) => Effect.Effect<void, StorageError>
    /** The same, beside others that lock the key in this way: only those that call `lock` and these wait for each other. */
    readonly lockShared: (kind: LockKind, key: string) => Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/platform/storage/Tx") {}

/** Serialises this transaction with others on one key, or on several, which it locks in their order. */
export const lock = (kind: LockKind, ...keys: ReadonlyArray<string>): Effect.Effect<void, StorageError, Tx> =>
  Tx.use((tx) => tx.lock(kind, ...keys.toSorted()))

/** Serialises this transaction with those that `lock` the key, and not with others that call this. */
export const lockShared = (kind: LockKind, key: string): Effect.Effect<void, StorageError, Tx> =>
  Tx.use((tx) => tx.lockShared(kind, key))

export interface TransactOptions {
  /**
   * `full`, the default: a commit survives a power cut, and so does everything committed before it.
   *
   * `relaxed`: a commit does not wait for the disk. It survives the end of the process at once and a power cut after at most
   * a second. For data that is useless without the process that wrote it, and for data that another system stores too.
   */
  readonly durability: "full" | "relaxed"
}

type Transact = <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>>

export class Storage extends Context.Service<
  Storage,
  {
    /**
     * Runs a program as one transaction: all of it is committed, or nothing.
     *
     * A failure or defect of the program rolls back and keeps its type. The program must have no side effects outside the
     * database and must wait for nothing else: on SQLite an asynchronous step is a defect, on Postgres it would occupy a
     * connection. After a deadlock the program runs again from its start. An interruption either comes before the start or
     * lets the whole transaction commit.
     */
    readonly transact: Transact
    /**
     * The same with options: `transactWith({ durability: "relaxed" })(program)`. They are no second parameter of `transact`,
     * because `Effect.fnUntraced(…, storage.transact)` passes the arguments of its function along.
     */
    readonly transactWith: (options: TransactOptions) => Transact
    /**
     * Runs a program that only reads. Each statement sees what this process had committed when the statement began, and what
     * others had committed when the turn of the event loop began in which it runs.
     */
    readonly read: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, Exclude<R, Read>>
    /**
     * Succeeds once a power cut can undo nothing of what this process had committed before. Those who wait share a turn of the disk. A
     * relaxed transaction with it behind it is a full one that keeps its locks for a shorter time.
     */
    readonly durable: Effect.Effect<void, StorageError>
    /** Succeeds while the storage can be read and written: the readiness probe. */
    readonly ready: Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/platform/storage/Storage") {}

/** `Storage.transact` as a function. */
export const transact = <A, E, R>(
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read> | Storage> =>
  Storage.use((storage) => storage.transact(program))

/** `Storage.read` as a function. */
export const read = <A, E, R>(
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, Exclude<R, Read> | Storage> => Storage.use((storage) => storage.read(program))
