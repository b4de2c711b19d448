/**
 * A connection on a thread of its own, for transactions with very many rows: the event loop stays free. Programs run here,
 * on the event loop; only their statements are executed on the thread.
 */
import { Worker } from "node:worker_threads"
import { type Read, StorageError, type Tx } from "@trunkline/core/storage"
import {
  Bounds,
  bind,
  bindRow,
  type Database,
  fieldsOf,
  oneWriter,
  readRow,
  replacing,
  resultColumns,
  type Session,
  type Statement,
  sqliteDialect,
  withTransaction
} from "@trunkline/storage-kysely"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"
import type { ThreadResult, ThreadStatement } from "./ConnectionThread.ts"
import { insertInto } from "./SqliteConnection.ts"
import { classify } from "./SqliteErrors.ts"
import { threadFile } from "./ThreadFile.ts"

/** Rows only pass through the thread: a small nursery keeps its garbage from growing to tens of megabytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

const encode = sqliteDialect.encode

type Done = Exclude<ThreadResult, { readonly message: string }>

export class ThreadConnection {
  readonly #worker: Worker
  /** Callers whose statements are not finished, in their order. */
  readonly #waiting: Array<(result: ThreadResult) => void> = []
  #ended: string | undefined

  private constructor(path: string) {
    this.#worker = new Worker(threadFile(import.meta.url), { workerData: { path }, resourceLimits })
    this.#worker.on("message", (result: ThreadResult) => this.#waiting.shift()?.(result))
    this.#worker.on("error", (error) => this.#end(error.message))
    this.#worker.on("exit", (code) => this.#end(`the thread ended with ${code} and no answer`))
  }

  /** Connects to the database file `path`, until it is closed. */
  static begin(path: string): ThreadConnection {
    return new ThreadConnection(path)
  }

  /** Connects to the database file `path`. The temporary tables end with the scope. */
  static open(path: string): Effect.Effect<ThreadConnection, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => ThreadConnection.begin(path)),
      (connection) => Effect.sync(() => connection.close())
    )
  }

  /** Lets the process end while the thread has nothing else to keep it. */
  unref(): void {
    this.#worker.unref()
  }

  /** Ends the thread after the statements that it was given before. */
  close(): void {
    this.#worker.postMessage("close")
  }

  /** Executes one statement on the thread, to its end even if the caller is interrupted. */
  execute(what: string, statement: ThreadStatement): Effect.Effect<Done, StorageError> {
    return Effect.callback((resume) => {
      const settle = (result: ThreadResult) =>
        resume("message" in result ? Effect.fail(classify(revived(result), what)) : Effect.succeed(result))
      if (this.#ended !== undefined) return resume(Effect.fail(unavailable(this.#ended)))
      this.#waiting.push(settle)
      this.#worker.postMessage(statement)
    })
  }

  /** Executes a text that has no values and returns no rows. */
  run(sql: string): Effect.Effect<void, StorageError> {
    return Effect.asVoid(this.execute(sql, { sql, values: [] }))
  }

  /**
   * Runs a program as one transaction of this connection, all or nothing; one at a time. `begin` allows other writers
   * meanwhile and suits temporary tables; `begin immediate` locks the database.
   */
  transact<A, E, R>(
    begin: "begin" | "begin immediate",
    program: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>> {
    return Effect.suspend(() => {
      const bounds = new Bounds()
      const bounded = Effect.exit(withTransaction(program, new ThreadSession(this, bounds), oneWriter))
      return Effect.uninterruptible(transaction(this, begin, bounds, bounded))
    })
  }

  #end(why: string): void {
    this.#ended ??= why
    for (const settle of this.#waiting.splice(0)) settle({ code: "SQLITE_IOERR", message: why })
  }
}

/**
 * Made once and given all it needs: V8 keeps whatever a generator function has closed over until the next full
 * collection, and here that would be every row of an import.
 */
const transaction = Effect.fnUntraced(function* <A, E, R>(
  on: ThreadConnection,
  begin: string,
  bounds: Bounds,
  program: Effect.Effect<Exit.Exit<A, E>, never, R>
) {
  yield* on.run(begin)
  const exit = yield* program
  bounds.end()
  const failure = Exit.isFailure(exit) ? exit : bounds.failure === undefined ? undefined : Exit.fail(bounds.failure)
  if (failure === undefined) yield* Effect.onError(on.run("commit"), () => Effect.ignore(on.run("rollback")))
  else yield* Effect.ignore(on.run("rollback"))
  return yield* failure ?? exit
})

const unavailable = (detail: string) => new StorageError({ reason: "unavailable", detail: `thread: ${detail}` })

const revived = ({ code, message }: { readonly code: string | undefined; readonly message: string }): Error =>
  Object.assign(new Error(message), { code })

class ThreadSession implements Session {
  readonly #on: ThreadConnection
  readonly #bounds: Bounds

  constructor(on: ThreadConnection, bounds: Bounds) {
    this.#on = on
    this.#bounds = bounds
  }

  rows<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<ReadonlyArray<R>, StorageError> {
    return Effect.map(this.#execute(statement, params), (done) => {
      if (!("rows" in done)) return []
      const columns = resultColumns(done.names)
      return done.rows.map((values) => readRow(columns, values) as R)
    })
  }

  change<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<number, StorageError> {
    return Effect.map(this.#execute(statement, params), (done) => ("changes" in done ? done.changes : 0))
  }

  readonly atEnd = null

  readonly version = null

  insert<T extends keyof Database>(
    table: T,
    rows: ReadonlyArray<Database[T]>,
    over: ReadonlyArray<string> = []
  ): Effect.Effect<void, StorageError> {
    const fields = fieldsOf(table)
    const sql = `${insertInto(table, fields)}${replacing(fields, over)}`
    return Effect.forEach(rows, (row) => this.#run(`insert ${table}`, sql, bindRow(fields, row, encode)), {
      discard: true
    })
  }

  #execute<P, R>(statement: Statement<P, R>, params: P): Effect.Effect<Done, StorageError> {
    return Effect.suspend(() => {
      const compiled = statement.compile(sqliteDialect)
      return this.#run(statement.name, compiled.sql, bind(compiled, params as Record<string, unknown>, encode))
    })
  }

  #run(what: string, sql: string, values: ReadonlyArray<unknown>): Effect.Effect<Done, StorageError> {
    return this.#bounds.within(
      what,
      Effect.mapError(this.#on.execute(what, { sql, values }), (error) => this.#bounds.failed(error))
    )
  }
}
