/** What a store's verbs run on: statements in, rows out, inside whatever transaction or look the caller opened. */
import { Read, type StorageError, Tx } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import type { Statement } from "./Statement.ts"
import type { Database } from "./Tables.ts"

/** A statement runs when its effect does, once for each run. */
export interface Session {
  readonly rows: <P, R>(statement: Statement<P, R>, params: P) => Effect.Effect<ReadonlyArray<R>, StorageError>
  /** Runs a statement that answers with no rows and tells how many rows it changed. */
  readonly change: <P, R>(statement: Statement<P, R>, params: P) => Effect.Effect<number, StorageError>
  /** Adds whole rows to one table. */
  readonly insert: <T extends keyof Database>(
    table: T,
    rows: ReadonlyArray<Database[T]>
  ) => Effect.Effect<void, StorageError>
}

/**
 * The bounds of one transaction. A part of it that outlives it, because it was forked or its services were kept, must not
 * write into whatever uses the connection next. And a transaction in which a statement has failed is not committed,
 * whatever its program made of the failure: Postgres would not, so SQLite does not.
 */
export class Bounds {
  #ended = false
  #failure: StorageError | undefined

  get failure(): StorageError | undefined {
    return this.#failure
  }

  end(): void {
    this.#ended = true
  }

  /** Why a statement may not be run any more; null while it may. */
  outlived(what: string): Effect.Effect<never> | null {
    return this.#ended ? Effect.die(new Error(`${what}: its transaction has ended`)) : null
  }

  /** Runs one statement within the bounds. */
  within<A>(what: string, statement: Effect.Effect<A, StorageError>): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => this.outlived(what) ?? statement)
  }

  failed(error: StorageError): StorageError {
    this.#failure ??= error
    return error
  }
}

/** Storages provide both services with one object that is also the session. */
const sessionOf = (service: object): Session => service as unknown as Session

/** Rows of a read: in a transaction its own view, outside what is committed. */
export const rows = <P, R>(
  statement: Statement<P, R>,
  params: P
): Effect.Effect<ReadonlyArray<R>, StorageError, Read> =>
  Read.use((service) => sessionOf(service).rows(statement, params))

/** The only row, or null. */
export const row = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<R | null, StorageError, Read> =>
  Effect.map(rows(statement, params), (found) => found[0] ?? null)

/** What a statement that counts has counted. */
export const count = <P>(
  statement: Statement<P, { readonly n: unknown }>,
  params: P
): Effect.Effect<number, StorageError, Read> =>
  Effect.map(rows(statement, params), (found) => (found[0] as { readonly n: number }).n)

/** Rows that a writing statement returns, or that a reading one locks. */
export const writeRows = <P, R>(
  statement: Statement<P, R>,
  params: P
): Effect.Effect<ReadonlyArray<R>, StorageError, Tx> => Tx.use((service) => sessionOf(service).rows(statement, params))

/** The one row of it, or null. */
export const writeRow = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<R | null, StorageError, Tx> =>
  Effect.map(writeRows(statement, params), (found) => found[0] ?? null)

/** How many rows a writing statement changed. */
export const write = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError, Tx> =>
  Tx.use((service) => sessionOf(service).change(statement, params))

/** True when a writing statement changed its row. */
export const changed = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<boolean, StorageError, Tx> =>
  Effect.map(write(statement, params), (n) => n > 0)

/** Adds rows. */
export const insert = <T extends keyof Database>(
  table: T,
  added: ReadonlyArray<Database[T]>
): Effect.Effect<void, StorageError, Tx> =>
  added.length === 0 ? Effect.void : Tx.use((service) => sessionOf(service).insert(table, added))
