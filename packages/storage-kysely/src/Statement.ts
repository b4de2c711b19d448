/** A query written once, compiled once per database, executed many times with other values. */
import { camelName } from "@trunkline/core/storage"
import type { CompiledQuery, Kysely, RawBuilder } from "kysely"
import type { Kind } from "./Columns.ts"
import type { SqlDialect } from "./dialect/SqlDialect.ts"
import { hexPrefix } from "./StorableText.ts"
import { type Database, kindOfResult } from "./Tables.ts"

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

export type Build<P, R> = (db: Kysely<Database>, value: P, dialect: SqlDialect) => Compilable<R>

export interface Compiled {
  readonly sql: string
  /** In the order of the placeholders: the name of a parameter, or a value that was written into the query. */
  readonly values: ReadonlyArray<Slot | unknown>
}

/**
 * `build` must not inspect the values: each is a placeholder. Where the shape of a query depends on a value, write one
 * statement per shape.
 */
export class Statement<P, R> {
  readonly name: string
  readonly build: Build<P, R>
  /** It ends where its rows have `maxPageBytes`; see `page`. */
  readonly isPage: boolean
  readonly #compiled = new Map<SqlDialect, Compiled>()

  constructor(name: string, build: Build<P, R>, isPage: boolean) {
    this.name = name
    this.build = build
    this.isPage = isPage
  }

  compile(dialect: SqlDialect): Compiled {
    let compiled = this.#compiled.get(dialect)
    if (compiled === undefined) {
      const query = this.build(dialect.queries, slots as P, dialect).compile()
      const sql = this.isPage ? dialect.pageWithin(query, maxPageBytes) : query.sql
      compiled = { sql, values: query.parameters }
      this.#compiled.set(dialect, compiled)
    }
    return compiled
  }
}

const declared = new Map<string, Statement<never, unknown>>()

/** All statements of the stores, for tests. */
export const statements = (): ReadonlyArray<Statement<never, unknown>> => [...declared.values()]

/** Bytes that Postgres keeps of a prepared statement's name. */
const maxNameBytes = 63

const declaring =
  (isPage: boolean) =>
  <P = Record<never, never>>(name: string) =>
  <R>(build: Build<P, R>): Statement<P, R> => {
    if (name.length > maxNameBytes || declared.has(name)) {
      throw new Error(`a statement's name must be unique and of at most ${maxNameBytes} bytes: ${name}`)
    }
    const made = new Statement(name, build, isPage)
    declared.set(name, made as unknown as Statement<never, unknown>)
    return made
  }

/** Declares a statement. `P` names its values, `R` is its row. */
export const statement = declaring(false)

/** Bytes of the values of one page of a list. Source: docs/reference/http-conventions.md#lists. */
export const maxPageBytes = 8 * 1024 * 1024

/**
 * Declares the statement of a list that is read page by page. It returns the first row, and others for as long as their values
 * have `maxPageBytes` in all: the rest is never read into memory.
 */
export const page = declaring(true)

/** A statement in plain SQL, under the names of the tables themselves. */
export const plain =
  <P, R = unknown>(text: (value: P, dialect: SqlDialect) => RawBuilder<R>) =>
  (db: Kysely<Database>, value: P, dialect: SqlDialect) => ({ compile: () => text(value, dialect).compile(db) })

/** The values of one execution, in the order of the placeholders and as the driver accepts them. */
export const bind = (
  compiled: Compiled,
  params: Readonly<Record<string, unknown>>,
  encode: (value: unknown) => unknown
): Array<unknown> => {
  const out = new Array<unknown>(compiled.values.length)
  for (let i = 0; i < out.length; i++) {
    const value = compiled.values[i]
    out[i] = value instanceof Slot ? encoded(params, value.name, encode) : encode(value)
  }
  return out
}

/** A value of ours that no statement can be given. The storage has no part in it, so that it is a defect and no `StorageError`. */
export class UnfitValue extends Error {
  override readonly name = "UnfitValue"
}

const encoded = (params: Readonly<Record<string, unknown>>, name: string, encode: (value: unknown) => unknown) => {
  const value = params[name]
  if (value === undefined) throw new UnfitValue(`a statement needs a value for "${name}"`)
  try {
    return encode(value)
  } catch (cause) {
    throw new UnfitValue(`the value for "${name}" cannot be written: ${String(cause)}`, { cause })
  }
}

/** The fields of one added row, in one order and as the driver accepts them. */
export const bindRow = (
  fields: ReadonlyArray<string>,
  row: object,
  encode: (value: unknown) => unknown
): Array<unknown> => fields.map((field) => encoded(row as Readonly<Record<string, unknown>>, field, encode))

type Decode = (value: unknown) => unknown

/** Values come as SQLite's own, or as the text that Postgres sends. */
const decoders: Record<Kind, Decode> = {
  text: (value) => value,
  int: Number,
  instant: Number,
  big: (value) => BigInt(value as string | number | bigint),
  bool: (value) => value === 1 || value === 1n || value === "t",
  json: (value) => JSON.parse(value as string),
  bytes: (value) => (typeof value === "string" ? Buffer.from(value.slice(hexPrefix.length), "hex") : value)
}

export interface ResultColumn {
  readonly to: string
  readonly decode: Decode
}

/** How the columns of a result become fields. Every name is known from the tables. */
export const resultColumns = (names: ReadonlyArray<string>): ReadonlyArray<ResultColumn> =>
  names.map((name) => {
    const to = camelName(name)
    const kind = kindOfResult(name)
    if (kind === undefined) throw new Error(`no table says what a column "${to}" holds`)
    return { to, decode: decoders[kind] }
  })

/** True when a result may hold integers that do not fit a double. */
export const holdsBig = (names: ReadonlyArray<string>): boolean => names.some((name) => kindOfResult(name) === "big")

/** Reads one result row, given as the values of its columns in their order. */
export const readRow = (columns: ReadonlyArray<ResultColumn>, values: ReadonlyArray<unknown>): object => {
  const out: Record<string, unknown> = {}
  for (let i = 0; i < columns.length; i++) {
    const { decode, to } = columns[i]!
    const value = values[i]
    out[to] = value === null ? null : decode(value)
  }
  return out
}
