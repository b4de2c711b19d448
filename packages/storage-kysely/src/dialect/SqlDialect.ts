/** Everything in which SQLite and Postgres differ, as one object. Stores and migrations ask it and never ask which one it is. */
import {
  CamelCasePlugin,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type Dialect as KyselyDialect,
  type RawBuilder,
  type SelectQueryBuilder
} from "kysely"
import type { Database } from "../Tables.ts"

/** Types of values inside a statement. SQLite derives them from the value. */
export type SqlType = "uuid" | "text" | "int" | "bigint" | "boolean" | "json"

/** Returns the same query with a lock on the rows that it finds, for `query.$call(dialect.forUpdate)`. */
type LockRows = <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, O>

/** The words that a migration writes in braces, such as `{uuid}`, and what each stands for. */
export interface DdlWords {
  readonly uuid: string
  /** UTC milliseconds. */
  readonly instant: string
  /** Fits 32 bits. */
  readonly int: string
  /** 64 bits: nano-credits. */
  readonly big: string
  /** A double. */
  readonly real: string
  readonly bool: string
  readonly blob: string
  /** Kept as its text. */
  readonly json: string
  /** JSON of which `mergeJson` makes new values. */
  readonly "merged-json": string
  /** Goes before `table` where a crash may empty the table. */
  readonly scratch: string
  /** Goes after a table's columns: the database checks the types of its values. */
  readonly strict: string
  /** The same, and the table is stored in the order of its primary key. */
  readonly "by-key": string
  /** The primary key of the outbox: the order in which events became visible. */
  readonly "outbox-order": string
  /** A primary key that the database counts up. */
  readonly numbered: string
  /** A column that the database counts up, in a table with another key. */
  readonly arrival: string
  /** Goes after a text column that is compared byte by byte. */
  readonly bytes: string
  /** Goes after the columns of a table with a full-text index. */
  readonly searchable: string
}

/** Where a row of the outbox stands. */
export interface OutboxPlace {
  readonly epoch: bigint
  readonly position: bigint
}

export interface SqlDialect {
  readonly name: "sqlite" | "postgres"
  /** Builds and compiles queries; executes none. */
  readonly queries: Kysely<Database>
  /** A value as the driver accepts it. */
  readonly encode: (value: unknown) => unknown
  /**
   * The text of a query that returns its first row, and others until their values have `maxBytes`. On SQLite it is the query as
   * it is: the connection takes row by row, and stops.
   */
  readonly pageWithin: (query: CompiledQuery, maxBytes: number) => string
  readonly ddl: DdlWords

  // One writer needs no locks on rows: on SQLite these four return the query as it is.

  /** Waits for the rows and keeps other writers away from them until the transaction ends. */
  readonly forUpdate: LockRows
  /** The same, without the rows that another transaction has locked. */
  readonly forUpdateSkipLocked: LockRows
  /** The same for a join of which only the rows of `table` are locked. */
  readonly forUpdateSkipLockedOf: <DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
    table: TB & string
  ) => SelectQueryBuilder<DB, TB, O>
  /** Keeps the rows from being removed until the transaction ends. */
  readonly forKeyShare: LockRows

  // Many values as one parameter, so that one prepared statement serves any number of them.

  /** A subquery of one column `value`: `where("id", "in", dialect.list(ids, "uuid"))`. */
  readonly list: <A>(values: ReadonlyArray<A>, type: SqlType) => RawBuilder<A>
  /** A table `alias` of the objects `values`, for `from`; its columns have the objects' own names. */
  readonly records: (
    values: ReadonlyArray<object>,
    alias: string,
    columns: Readonly<Record<string, SqlType>>
  ) => RawBuilder<unknown>
  /** A table of the arrays `values`, for `from`, and its columns in the order of `types`, for `select`. */
  readonly tuples: (
    values: ReadonlyArray<ReadonlyArray<unknown>>,
    types: ReadonlyArray<SqlType>
  ) => { readonly columns: RawBuilder<unknown>; readonly from: RawBuilder<unknown> }

  /** Ids within these bounds. Chooses the partitions that are read, where there are some, and no index. */
  readonly idsBetween: (column: string, first: unknown, last: unknown) => RawBuilder<boolean>
  /**
   * True of rows with one of these ids, all of which are between two. Looks the ids up one by one: where a table was small when a
   * statement was planned, a join would be planned as a walk through all rows between the two.
   */
  readonly isOneOf: (column: string, ids: unknown, first: unknown, last: unknown) => RawBuilder<boolean>
  /**
   * The same of rows that are joined with `records` by their id. On SQLite the join looks the ids up one by one: by the list, it
   * would walk through all records for each of them.
   */
  readonly isOneOfJoined: (column: string, ids: unknown, first: unknown, last: unknown) => RawBuilder<boolean>

  /** A value or an expression of the given type. */
  readonly cast: (value: unknown, type: SqlType) => RawBuilder<unknown>
  /** The later object's fields over the earlier one's; no field of either is null. `stored` is the type of the target column. */
  readonly mergeJson: (earlier: string, later: string, stored: "json" | "merged-json") => RawBuilder<unknown>
  /** A JSON column as text, for a comparison. */
  readonly jsonText: (column: string) => RawBuilder<string>
  /** True where `value` is a row of the subquery. Looks the rows up one by one. */
  readonly isAmong: (value: RawBuilder<unknown>, subquery: RawBuilder<unknown>) => RawBuilder<boolean>
  /** Joins as `alias` the rows of a table that `found` finds for each row before it: from `where` on, with the table as `x`. */
  readonly joinEach: (table: string, alias: string, found: RawBuilder<unknown>) => RawBuilder<unknown>

  /** All rows of a table, for `from`, when a walk through the table is faster than its index. */
  readonly fullScan: (table: string) => RawBuilder<unknown>
  /** The order in which rows were added, where `column` counts them. */
  readonly insertionOrder: (column: string) => RawBuilder<unknown>

  /**
   * Rows by the interval that `column`, an instant, lies in. `bounds`: the first instant of each interval and the end of the last
   * one, of which `first` and `last` are the ends. `from` stands in front of the table of the column.
   */
  readonly intervals: (
    column: string,
    values: { readonly bounds: unknown; readonly first: unknown; readonly last: unknown }
  ) => {
    readonly from: RawBuilder<unknown>
    readonly isWithin: RawBuilder<boolean>
    /** The place of the row's interval, from 0. */
    readonly place: RawBuilder<number>
  }

  /** The order in which events become visible. A transaction's events never appear behind a cursor that was handed out. */
  readonly outbox: {
    readonly cursor: RawBuilder<string>
    readonly isAfter: (place: OutboxPlace) => RawBuilder<boolean>
    /** Compares the place of a row, whether or not it is visible to readers yet. */
    readonly compared: (op: ">" | "<=", place: OutboxPlace) => RawBuilder<boolean>
    /** The first part of a place. */
    readonly epoch: RawBuilder<string>
    readonly order: RawBuilder<unknown>
  }

  /** True of a text, in a column or made of several, of which a `SearchedText` is a part. A null has no parts. */
  readonly hasPart: (text: string | RawBuilder<unknown>, search: unknown) => RawBuilder<boolean>
  /** True of a column with a JSON array of texts that has this one. */
  readonly hasElement: (column: string, text: unknown) => RawBuilder<boolean>
  /** How many different texts of a list stand in a column with a JSON array of texts. */
  readonly countElements: (column: string, texts: unknown) => RawBuilder<number>

  /** Full-text search: positions of the passages with any of the lexemes, the largest sum of weights first. */
  readonly searchPassages: (
    lexemes: ReadonlyArray<{ readonly lexeme: string; readonly weight: number }>,
    limit: number
  ) => RawBuilder<{ position: number }>
}

/** A Kysely that only compiles. */
export const compileOnly = (
  parts: Pick<KyselyDialect, "createAdapter" | "createIntrospector" | "createQueryCompiler">
): Kysely<Database> =>
  new Kysely<Database>({
    dialect: { ...parts, createDriver: () => new DummyDriver() },
    plugins: [new CamelCasePlugin()]
  })
