/** The background work of one process: the host starts it, and it stops without losing anything. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { Instant } from "../platform/kernel/index.ts"
import type { Drain, DueWorker, IntervalWorker, Worker } from "../platform/room/index.ts"
import { RemoteSignals, type StorageError } from "../platform/storage/index.ts"
import { isOutageCause } from "./Outage.ts"
import { type Rooms, roomWorkers } from "./Rooms.ts"

/** The polling interval: after this time at the latest a process sees what another one has committed. */
const pollMs = Instant.second

/** The polling interval of a worker that signals of other processes wake: one that is lost is made up for. */
const signalledPollMs = 4 * Instant.second

/** A loop that finds work at every pass still lets other fibers run. */
const breathMs = 5

/** Milliseconds until the next row is due, and at most the polling interval. */
const waitFor = (due: Instant.Instant | null, at: Instant.Instant, interval: number): number =>
  due === null ? interval : Math.min(interval, Math.max(breathMs, due - at))

/** The event loop's lag: how much longer than asked for a sleep took. */
const lag = Effect.gen(function* () {
  const from = yield* Instant.now
  yield* Effect.sleep(breathMs)
  return (yield* Instant.now) - from - breathMs
})

/** One pass, and the wait for the next. */
const pass = Effect.fnUntraced(function* (worker: DueWorker<StorageError>) {
  const { nextDue, restAfter, signal, tick } = worker
  const { isListening } = yield* RemoteSignals
  const wait = signal?.wait ?? Effect.sleep
  const interval = signal !== undefined && isListening() ? signalledPollMs : (worker.pollMs ?? pollMs)
  const waitForDue = Effect.gen(function* () {
    const due = yield* nextDue
    yield* wait(waitFor(due, yield* Instant.now, interval))
  })
  if (worker.onlyWhenDue === true) {
    const due = yield* nextDue
    const at = yield* Instant.now
    if (due === null || due > at) return yield* wait(waitFor(due, at, interval))
  }
  switch (yield* tick) {
    case "failed":
      return yield* Effect.sleep(pollMs)
    case "more":
      return yield* restAfter === undefined ? wait(breathMs) : Effect.sleep(restAfter(yield* lag))
    case "idle":
      return yield* waitForDue
  }
})

/** A worker's loop. A failed pass does not end it: the failure is logged and the next pass comes. An outage has lines of its own. */
export const loop = (worker: IntervalWorker<StorageError> | DueWorker<StorageError>) => {
  const passes =
    "everyMs" in worker ? Effect.repeat(worker.tick, Schedule.spaced(worker.everyMs)) : Effect.forever(pass(worker))
  return Effect.forever(
    Effect.catchCause(passes, (cause) =>
      Effect.andThen(
        isOutageCause(cause) ? Effect.void : Effect.logError(`the worker "${worker.name}" failed`, cause),
        Effect.sleep(pollMs)
      )
    )
  )
}

const drained = ({ cancel, cancelMs, idle, timeoutMs }: Drain) =>
  Effect.gen(function* () {
    yield* Effect.timeoutOption(idle, timeoutMs)
    if (cancel !== undefined) yield* cancel
    if (cancelMs !== undefined) yield* Effect.timeoutOption(idle, cancelMs)
  })

/** Everything that is under way has ended, or has a row by which it continues. */
const drain = (workers: ReadonlyArray<Worker<StorageError>>) =>
  Effect.forEach(
    ["first", "last"] as const,
    (stage) =>
      Effect.forEach(
        workers.flatMap((worker) => (worker.drain?.stage === stage ? [worker.drain] : [])),
        drained,
        { concurrency: "unbounded", discard: true }
      ),
    { discard: true }
  )

export interface WorkerState {
  readonly running: boolean
  /** When the dialer last finished a pass, in milliseconds of UTC. */
  readonly lastPassAt: number | null
}

/** The workers that a host has switched off, by the names of the options below `workers`; all others run. */
export type Switches = Readonly<Record<string, boolean | undefined>>

interface Running {
  readonly fibers: ReadonlyArray<Fiber.Fiber<unknown, unknown>>
  /** What workers opened before their first pass. */
  readonly opened: Scope.Closeable
}

export class Workers extends Context.Service<
  Workers,
  {
    /** Starts the loops; a second call changes nothing. */
    readonly start: Effect.Effect<void, StorageError>
    /** Begins no new work, and waits for what is under way. */
    readonly stop: Effect.Effect<void>
    readonly state: () => WorkerState
  }
>()("@trunkline/core/host/Workers") {
  static readonly layer = (rooms: Rooms, switches: Switches) =>
    Layer.effect(
      Workers,
      Effect.gen(function* () {
        const workers = yield* roomWorkers(rooms)
        const home = yield* Effect.scope
        let running: Running | undefined
        let lastPassAt: number | null = null

        const noted = (worker: Worker<StorageError>): Worker<StorageError> =>
          "nextDue" in worker && worker.showsPasses === true
            ? {
                ...worker,
                tick: Effect.tap(worker.tick, () =>
                  Effect.map(Instant.now, (at) => {
                    lastPassAt = at
                  })
                )
              }
            : worker

        const enabled = workers
          .filter((worker) => worker.switch === undefined || switches[worker.switch] !== false)
          .map(noted)

        const start = Effect.suspend(() => (running === undefined ? starting : Effect.void))

        const starting = Effect.gen(function* () {
          const opened = yield* Scope.fork(home)
          running = { fibers: [], opened }
          for (const { begin } of enabled) {
            if (begin !== undefined) yield* Effect.provideService(begin, Scope.Scope, opened)
          }
          const loops = enabled.flatMap((worker) => ("tick" in worker ? [loop(worker)] : []))
          const fibers = yield* Effect.forEach(loops, (passes) => Effect.forkIn(passes, home))
          running = { fibers, opened }
        }).pipe(Effect.onError(() => stop))

        const stop = Effect.gen(function* () {
          const stopped = running
          running = undefined
          yield* Fiber.interruptAll(stopped?.fibers ?? [])
          yield* drain(workers)
          if (stopped !== undefined) yield* Scope.close(stopped.opened, Exit.void)
        })

        yield* Effect.addFinalizer(() => stop)
        return Workers.of({ start, stop, state: () => ({ running: running !== undefined, lastPassAt }) })
      })
    )
}
