/** One connection, or the pool between transactions, as a session: named statements, one codec. */
import type { StorageError } from "@trunkline/core/effect"
import {
  bind,
  type Database,
  decodeRow,
  encoder,
  type ResultColumn,
  resultColumns,
  type Session,
  type Statement
} from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import type { Pool, PoolClient, QueryArrayResult, QueryResult } from "pg"
import { classify } from "./PostgresErrors.ts"

const encode = encoder("postgres")

/** Everything comes as text and is read by our own codec: a 64-bit integer must never pass through a double. */
const types = { getTypeParser: () => (value: string) => value }

const columnsOf = new WeakMap<object, ReadonlyArray<ResultColumn>>()
const booleans = new Map<unknown, unknown>([
  ["t", true],
  ["f", false]
])
const booleanType = 16

/** Placeholders that one statement may have is 65,535; rows are added in parts that stay far below. */
const rowsPerInsert = 500

export class PostgresSession implements Session {
  readonly #on: Pool | PoolClient

  constructor(on: Pool | PoolClient) {
    this.#on = on
  }

  #run(statement: Statement<never, unknown>, params: object): Promise<QueryResult<Record<string, unknown>>> {
    const compiled = statement.compile("postgres")
    return this.#on.query({
      name: statement.name,
      text: compiled.sql,
      values: bind(compiled, params as Record<string, unknown>, encode),
      types
    })
  }

  rows<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<ReadonlyArray<R>, StorageError> {
    const untyped = statement as Statement<never, unknown>
    return Effect.map(
      attempt(statement.name, () => this.#run(untyped, params as object)),
      (result) => {
        let columns = columnsOf.get(untyped)
        if (columns === undefined) {
          columns = resultColumns(result.fields.map(({ name }) => name))
          columnsOf.set(untyped, columns)
        }
        for (const { dataTypeID, name } of result.fields) {
          if (dataTypeID === booleanType) for (const row of result.rows) row[name] = booleans.get(row[name]) ?? null
        }
        return result.rows.map((row) => decodeRow(columns, row) as R)
      }
    )
  }

  change<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError> {
    return Effect.map(
      attempt(statement.name, () => this.#run(statement as Statement<never, unknown>, params as object)),
      ({ rowCount }) => rowCount ?? 0
    )
  }

  insert<T extends keyof Database>(table: T, rows: ReadonlyArray<Database[T]>): Effect.Effect<void, StorageError> {
    const fields = Object.keys(rows[0]!)
    const parts: Array<ReadonlyArray<Database[T]>> = []
    for (let i = 0; i < rows.length; i += rowsPerInsert) parts.push(rows.slice(i, i + rowsPerInsert))
    return Effect.forEach(
      parts,
      (part) =>
        attempt(
          `insert ${table}`,
          () =>
            this.#on.query({
              text: insertInto(table, fields, part.length),
              values: part.flatMap((row) => fields.map((field) => encode((row as Record<string, unknown>)[field])))
            }) as Promise<QueryArrayResult>
        ),
      { discard: true }
    )
  }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const insertInto = (table: string, fields: ReadonlyArray<string>, count: number): string => {
  let n = 0
  const tuple = () => `(${fields.map(() => `$${++n}`).join(", ")})`
  return `insert into "${snake(table)}" (${fields.map((field) => `"${snake(field)}"`).join(", ")}) values ${Array.from({ length: count }, tuple).join(", ")}`
}

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.tryPromise({ try: run, catch: (error) => classify(error, what) })
