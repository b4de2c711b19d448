/**
 * The one writer of a database: runs programs synchronously to their end, each all or nothing, and lets programs that
 * arrive together share one commit, because the commit is what costs.
 */
import { type Read, StorageError, type TransactOptions, type Tx } from "@trunkline/core/effect"
import { addTransaction, Bounds, inTransaction, nested } from "@trunkline/storage-kysely"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Semaphore from "effect/Semaphore"
import type { SqliteConnection } from "./SqliteConnection.ts"
import { classify } from "./SqliteErrors.ts"
import { SqliteSession } from "./SqliteSession.ts"

interface Job {
  /** Runs the program inside the open transaction. */
  readonly run: () => Exit.Exit<unknown, unknown>
  /** Tells the caller, after the commit. */
  readonly settle: (exit: Exit.Exit<unknown, unknown>) => void
  readonly since: number
  readonly durability: TransactOptions["durability"]
}

/** Programs that share a commit at most, so that no turn of the event loop grows without bound. */
const groupSize = 128
/** A group stops taking programs after so long. */
const groupMillis = 20
/** How long another process may hold the file before a program is given up. */
const defaultPatienceMillis = 10_000
/** Between two attempts to get the file from another process. */
const retryMillis = 5
/** What was committed without waiting for the disk is there after so long at the latest, and so is all that came before it. */
const flushMillis = 200
/** How long after a commit it is looked whether the file is still written to. */
const lookMillis = 2_000
/** Writes what is there already: it proves that the file can be written, and its commit takes those before it to the disk. */
export const writeNothing = "pragma user_version = 0"

export class SqliteWriter {
  readonly #on: SqliteConnection
  readonly #patienceMillis: number
  readonly #afterwards: () => boolean
  #queue: Array<Job> = []
  #scheduled = false
  /** A commit was made in this turn of the event loop: what follows in it is gathered. */
  #warm = false
  #closed = false
  /** Commits wait for the disk, as the connection was opened. */
  #waitsForDisk = true
  /** Runs out when the last relaxed commit must be on the disk. */
  #flushing: NodeJS.Timeout | undefined
  /** Runs out a while after a commit. */
  #looking: NodeJS.Timeout | undefined
  /** A thread of this process has the file: programs wait for its end, and nobody polls. */
  #aside = false
  readonly #oneAside = Semaphore.makeUnsafe(1)

  /** `afterwards` runs two seconds after a commit, and again every two seconds while it answers true. */
  constructor(on: SqliteConnection, patienceMillis = defaultPatienceMillis, afterwards: () => boolean = () => false) {
    this.#on = on
    this.#patienceMillis = patienceMillis
    this.#afterwards = afterwards
  }

  transact<A, E, R>(
    program: Effect.Effect<A, E, R>,
    durability: TransactOptions["durability"] = "full"
  ): Effect.Effect<A, E | StorageError, Exclude<R, Tx | Read>> {
    return Effect.contextWith((context: Context.Context<Exclude<R, Tx | Read>>) => {
      if (inTransaction(context)) return Effect.die(nested())
      return Effect.callback<A, E | StorageError>((resume) => {
        const job: Job = {
          run: () => runBounded(this.#on, context, program),
          settle: (exit) => resume(exit as Exit.Exit<A, E | StorageError>),
          since: performance.now(),
          durability
        }
        this.#queue.push(job)
        if (this.#scheduled || this.#warm || this.#aside) this.#schedule()
        else this.#flush()
        return Effect.sync(() => {
          this.#queue = this.#queue.filter((queued) => queued !== job)
        })
      })
    })
  }

  /** Leaves the file to another connection of this process for as long as `work` runs. */
  aside<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Semaphore.withPermit(
      this.#oneAside,
      Effect.acquireUseRelease(
        Effect.sync(() => {
          this.#aside = true
        }),
        () => work,
        () =>
          Effect.sync(() => {
            this.#aside = false
            this.#schedule()
          })
      )
    )
  }

  /** Ends the writer. Programs that still wait are told that nothing of theirs was done. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#flushing)
    clearTimeout(this.#looking)
    this.#flush()
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
    if (this.#closed) this.#refuse(closed(), () => true)
    if (this.#queue.length === 0 || this.#aside) return
    try {
      this.#prepareCommit(this.#queue.some(({ durability }) => durability === "full"))
      this.#on.run("begin immediate")
    } catch (error) {
      this.#wait(classify(error, "begin"))
      return
    }
    const { done, failure } = this.#runGroup()
    if (failure === undefined) this.#boundFlush()
    this.#lookAfterwards()
    this.#warm = true
    this.#schedule()
    // Without the commit no answer stands: a program that failed may have failed because of what another one wrote.
    for (const [job, exit] of done) job.settle(failure === undefined ? exit : Exit.fail(failure))
  }

  /** One program that must survive a power cut makes its whole group do so. SQLite is told before it begins. */
  #prepareCommit(waitsForDisk: boolean): void {
    if (waitsForDisk === this.#waitsForDisk) return
    this.#on.set("synchronous", waitsForDisk ? "full" : "normal")
    this.#waitsForDisk = waitsForDisk
  }

  /** A commit that waited for the disk has taken there whatever was committed before it. */
  #boundFlush(): void {
    if (this.#waitsForDisk) {
      clearTimeout(this.#flushing)
      this.#flushing = undefined
    } else {
      this.#flushing ??= setTimeout(() => {
        this.#flushing = undefined
        this.#queue.push({
          run: () => Effect.runSyncExit(Effect.sync(() => this.#on.run(writeNothing))),
          settle: () => {},
          since: performance.now(),
          durability: "full"
        })
        this.#schedule()
      }, flushMillis).unref()
    }
  }

  #lookAfterwards(): void {
    if (this.#closed) return
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined
      if (this.#aside || this.#afterwards()) this.#lookAfterwards()
    }, lookMillis).unref()
  }

  /** Runs waiting programs in the open transaction, and ends it. */
  #runGroup(): {
    readonly done: ReadonlyArray<readonly [Job, Exit.Exit<unknown, unknown>]>
    readonly failure: StorageError | undefined
  } {
    const done: Array<readonly [Job, Exit.Exit<unknown, unknown>]> = []
    const until = performance.now() + groupMillis
    const shared = this.#queue.length > 1
    try {
      do {
        const job = this.#queue.shift()!
        done.push([job, shared ? this.#runNested(job) : job.run()])
      } while (
        shared &&
        this.#on.inTransaction &&
        this.#queue.length > 0 &&
        done.length < groupSize &&
        performance.now() < until
      )
      this.#end(shared || Exit.isSuccess(done[0]![1]))
      return { done, failure: undefined }
    } catch (error) {
      if (this.#on.inTransaction) this.#on.run("rollback")
      return { done, failure: classify(error, "commit") }
    }
  }

  /** Inside a shared transaction a savepoint keeps one program's failure its own. */
  #runNested(job: Job): Exit.Exit<unknown, unknown> {
    this.#on.run("savepoint program")
    const exit = job.run()
    if (this.#on.inTransaction) {
      if (Exit.isFailure(exit)) this.#on.run("rollback to program")
      this.#on.run("release program")
    }
    return exit
  }

  /** Some errors, a full disk for one, make the database end the transaction by itself. */
  #end(commit: boolean): void {
    if (this.#on.inTransaction) this.#on.run(commit ? "commit" : "rollback")
    else if (commit) throw Object.assign(new Error("the database gave up the transaction"), { code: "SQLITE_FULL" })
  }

  /** Another process is writing: wait without blocking anybody, up to a limit. Every other reason is final. */
  #wait(error: StorageError): void {
    if (error.reason !== "contended") {
      this.#refuse(error, () => true)
      return
    }
    const latest = performance.now() - this.#patienceMillis
    this.#refuse(
      new StorageError({
        reason: "contended",
        detail: `another process has held the database for ${this.#patienceMillis / 1000} s; end it or wait for it`,
        cause: error.cause
      }),
      ({ since }) => since < latest
    )
    if (this.#queue.length > 0) this.#schedule(retryMillis)
  }

  #refuse(error: StorageError, whom: (job: Job) => boolean): void {
    const refused = this.#queue.filter(whom)
    this.#queue = this.#queue.filter((job) => !whom(job))
    for (const job of refused) job.settle(Exit.fail(error))
  }
}

/** Runs one program to its end, at once and on this stack. */
const runBounded = <A, E, R>(
  on: SqliteConnection,
  context: Context.Context<Exclude<R, Tx | Read>>,
  program: Effect.Effect<A, E, R>
): Exit.Exit<A, E | StorageError> => {
  const bounds = new Bounds()
  const services = addTransaction(context, new SqliteSession(on, bounds), () => Effect.void)
  // The program's own services and the two of the transaction are all that it needs.
  const runSync = Effect.runSyncExitWith(services as unknown as Context.Context<R>)
  const exit = runSync(program)
  bounds.end()
  if (Exit.isSuccess(exit)) return bounds.failure === undefined ? exit : Exit.fail(bounds.failure)
  return unfinished(exit)
}

/** A program that waited for something is still alive: it is ended, and its caller told what to look for. */
const unfinished = <A, E>(exit: Exit.Failure<A, E>): Exit.Exit<A, E> => {
  for (const reason of exit.cause.reasons) {
    if (Cause.isDieReason(reason) && Cause.isAsyncFiberError(reason.defect)) {
      reason.defect.fiber.interruptUnsafe()
      return Exit.die(
        new Error("a transaction waited for something other than the database: docs/storage.md#seam", {
          cause: reason.defect
        })
      )
    }
  }
  return exit
}

const closed = () => new StorageError({ reason: "unavailable", detail: "the storage is closed" })
