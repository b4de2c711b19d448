/** Tells this process's deliverer that there may be something to do. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"

export class DeliveryWake extends Context.Service<
  DeliveryWake,
  {
    readonly wake: Effect.Effect<void>
    /** Waits for a wake, or for so many milliseconds. */
    readonly wait: (milliseconds: number) => Effect.Effect<void>
  }
>()("@trunkline/core/webhooks/DeliveryWake") {
  static readonly layer = Layer.effect(
    DeliveryWake,
    Effect.map(Queue.sliding<void>(1), (signals) => ({
      wake: Effect.asVoid(Queue.offer(signals, undefined)),
      wait: (milliseconds) => Effect.raceFirst(Queue.take(signals), Effect.sleep(milliseconds))
    }))
  )
}
