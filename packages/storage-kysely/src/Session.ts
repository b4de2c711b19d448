/** What a store's verbs run on: statements in, rows out, inside whatever transaction or look the caller opened. */
import { Read, type StorageError, Tx } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import type { Statement } from "./Statement.ts"
import type { Database } from "./Tables.ts"

export interface Session {
  readonly rows: <P, R>(statement: Statement<P, R>, params: P) => Effect.Effect<ReadonlyArray<R>, StorageError>
  /** Runs a statement that answers with no rows and tells how many rows it changed. */
  readonly change: <P, R>(statement: Statement<P, R>, params: P) => Effect.Effect<number, StorageError>
  /** Adds many rows to one table; all of them have the same fields. */
  readonly insert: <T extends keyof Database>(
    table: T,
    rows: ReadonlyArray<Database[T]>
  ) => Effect.Effect<void, StorageError>
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

/** Rows that a writing statement returns. */
export const writeRows = <P, R>(
  statement: Statement<P, R>,
  params: P
): Effect.Effect<ReadonlyArray<R>, StorageError, Tx> => Tx.use((service) => sessionOf(service).rows(statement, params))

/** The one row that a writing statement returns, or null when it changed nothing. */
export const writeRow = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<R | null, StorageError, Tx> =>
  Effect.map(writeRows(statement, params), (found) => found[0] ?? null)

/** How many rows a writing statement changed. */
export const write = <P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError, Tx> =>
  Tx.use((service) => sessionOf(service).change(statement, params))

/** Adds rows. */
export const insert = <T extends keyof Database>(
  table: T,
  added: ReadonlyArray<Database[T]>
): Effect.Effect<void, StorageError, Tx> =>
  added.length === 0 ? Effect.void : Tx.use((service) => sessionOf(service).insert(table, added))
