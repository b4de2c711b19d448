/** A query written once, compiled once per database, executed many times with other values. */
import { camelName } from "@trunkline/core/effect"
import {
  CamelCasePlugin,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler
} from "kysely"
import type { Kind } from "./Columns.ts"
import { type Database, kinds } from "./Tables.ts"

export type Dialect = "sqlite" | "postgres"

const compileOnly = (dialect: Dialect): KyselyDialect => ({
  createAdapter: () => (dialect === "sqlite" ? new SqliteAdapter() : new PostgresAdapter()),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => (dialect === "sqlite" ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
  createQueryCompiler: () => (dialect === "sqlite" ? new SqliteQueryCompiler() : new PostgresQueryCompiler())
})

const builders: Record<Dialect, Kysely<Database>> = {
  sqlite: new Kysely<Database>({ dialect: compileOnly("sqlite"), plugins: [new CamelCasePlugin()] }),
  postgres: new Kysely<Database>({ dialect: compileOnly("postgres"), plugins: [new CamelCasePlugin()] })
}

/** Stands in a compiled query for a value that is known only when the query runs. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

interface Compilable<R> {
  readonly compile: () => CompiledQuery<R>
}

export type Build<P, R> = (db: Kysely<Database>, value: P, dialect: Dialect) => Compilable<R>

export interface Compiled {
  readonly sql: string
  /** In the order of the placeholders: the name of a parameter, or a value that was written into the query. */
  readonly values: ReadonlyArray<Slot | unknown>
}

/**
 * `build` may not look at the values: each stands for one that comes later. Where the shape of a query depends on what
 * is asked, write one statement per shape.
 */
export class Statement<P, R> {
  readonly name: string
  readonly build: Build<P, R>
  readonly #compiled: Partial<Record<Dialect, Compiled>> = {}

  constructor(name: string, build: Build<P, R>) {
    this.name = name
    this.build = build
  }

  compile(dialect: Dialect): Compiled {
    let compiled = this.#compiled[dialect]
    if (compiled === undefined) {
      const query = this.build(builders[dialect], slots as P, dialect).compile()
      compiled = { sql: query.sql, values: query.parameters }
      this.#compiled[dialect] = compiled
    }
    return compiled
  }
}

/** Declares a statement. `P` names its values, `R` the row that it answers with. */
export const statement =
  <P = Record<never, never>>(name: string) =>
  <R>(build: Build<P, R>): Statement<P, R> =>
    new Statement(name, build)

/** The values of one execution, in the order of the placeholders and as the driver takes them. */
export const bind = (
  compiled: Compiled,
  params: Readonly<Record<string, unknown>>,
  encode: (value: unknown) => unknown
): Array<unknown> => {
  const out = new Array<unknown>(compiled.values.length)
  for (let i = 0; i < out.length; i++) {
    const value = compiled.values[i]
    if (!(value instanceof Slot)) {
      out[i] = encode(value)
      continue
    }
    const given = params[value.name]
    if (given === undefined) throw new Error(`a statement needs a value for "${value.name}"`)
    out[i] = encode(given)
  }
  return out
}

/** JSON goes to both databases as text; booleans are the dialect's own. */
export const encoder =
  (dialect: Dialect) =>
  (value: unknown): unknown => {
    if (typeof value === "boolean") return dialect === "sqlite" ? (value ? 1 : 0) : value
    if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) return JSON.stringify(value)
    return value
  }

type Decode = (value: unknown) => unknown

const decoders: Record<Kind, Decode> = {
  text: (value) => value,
  int: Number,
  instant: Number,
  big: (value) => BigInt(value as string | number | bigint),
  bool: (value) => value === true || value === 1 || value === 1n,
  json: (value) => (typeof value === "string" ? JSON.parse(value) : value)
}

export interface ResultColumn {
  readonly from: string
  readonly to: string
  readonly decode: Decode
}

/** How the columns of a result become fields. A name that no table has is a count or another whole number. */
export const resultColumns = (names: ReadonlyArray<string>): ReadonlyArray<ResultColumn> =>
  names.map((from) => {
    const to = camelName(from)
    return { from, to, decode: decoders[kinds.get(to) ?? "int"] }
  })

/** True when a result may hold integers that do not fit a double. */
export const holdsBig = (names: ReadonlyArray<string>): boolean =>
  names.some((name) => kinds.get(camelName(name)) === "big")

export const decodeRow = (columns: ReadonlyArray<ResultColumn>, row: Readonly<Record<string, unknown>>): object => {
  const out: Record<string, unknown> = {}
  for (const { decode, from, to } of columns) {
    const value = row[from]
    out[to] = value === null ? null : decode(value)
  }
  return out
}
