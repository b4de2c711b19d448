/** One connection as a session: cached prepared statements, executed synchronously. */
import type { StorageError } from "@trunkline/core/effect"
import {
  bind,
  type Compiled,
  type Database,
  decodeRow,
  encoder,
  holdsBig,
  type ResultColumn,
  resultColumns,
  type Session,
  type Statement
} from "@trunkline/storage-kysely"
import type BetterSqlite from "better-sqlite3"
import * as Effect from "effect/Effect"
import { classify } from "./SqliteErrors.ts"

interface Prepared {
  readonly compiled: Compiled
  readonly native: BetterSqlite.Statement<Array<unknown>>
  readonly columns: ReadonlyArray<ResultColumn>
}

const encode = encoder("sqlite")

export class SqliteSession implements Session {
  readonly #db: BetterSqlite.Database
  readonly #prepared = new Map<Statement<never, unknown>, Prepared>()
  readonly #inserts = new Map<string, BetterSqlite.Statement<Array<unknown>>>()

  constructor(db: BetterSqlite.Database) {
    this.#db = db
  }

  #prepare(statement: Statement<never, unknown>): Prepared {
    let prepared = this.#prepared.get(statement)
    if (prepared === undefined) {
      const compiled = statement.compile("sqlite")
      const native = this.#db.prepare<Array<unknown>>(compiled.sql)
      const names = native.reader ? native.columns().map(({ name }) => name) : []
      if (holdsBig(names)) native.safeIntegers(true)
      prepared = { compiled, native, columns: resultColumns(names) }
      this.#prepared.set(statement, prepared)
    }
    return prepared
  }

  rows<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<ReadonlyArray<R>, StorageError> {
    return attempt(statement.name, () => {
      const { columns, compiled, native } = this.#prepare(statement as Statement<never, unknown>)
      const found = native.all(...bind(compiled, params as Record<string, unknown>, encode)) as Array<
        Record<string, unknown>
      >
      return found.map((row) => decodeRow(columns, row) as R)
    })
  }

  change<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError> {
    return attempt(statement.name, () => {
      const { compiled, native } = this.#prepare(statement as Statement<never, unknown>)
      return native.run(...bind(compiled, params as Record<string, unknown>, encode)).changes
    })
  }

  insert<T extends keyof Database>(table: T, rows: ReadonlyArray<Database[T]>): Effect.Effect<void, StorageError> {
    return attempt(`insert ${table}`, () => {
      const fields = Object.keys(rows[0]!)
      const key = `${table}(${fields.join()})`
      let native = this.#inserts.get(key)
      if (native === undefined) {
        native = this.#db.prepare<Array<unknown>>(insertInto(table, fields))
        this.#inserts.set(key, native)
      }
      for (const row of rows) native.run(...fields.map((field) => encode((row as Record<string, unknown>)[field])))
    })
  }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const insertInto = (table: string, fields: ReadonlyArray<string>): string =>
  `insert into "${snake(table)}" (${fields.map((field) => `"${snake(field)}"`).join(", ")}) values (${fields.map(() => "?").join(", ")})`

const attempt = <A>(what: string, run: () => A): Effect.Effect<A, StorageError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(run())
    } catch (error) {
      return Effect.fail(classify(error, what))
    }
  })
