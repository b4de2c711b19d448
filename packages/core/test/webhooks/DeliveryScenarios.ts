/** Scenarios of deliveries on SQLite in memory, under the test clock. */
import { layer } from "@trunkline/storage-sqlite"
import { type DeliveryWorld, makeDeliveryWorld } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { it } from "vitest"

/** When every scenario begins. */
export const start = Date.UTC(2026, 10, 21, 9)

export const scenario = (
  title: string,
  play: (world: DeliveryWorld) => Generator<Effect.Effect<unknown, unknown>, void, never>
) =>
  it(title, () =>
    Effect.runPromise(
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const world = yield* makeDeliveryWorld(layer({ path: ":memory:" }))
        yield* Effect.gen(() => play(world))
      }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))
    )
  )
