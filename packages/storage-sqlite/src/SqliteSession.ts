/** A connection as a session: what it throws becomes a failure, and a transaction's statements keep to its bounds. */
import type { StorageError } from "@trunkline/core/effect"
import type { Bounds, Database, Session, Statement } from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import type { SqliteConnection } from "./SqliteConnection.ts"
import { classify } from "./SqliteErrors.ts"
import type { SqliteMemory } from "./SqliteMemory.ts"

export class SqliteSession implements Session {
  readonly "~Read" = true
  readonly #on: SqliteConnection
  readonly #bounds: Bounds | undefined

  constructor(on: SqliteConnection, bounds?: Bounds) {
    this.#on = on
    this.#bounds = bounds
  }

  rows<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<ReadonlyArray<R>, StorageError> {
    return this.#attempt(statement.name, () => this.read(statement, params))
  }

  /** Rows, or what SQLite throws. */
  protected read<P, R>(statement: Statement<P, R>, params: P): ReadonlyArray<R> {
    return this.#on.rows(statement, params)
  }

  change<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError> {
    return this.#attempt(statement.name, () => this.#on.change(statement, params))
  }

  insert<T extends keyof Database>(table: T, rows: ReadonlyArray<Database[T]>): Effect.Effect<void, StorageError> {
    return this.#attempt(`insert ${table}`, () => this.#on.insert(table, rows))
  }

  #attempt<A>(what: string, run: () => A): Effect.Effect<A, StorageError> {
    return Effect.suspend(() => {
      const refused = this.#bounds?.outlived(what) ?? null
      if (refused !== null) return refused
      try {
        return Effect.succeed(run())
      } catch (error) {
        const failure = classify(error, what)
        return Effect.fail(this.#bounds?.failed(failure) ?? failure)
      }
    })
  }
}

/** Reads what is committed, on a connection that only reads. */
export class SqliteLook extends SqliteSession {
  readonly #memory: SqliteMemory

  constructor(on: SqliteConnection, memory: SqliteMemory) {
    super(on)
    this.#memory = memory
  }

  protected override read<P, R>(statement: Statement<P, R>, params: P): ReadonlyArray<R> {
    if (!statement.isHot) return super.read(statement, params)
    this.#memory.look()
    return this.#memory.of(statement, params, () => super.read(statement, params))
  }
}
