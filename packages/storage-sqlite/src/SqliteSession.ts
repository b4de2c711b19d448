/** A connection as a session: errors become failures, and a transaction's statements stay within its bounds. */
import type { StorageError } from "@trunkline/core/storage"
import { type Bounds, type Database, type Session, type Statement, UnfitValue } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import type { SqliteConnection } from "./SqliteConnection.ts"
import { classify } from "./SqliteErrors.ts"

export class SqliteSession implements Session {
  readonly #on: SqliteConnection
  readonly #bounds: Bounds | undefined

  constructor(on: SqliteConnection, bounds?: Bounds) {
    this.#on = on
    this.#bounds = bounds
  }

  rows<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<ReadonlyArray<R>, StorageError> {
    return this.#attempt(statement.name, () => this.#on.rows(statement, params))
  }

  change<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError> {
    return this.#attempt(statement.name, () => this.#on.change(statement, params))
  }

  insert<T extends keyof Database>(
    table: T,
    rows: ReadonlyArray<Database[T]>,
    over?: ReadonlyArray<string>
  ): Effect.Effect<void, StorageError> {
    return this.#attempt(`insert ${table}`, () => this.#on.insert(table, rows, over))
  }

  readonly atEnd = null

  readonly version = (): string => this.#on.version

  #attempt<A>(what: string, run: () => A): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => {
      const refused = this.#bounds?.outlived(what) ?? null
      if (refused !== null) return refused
      try {
        return Effect.succeed(run())
      } catch (error) {
        if (error instanceof UnfitValue) return Effect.die(error)
        const failure = classify(error, what)
        return Effect.fail(this.#bounds?.failed(failure) ?? failure)
      }
    })
  }
}
