/**
 * The one writer of a database. Runs each program synchronously to its end, all or nothing. Programs that arrive together
 * share one commit. A commit does not wait for the disk: the callers of its programs do, and commits that follow each other share
 * one turn of the disk, which is the expensive part.
 */
import { type Read, StorageError, type TransactOptions, type Tx } from "@trunkline/core/storage"
import { addTransaction, Bounds, inTransaction, nested, oneWriter } from "@trunkline/storage-kysely"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Semaphore from "effect/Semaphore"
import type { LogSync } from "./LogSync.ts"
import { endSharedReads } from "./SharedRead.ts"
import type { SqliteConnection } from "./SqliteConnection.ts"
import { classify } from "./SqliteErrors.ts"
import { SqliteSession } from "./SqliteSession.ts"

interface Job {
  /** Runs the program inside the open transaction. */
  readonly run: () => Exit.Exit<unknown, unknown>
  /** Resumes the caller, after the commit and, for full durability, after the disk. */
  readonly settle: (exit: Exit.Exit<unknown, unknown>) => void
  readonly since: number
  readonly durability: TransactOptions["durability"]
}

/** A program, and how it ended. */
type Done = readonly [Job, Exit.Exit<unknown, unknown>]

/** Maximum number of programs in one commit. It bounds the turn of the event loop. */
const maxGroupSize = 128
/** No program joins a group that is this old. */
const maxGroupMillis = 20
/** How long a program waits for another process that has locked the file. */
const defaultLockTimeoutMillis = 10_000
/** Pause between two attempts to lock the file. */
const retryMillis = 5
/** Maximum time until a relaxed commit, and everything before it, is on the disk. */
const flushMillis = 200
/** Pause between a commit and the check whether the writer is idle. */
const idleCheckMillis = 2_000
/** Changes nothing, yet proves that the file is writable. */
export const writeNothing = "pragma user_version = 0"

export interface WriterOptions {
  /** Brings what was committed to the disk; null for a database in memory. */
  readonly log: LogSync | null
  readonly lockTimeoutMillis?: number | undefined
  /** Runs two seconds after a commit, and again every two seconds while it returns true. */
  readonly onIdle?: (() => boolean) | undefined
  /** Runs after each commit, with the number of rows that it has changed. */
  readonly onCommit?: ((changes: number) => void) | undefined
}

export class SqliteWriter {
  readonly #on: SqliteConnection
  readonly #log: LogSync | null
  readonly #lockTimeoutMillis: number
  readonly #onIdle: () => boolean
  readonly #onCommit: (changes: number) => void
  #queue: Array<Job> = []
  #scheduled = false
  /** A commit was made in this turn of the event loop: programs that follow in it form a group. */
  #hasCommitted = false
  #closed = false
  /** Fires when the last relaxed commit must be on the disk. */
  #flushTimer: NodeJS.Timeout | undefined
  #idleTimer: NodeJS.Timeout | undefined
  /** Another connection of this process writes: programs wait for its end, and nobody polls. */
  #paused = false
  readonly #pausing = Semaphore.makeUnsafe(1)

  constructor(
    on: SqliteConnection,
    {
      lockTimeoutMillis = defaultLockTimeoutMillis,
      log,
      onCommit = () => undefined,
      onIdle = () => false
    }: WriterOptions
  ) {
    this.#on = on
    this.#log = log
    this.#lockTimeoutMillis = lockTimeoutMillis
    this.#onIdle = onIdle
    this.#onCommit = onCommit
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
        if (this.#scheduled || this.#hasCommitted || this.#paused) this.#schedule()
        else this.#flush()
        return Effect.sync(() => {
          this.#queue = this.#queue.filter((queued) => queued !== job)
        })
      })
    })
  }

  /** Waits for a turn of the disk, which it shares with others that wait. */
  get durable(): Effect.Effect<void, StorageError> {
    return Effect.suspend(() => {
      if (this.#log === null) return Effect.void
      const log = this.#log
      clearTimeout(this.#flushTimer)
      this.#flushTimer = undefined
      return Effect.tryPromise({ try: () => log.sync(), catch: notOnDisk })
    })
  }

  /** Runs no program while `work` writes on another connection of this process. */
  pausedFor<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Semaphore.withPermit(
      this.#pausing,
      Effect.acquireUseRelease(
        Effect.sync(() => {
          this.#paused = true
        }),
        () => work,
        () =>
          Effect.sync(() => {
            this.#paused = false
            this.#schedule()
          })
      )
    )
  }

  /** Ends the writer. Waiting programs fail; nothing of them is committed. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#flushTimer)
    clearTimeout(this.#idleTimer)
    this.#flush()
    this.#log?.close()
  }

  #schedule(delay = 0): void {
    if (this.#scheduled) return
    this.#scheduled = true
    const flush = () => {
      this.#scheduled = false
      this.#hasCommitted = false
      this.#flush()
    }
    if (delay === 0) setImmediate(flush)
    else setTimeout(flush, delay)
  }

  #flush(): void {
    if (this.#closed) this.#reject(closed(), () => true)
    if (this.#queue.length === 0 || this.#paused) return
    endSharedReads()
    const changes = this.#on.totalChanges
    try {
      this.#on.run("begin immediate")
    } catch (error) {
      this.#retryLater(classify(error, "begin"))
      return
    }
    const { done, failure } = this.#runGroup()
    this.#scheduleIdleCheck()
    this.#hasCommitted = true
    this.#schedule()
    // Without the commit no result stands: a program that failed may have failed because of what another one wrote.
    if (failure !== undefined) for (const [job] of done) job.settle(Exit.fail(failure))
    else {
      const changed = this.#on.totalChanges - changes
      this.#settle(done, changed !== 0)
      if (changed !== 0) this.#onCommit(changed)
    }
  }

  /** Resumes the callers of a commit, those of full durability once it is on the disk. */
  #settle(done: ReadonlyArray<Done>, hasWritten: boolean): void {
    const mustWait = (job: Job) => this.#log !== null && hasWritten && job.durability === "full"
    const waiting = done.filter(([job]) => mustWait(job))
    if (waiting.length > 0) this.#sync(waiting)
    else if (hasWritten) this.#scheduleFlush()
    for (const [job, exit] of done) if (!mustWait(job)) job.settle(exit)
  }

  #sync(waiting: ReadonlyArray<Done>): void {
    clearTimeout(this.#flushTimer)
    this.#flushTimer = undefined
    this.#log?.sync().then(
      () => {
        for (const [job, exit] of waiting) job.settle(exit)
      },
      (error: unknown) => {
        const failed = Exit.fail(notOnDisk(error))
        for (const [job] of waiting) job.settle(failed)
      }
    )
  }

  #scheduleFlush(): void {
    this.#flushTimer ??= setTimeout(() => this.#sync([]), flushMillis).unref()
  }

  #scheduleIdleCheck(): void {
    if (this.#closed) return
    this.#idleTimer ??= setTimeout(() => {
      this.#idleTimer = undefined
      if (this.#paused || this.#onIdle()) this.#scheduleIdleCheck()
    }, idleCheckMillis).unref()
  }

  /** Runs waiting programs in the open transaction, and ends it. */
  #runGroup(): { readonly done: ReadonlyArray<Done>; readonly failure: StorageError | undefined } {
    const done: Array<Done> = []
    const until = performance.now() + maxGroupMillis
    const shared = this.#queue.length > 1
    try {
      do {
        const job = this.#queue.shift()!
        done.push([job, shared ? this.#runNested(job) : job.run()])
      } while (
        shared &&
        this.#on.inTransaction &&
        this.#queue.length > 0 &&
        done.length < maxGroupSize &&
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
    else if (commit) throw Object.assign(new Error("the database rolled the transaction back"), { code: "SQLITE_FULL" })
  }

  /** Another process is writing: programs wait without blocking the event loop, up to a limit. Other errors are final. */
  #retryLater(error: StorageError): void {
    if (error.reason !== "contended") {
      this.#reject(error, () => true)
      return
    }
    const latest = performance.now() - this.#lockTimeoutMillis
    this.#reject(
      new StorageError({
        reason: "contended",
        detail: `another process has held the database for ${this.#lockTimeoutMillis / 1000} s; end it or wait for it`,
        cause: error.cause
      }),
      ({ since }) => since < latest
    )
    if (this.#queue.length > 0) this.#schedule(retryMillis)
  }

  #reject(error: StorageError, which: (job: Job) => boolean): void {
    const rejected = this.#queue.filter(which)
    this.#queue = this.#queue.filter((job) => !which(job))
    for (const job of rejected) job.settle(Exit.fail(error))
  }
}

/** Runs one program to its end, at once and on this stack. */
const runBounded = <A, E, R>(
  on: SqliteConnection,
  context: Context.Context<Exclude<R, Tx | Read>>,
  program: Effect.Effect<A, E, R>
): Exit.Exit<A, E | StorageError> => {
  const bounds = new Bounds()
  const services = addTransaction(context, new SqliteSession(on, bounds), oneWriter)
  // The program's own services and the two of the transaction are all that it needs.
  const runSync = Effect.runSyncExitWith(services as unknown as Context.Context<R>)
  const exit = runSync(program)
  bounds.end()
  if (Exit.isSuccess(exit)) return bounds.failure === undefined ? exit : Exit.fail(bounds.failure)
  return unfinished(exit)
}

/** A program that waited for something is still alive: interrupts it and explains the defect. */
const unfinished = <A, E>(exit: Exit.Failure<A, E>): Exit.Exit<A, E> => {
  for (const reason of exit.cause.reasons) {
    if (Cause.isDieReason(reason) && Cause.isAsyncFiberError(reason.defect)) {
      reason.defect.fiber.interruptUnsafe()
      return Exit.die(
        new Error("a transaction waited for something other than the database: docs/reference/storage.md#seam", {
          cause: reason.defect
        })
      )
    }
  }
  return exit
}

/** Whether the commit outlives a power cut is unknown. */
const notOnDisk = (error: unknown) =>
  new StorageError({
    reason: "unavailable",
    detail: `the disk did not confirm a commit: ${String(error)}`,
    cause: error
  })

const closed = () => new StorageError({ reason: "unavailable", detail: "the storage is closed" })
