/**
 * Answers to what is asked all the time, for as long as nobody commits anything: exact, because SQLite itself says whether
 * another connection has committed since, which takes a fraction of reading a row. Of a connection that writes nothing.
 */
import { Recent } from "@trunkline/core/effect"
import type { Statement } from "@trunkline/storage-kysely"
import type BetterSqlite from "better-sqlite3"

/** Answers that are remembered, of a few hundred bytes each. */
const mostAnswers = 1000

type Rows = ReadonlyArray<unknown>

export class SqliteMemory {
  readonly #versionNow: BetterSqlite.Statement
  readonly #answers = new Recent<string, Rows>(mostAnswers)
  #version: unknown

  constructor(reading: BetterSqlite.Database) {
    this.#versionNow = reading.prepare("pragma data_version").pluck()
  }

  /** Forgets everything if something was committed. Whatever is answered until the next call is as of this one, or later. */
  look(): void {
    const version = this.#versionNow.get()
    if (version === this.#version) return
    this.#version = version
    this.#answers.clear()
  }

  of<P, R>(statement: Statement<P, R>, params: P, read: () => ReadonlyArray<R>): ReadonlyArray<R> {
    return this.#answers.of(`${statement.name} ${JSON.stringify(params)}`, read) as ReadonlyArray<R>
  }
}
