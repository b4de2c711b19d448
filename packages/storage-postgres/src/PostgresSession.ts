/** One connection, or the pool between transactions, as a session: named statements, one codec. */
import { type StorageError, snakeName } from "@trunkline/core/storage"
import {
  type Bounds,
  bind,
  bindRow,
  type Database,
  fieldsOf,
  kindOf,
  postgresDialect,
  type ResultColumn,
  readRow,
  replacing,
  resultColumns,
  type Session,
  type Statement
} from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import type { QueryArrayConfig, QueryArrayResult } from "pg"
import { classify } from "./PostgresErrors.ts"

const encode = postgresDialect.encode

/** Everything comes as text and is read by our own codec: a 64-bit integer must never pass through a double. */
const types = { getTypeParser: () => (value: string) => value }

const columnsOf = new WeakMap<object, ReadonlyArray<ResultColumn>>()

/** More rows than these come in parts: the server reads each part into memory as one JSON text. */
const rowsPerInsert = 5000

/** A connection, or what finds one for each query. */
export interface SqlConnection {
  readonly query: (query: QueryArrayConfig) => Promise<QueryArrayResult<Array<unknown>>>
}

export class PostgresSession implements Session {
  readonly #on: SqlConnection
  readonly #bounds: Bounds | undefined

  constructor(on: SqlConnection, bounds?: Bounds) {
    this.#on = on
    this.#bounds = bounds
  }

  rows<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<ReadonlyArray<R>, StorageError> {
    return Effect.map(this.#run(statement, params), ({ fields, rows }) => {
      let columns = columnsOf.get(statement)
      if (columns === undefined) {
        columns = resultColumns(fields.map(({ name }) => name))
        columnsOf.set(statement, columns)
      }
      return rows.map((row) => readRow(columns, row) as R)
    })
  }

  change<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError> {
    return Effect.map(this.#run(statement, params), ({ rowCount }) => rowCount ?? 0)
  }

  /** A row's values travel one by one, which costs the server less; those of several rows as one value, whatever their number. */
  insert<T extends keyof Database>(
    table: T,
    rows: ReadonlyArray<Database[T]>,
    over: ReadonlyArray<string> = []
  ): Effect.Effect<void, StorageError> {
    const { fields, name, ofOne, ofSeveral } = insertInto(table, over)
    const add = (which: string, text: string, values: Array<unknown>) =>
      this.attempt(name, () => this.#on.query({ name: `${name} ${which}`, text, values, rowMode: "array" }))
    const [first] = rows
    if (first !== undefined && rows.length === 1) {
      return Effect.suspend(() => Effect.asVoid(add("row", ofOne, bindRow(fields, first, encode))))
    }
    const parts: Array<ReadonlyArray<Database[T]>> = []
    for (let i = 0; i < rows.length; i += rowsPerInsert) parts.push(rows.slice(i, i + rowsPerInsert))
    return Effect.forEach(parts, (part) => add("rows", ofSeveral, [recordsOf(fields, part)]), { discard: true })
  }

  #run<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<QueryArrayResult<Array<unknown>>, StorageError> {
    return Effect.suspend(() => {
      const compiled = statement.compile(postgresDialect)
      const values = bind(compiled, params as Record<string, unknown>, encode)
      return this.attempt(statement.name, () =>
        this.#on.query({ name: statement.name, text: compiled.sql, values, types, rowMode: "array" })
      )
    })
  }

  readonly atEnd: Session["atEnd"] = null

  readonly version = null

  /** Runs one command; what it rejects with becomes a failure, and a transaction's commands keep to its bounds. */
  protected attempt<A>(what: string, run: () => Promise<A>): Effect.Effect<A, StorageError> {
    const statement = Effect.tryPromise({
      try: run,
      catch: (error) => {
        const failure = classify(error, what)
        return this.#bounds?.failed(failure) ?? failure
      }
    })
    return this.#bounds === undefined ? statement : this.#bounds.within(what, statement)
  }
}

const encodeForJson = (value: unknown): unknown => (typeof value === "bigint" ? value.toString() : encode(value))

const recordsOf = (fields: ReadonlyArray<string>, rows: ReadonlyArray<object>): string => {
  const names = fields.map(snakeName)
  return JSON.stringify(
    rows.map((row) => {
      const values = bindRow(fields, row, encodeForJson)
      return Object.fromEntries(names.map((name, i) => [name, values[i]]))
    })
  )
}

interface Insert {
  readonly name: string
  readonly ofOne: string
  readonly ofSeveral: string
  readonly fields: ReadonlyArray<string>
}

const inserts = new Map<string, Insert>()

/**
 * The server finds the types of the values in the table itself. In several rows columns of JSON travel as text within the JSON,
 * because the server reads the strings of what it takes apart, and fails at U+0000.
 */
const insertInto = (table: keyof Database, over: ReadonlyArray<string>): Insert => {
  const name = `${over.length === 0 ? "insert" : "put"} ${table}`
  let known = inserts.get(name)
  if (known === undefined) {
    const fields = fieldsOf(table)
    const columns = fields.map((field) => `"${snakeName(field)}"`)
    const values = fields.map((field, i) =>
      kindOf(table, field) === "json" ? `(${columns[i]} #>> '{}')::json` : columns[i]
    )
    const into = `"${snakeName(table)}"`
    const begin = `insert into ${into} (${columns.join(", ")})`
    const end = replacing(fields, over)
    known = {
      name,
      ofOne: `${begin} values (${fields.map((_, i) => `$${i + 1}`).join(", ")})${end}`,
      ofSeveral: `${begin} select ${values.join(", ")} from json_populate_recordset(null::${into}, $1::json)${end}`,
      fields
    }
    inserts.set(name, known)
  }
  return known
}
