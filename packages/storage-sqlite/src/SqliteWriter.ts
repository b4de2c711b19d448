/**
 * The one writer of a database: runs programs synchronously to their end, each all or nothing, and lets programs that
 * arrive together share one commit, because the commit is what costs.
 */
import { Read, StorageError, Tx } from "@trunkline/core/effect"
import type BetterSqlite from "better-sqlite3"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { classify } from "./SqliteErrors.ts"
import { SqliteSession } from "./SqliteSession.ts"

interface Job {
  /** Runs the program inside the open transaction. */
  readonly run: () => Exit.Exit<unknown, unknown>
  /** Tells the caller, after the commit. */
  readonly settle: (exit: Exit.Exit<unknown, unknown>) => void
}

/** Programs that share a commit at most, so that no turn of the event loop grows without bound. */
const groupSize = 128
/** A group stops taking programs after so long. */
const groupMillis = 20
/** How long another process may hold the file before a program is given up. */
const patienceMillis = 10_000

export class SqliteWriter {
  readonly #db: BetterSqlite.Database
  readonly #services: Context.Context<Tx | Read>
  #queue: Array<Job> = []
  #scheduled = false
  /** A commit was made in this turn of the event loop: what follows in it is gathered. */
  #warm = false
  #waitingSince: number | undefined

  constructor(db: BetterSqlite.Database) {
    this.#db = db
    const session = Object.assign(new SqliteSession(db), { lock: () => Effect.void, "~Read": true as const })
    this.#services = Context.make(Tx, session).pipe(Context.add(Read, session))
  }

  transact<A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>> {
    return Effect.contextWith((context: Context.Context<Exclude<R, Tx | Read>>) => {
      const runSync = Effect.runSyncExitWith(Context.merge(context, this.#services) as unknown as Context.Context<R>)
      return Effect.callback<A, E | StorageError>((resume) => {
        const job: Job = {
          run: () => runSync(program),
          settle: (exit) => resume(exit as Exit.Exit<A, E | StorageError>)
        }
        this.#queue.push(job)
        if (!this.#scheduled && !this.#warm) this.#flush()
        else this.#schedule()
        return Effect.sync(() => {
          this.#queue = this.#queue.filter((queued) => queued !== job)
        })
      })
    })
  }

  #schedule(delay = 0): void {
    if (this.#scheduled) return
    this.#scheduled = true
    const flush = () => {
      this.#scheduled = false
      this.#warm = false
      this.#flush()
    }
    if (delay === 0) setImmediate(flush)
    else setTimeout(flush, delay)
  }

  #flush(): void {
    if (this.#queue.length === 0) return
    try {
      this.#db.exec("begin immediate")
    } catch (error) {
      this.#refused(error)
      return
    }
    this.#waitingSince = undefined
    const done: Array<readonly [Job, Exit.Exit<unknown, unknown>]> = []
    const until = performance.now() + groupMillis
    const shared = this.#queue.length > 1
    let failure: StorageError | undefined
    try {
      do {
        const job = this.#queue.shift()!
        const exit = shared ? this.#runNested(job) : job.run()
        done.push([job, exit])
      } while (shared && this.#queue.length > 0 && done.length < groupSize && performance.now() < until)
      this.#end(shared || Exit.isSuccess(done[0]![1]))
    } catch (error) {
      failure = classify(error, "commit")
      if (this.#db.inTransaction) this.#db.exec("rollback")
    }
    this.#warm = true
    this.#schedule()
    for (const [job, exit] of done)
      job.settle(failure === undefined || Exit.isFailure(exit) ? exit : Exit.fail(failure))
  }

  /** Some errors, a full disk for one, make the database end the transaction by itself. */
  #end(commit: boolean): void {
    if (this.#db.inTransaction) this.#db.exec(commit ? "commit" : "rollback")
    else if (commit)
      throw Object.assign(new Error("the transaction was ended by the database"), { code: "SQLITE_FULL" })
  }

  /** Inside a shared transaction a savepoint keeps one program's failure its own. */
  #runNested(job: Job): Exit.Exit<unknown, unknown> {
    this.#db.exec("savepoint program")
    const exit = job.run()
    if (this.#db.inTransaction) {
      this.#db.exec(Exit.isFailure(exit) ? "rollback to program; release program" : "release program")
    }
    return exit
  }

  /** Another process is writing: wait without blocking anybody, up to a limit. Everything else is final. */
  #refused(error: unknown): void {
    const classified = classify(error, "begin")
    this.#waitingSince ??= performance.now()
    if (classified.reason === "contended" && performance.now() - this.#waitingSince < patienceMillis) {
      this.#schedule(5)
      return
    }
    this.#waitingSince = undefined
    const failed = this.#queue
    this.#queue = []
    const exit = Exit.fail(
      classified.reason === "contended"
        ? new StorageError({
            reason: "contended",
            detail: "another process has held the database for 10 s; end it or wait for it",
            cause: error
          })
        : classified
    )
    for (const job of failed) job.settle(exit)
  }
}
