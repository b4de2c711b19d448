/** Background work of a room, as data. The host runs all workers with one loop. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Instant, Signal } from "../kernel/index.ts"

/**
 * What a pass came to. `more`: there may be more to do at once. `idle`: the next pass is when something is due. `failed`: what
 * failed may still be due, so the next pass waits for the polling interval.
 */
export type Pass = "more" | "idle" | "failed"

/** How work ends that is under way at a stop. Drains of one stage run side by side. */
export interface Drain {
  readonly stage: "first" | "last"
  /** Completes when nothing is under way. */
  readonly idle: Effect.Effect<void>
  readonly timeoutMs: number
  /** Ends the work that goes on after that time, in rows that say so. */
  readonly cancel?: Effect.Effect<void>
  /** Time for the rows of what was cancelled. */
  readonly cancelMs?: number
}

interface Base<E> {
  /** What the worker does, for the log. */
  readonly name: string
  /** The option below `workers` that switches it off. Absent where the worker always runs. */
  readonly switch?: string
  /** Runs before the first pass of any worker, and ends what it opened after the last drain. */
  readonly begin?: Effect.Effect<void, E, Scope.Scope>
  readonly drain?: Drain
}

/** Runs at an interval. */
export interface IntervalWorker<E> extends Base<E> {
  readonly everyMs: number
  readonly tick: Effect.Effect<unknown, E>
}

/** Runs when a row is due, or a signal of this process says that one may be. */
export interface DueWorker<E> extends Base<E> {
  readonly nextDue: Effect.Effect<Instant.Instant | null, E>
  readonly signal?: Signal
  readonly tick: Effect.Effect<Pass, E>
  /** Milliseconds until the next look where nothing is known to be due. Default: a second. */
  readonly pollMs?: number
  /** True where a pass without due rows costs as much as one with them: there is none then. */
  readonly onlyWhenDue?: boolean
  /** True where monitoring shows when the last pass has ended. */
  readonly showsPasses?: boolean
  /** Milliseconds to rest after `more`, when the process was late by `lagMs`. Other workers rest for a moment. */
  readonly restAfter?: (lagMs: number) => number
}

/** Has no passes: requests begin its work, and a stop waits for it. */
export interface DrainedWorker extends Base<never> {
  readonly drain: Drain
}

/** Has no passes: what it begins goes on in the background, and ends with the scope. */
interface StartWorker<E> extends Base<E> {
  readonly begin: Effect.Effect<void, E, Scope.Scope>
}

export type Worker<E> = IntervalWorker<E> | DueWorker<E> | DrainedWorker | StartWorker<E>
