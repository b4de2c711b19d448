/** The seam between rules and databases: a transaction is a requirement in the type. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "./StorageError.ts"

/** What two writers may need to agree on. The key's meaning is the room's. */
export type LockKind =
  | "contact-import"
  | "numbers"
  | "campaign"
  | "suppression"
  | "call"
  | "call-record"
  | "report"
  | "customer-of"
  | "customer"
  | "carrier"
  | "account"
  | "webhook"

/** A look at committed state, or inside a transaction at the transaction's own state. */
export class Read extends Context.Service<Read, { readonly "~Read": true }>()("@trunkline/core/storage/Read") {}

/**
 * A running transaction. A part that writes needs it; only `Storage.transact` provides it.
 *
 * `lock` serialises this transaction with every other that locks the same key, until its end: take it before reading
 * what will be written. On SQLite, which has one writer, it does nothing. Locks of several keys are taken in the
 * order of the kinds above, and within a kind in ascending order of keys.
 */
export class Tx extends Context.Service<
  Tx,
  {
    readonly lock: (kind: LockKind, key: string) => Effect.Effect<void, StorageError>
    /** True where no other transaction runs before this one has ended: finding out what is to be locked can be left out. */
    readonly isAlone: boolean
  }
>()("@trunkline/core/storage/Tx") {}

/** Serialises this transaction with others on one key. */
export const lock = (kind: LockKind, key: string): Effect.Effect<void, StorageError, Tx> =>
  Tx.use((tx) => tx.lock(kind, key))

export class Storage extends Context.Service<
  Storage,
  {
    /**
     * Runs a program as one transaction: all of it is committed, or nothing.
     *
     * A failure or defect of the program rolls back and keeps its type. The program must be free of side effects outside
     * the database and must not wait for anything but it: on SQLite an asynchronous step is a defect, on Postgres it
     * would hold a connection. It may be run again from its start when the database asks for that (deadlock).
     * An interruption either comes before the start or leaves the whole transaction in place. A commit survives a power
     * cut, and so does whatever was committed before it.
     */
    readonly transact: <A, E, R>(
      program: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>>
    /**
     * The same for what is worth nothing without the process that wrote it, such as a place in a queue, and for what somebody
     * else knows as well: its commit does not wait for the disk. It survives the end of the process, and after a second a power
     * cut too.
     */
    readonly transactLightly: <A, E, R>(
      program: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>>
    /** Runs a program that only reads. Each statement sees what was committed when it began. */
    readonly read: <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, Exclude<R, Read>>
    /** Answers when the storage can be read and written: the readiness probe. */
    readonly ready: Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/storage/Storage") {}

/** `Storage.transact` as a function. */
export const transact = <A, E, R>(
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read> | Storage> =>
  Storage.use((storage) => storage.transact(program))

/** `Storage.read` as a function. */
export const read = <A, E, R>(
  program: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, Exclude<R, Read> | Storage> => Storage.use((storage) => storage.read(program))
