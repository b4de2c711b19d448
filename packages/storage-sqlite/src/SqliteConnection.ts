/** One connection: each statement is prepared once and executed synchronously. Throws whatever SQLite throws. */
import { snakeName } from "@trunkline/core/storage"
import {
  bind,
  bindRow,
  type Compiled,
  type Database,
  fieldsOf,
  holdsBig,
  maxPageBytes,
  type ResultColumn,
  readRow,
  replacing,
  resultColumns,
  type Statement,
  sqliteDialect
} from "@trunkline/storage-kysely"
import type BetterSqlite from "better-sqlite3"
import type { SharedRead } from "./SharedRead.ts"

type Native = BetterSqlite.Statement<Array<unknown>>

interface Prepared {
  readonly compiled: Compiled
  readonly native: Native
  readonly columns: ReadonlyArray<ResultColumn>
}

const encode = sqliteDialect.encode

/**
 * How many rows one statement inserts at most; the rest of them goes by halves. Where programs share a commit, SQLite keeps the pages
 * that a program has changed, and walks through all of them at the end of each statement: 2,000 rows one by one held the event loop
 * for 400 ms, 32 at once take 30.
 */
const rowsAtOnce = 32

export class SqliteConnection {
  readonly #db: BetterSqlite.Database
  readonly #sharedRead: SharedRead | undefined
  readonly #totalChanges: BetterSqlite.Statement
  readonly #dataVersion: BetterSqlite.Statement
  /** What it says within the present transaction; null until it is asked. */
  #othersVersion: number | null = null
  /** Transactions, and parts of some, that have not been committed: what they changed counts as changed, and is as it was before. */
  #rollbacks = 0
  #hasCommitted = true
  readonly #prepared = new Map<unknown, Prepared>()
  readonly #texts = new Map<string, Native>()
  readonly #inserts = new Map<string, Native>()

  /** `sharedRead`: of a connection that only reads what is committed. */
  constructor(db: BetterSqlite.Database, sharedRead?: SharedRead) {
    this.#db = db
    this.#sharedRead = sharedRead
    this.#totalChanges = db.prepare("select total_changes()").pluck()
    this.#dataVersion = db.prepare("pragma data_version").pluck()
  }

  get inTransaction(): boolean {
    return this.#db.inTransaction
  }

  rows<P, R>(statement: Statement<P, R>, params: P): ReadonlyArray<R> {
    const { columns, compiled, native } = this.#prepare(statement)
    this.#sharedRead?.begin()
    const values = bind(compiled, params as Record<string, unknown>, encode)
    const found = statement.isPage ? pageOf(native.iterate(...values) as Iterable<Values>) : native.all(...values)
    return found.map((values) => readRow(columns, values as ReadonlyArray<unknown>) as R)
  }

  change<P, R>(statement: Statement<P, R>, params: P): number {
    const { compiled, native } = this.#prepare(statement)
    return native.run(...bind(compiled, params as Record<string, unknown>, encode)).changes
  }

  /** `over`: the columns of a key; rows that have the same are replaced. */
  insert<T extends keyof Database>(table: T, rows: ReadonlyArray<Database[T]>, over: ReadonlyArray<string> = []): void {
    const fields = fieldsOf(table)
    let count = rowsAtOnce
    for (let nth = 0; nth < rows.length; nth += count) {
      while (count > rows.length - nth) count /= 2
      const some = rows.slice(nth, nth + count)
      this.#inserting(table, count, over).run(...some.flatMap((row) => bindRow(fields, row, encode)))
    }
  }

  #inserting(table: keyof Database, count: number, over: ReadonlyArray<string>): Native {
    const key = `${table} ${count} ${over.join(" ")}`
    let native = this.#inserts.get(key)
    if (native === undefined) {
      native = this.#db.prepare<Array<unknown>>(
        `${insertInto(table, fieldsOf(table), count)}${replacing(fieldsOf(table), over)}`
      )
      this.#inserts.set(key, native)
    }
    return native
  }

  /** Runs a text without values and without rows: `begin immediate`. */
  run(text: string): void {
    if (text.startsWith("begin")) {
      this.#othersVersion = null
      // A transaction that the database has ended by itself is known by the next one.
      if (!this.#hasCommitted) this.#rollbacks += 1
      this.#hasCommitted = false
    }
    if (text.startsWith("rollback to")) this.#rollbacks += 1
    this.#text(text).run()
    if (text === "commit") this.#hasCommitted = true
  }

  /** Another text after every change of the database, by this connection or another one, and after every rollback. */
  get version(): string {
    // Within a transaction that writes no other connection changes anything.
    this.#othersVersion ??= this.#dataVersion.get() as number
    return `${this.#othersVersion} ${this.totalChanges} ${this.#rollbacks}`
  }

  /** Rows that this connection has changed since it was opened. */
  get totalChanges(): number {
    return this.#totalChanges.get() as number
  }

  #prepare<P, R>(statement: Statement<P, R>): Prepared {
    let prepared = this.#prepared.get(statement)
    if (prepared === undefined) {
      const compiled = statement.compile(sqliteDialect)
      const native = this.#db.prepare<Array<unknown>>(compiled.sql)
      const names = native.reader ? native.columns().map(({ name }) => name) : []
      if (holdsBig(names)) native.safeIntegers(true)
      // Arrays instead of objects: reading makes the only object that a row needs.
      if (native.reader) native.raw(true)
      prepared = { compiled, native, columns: resultColumns(names) }
      this.#prepared.set(statement, prepared)
    }
    return prepared
  }

  #text(text: string): Native {
    let native = this.#texts.get(text)
    if (native === undefined) {
      native = this.#db.prepare<Array<unknown>>(text)
      this.#texts.set(text, native)
    }
    return native
  }
}

type Values = ReadonlyArray<unknown>

/** The first row, and others while their values have `maxPageBytes`. */
const pageOf = (rows: Iterable<Values>): ReadonlyArray<Values> => {
  const page: Array<Values> = []
  let bytes = 0
  for (const values of rows) {
    for (const value of values) bytes += bytesOf(value)
    if (page.length > 0 && bytes > maxPageBytes) break
    page.push(values)
  }
  return page
}

const bytesOf = (value: unknown): number => {
  if (typeof value === "string") return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.byteLength : 8
}

/** The text that inserts this many rows. */
export const insertInto = (table: string, fields: ReadonlyArray<string>, count = 1): string => {
  const names = fields.map((field) => `"${snakeName(field)}"`).join(", ")
  const values = `(${fields.map(() => "?").join(", ")})`
  return `insert into "${snakeName(table)}" (${names}) values ${Array(count).fill(values).join(", ")}`
}
