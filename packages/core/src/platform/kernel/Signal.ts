/** A notice between fibers of one process, which wakes a worker before its schedule does. Notices without a waiting worker are merged into one. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

export interface Signal {
  readonly wake: Effect.Effect<void>
  /** Waits for a notice, at most for this number of milliseconds. */
  readonly wait: (milliseconds: number) => Effect.Effect<void>
}

export const makeSignal: Effect.Effect<Signal> = Effect.map(Queue.sliding<void>(1), (notices) => ({
  wake: Effect.asVoid(Queue.offer(notices, undefined)),
  wait: (milliseconds) => Effect.raceFirst(Queue.take(notices), Effect.sleep(milliseconds))
}))
