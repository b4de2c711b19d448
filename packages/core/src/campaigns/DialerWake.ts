/** Tells this process's dialer that there may be something to do. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"

export class DialerWake extends Context.Service<
  DialerWake,
  {
    readonly wake: Effect.Effect<void>
    /** Waits for a wake, or for so many milliseconds. */
    readonly wait: (milliseconds: number) => Effect.Effect<void>
  }
>()("@trunkline/core/campaigns/DialerWake") {
  static readonly layer = Layer.effect(
    DialerWake,
    Effect.map(Queue.sliding<void>(1), (signals) => ({
      wake: Effect.asVoid(Queue.offer(signals, undefined)),
      wait: (milliseconds) => Effect.raceFirst(Queue.take(signals), Effect.sleep(milliseconds))
    }))
  )
}
