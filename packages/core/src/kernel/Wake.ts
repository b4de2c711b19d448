/** A bell between fibers of one process: whoever waits hears it, and several rings before that are one. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

export interface Wake {
  readonly wake: Effect.Effect<void>
  /** Waits for a wake, or for so many milliseconds. */
  readonly wait: (milliseconds: number) => Effect.Effect<void>
}

export const makeWake: Effect.Effect<Wake> = Effect.map(Queue.sliding<void>(1), (signals) => ({
  wake: Effect.asVoid(Queue.offer(signals, undefined)),
  wait: (milliseconds) => Effect.raceFirst(Queue.take(signals), Effect.sleep(milliseconds))
}))
