/** Who turns a subscription off and on: its owner's word counts, also while an attempt is under way. Verifies: HOOK-6. */
import { Instant, Subscriptions } from "@trunkline/core/effect"
import type { DeliveryWorld } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { scenario, start } from "./DeliveryScenarios.ts"

const host = "one.example"

describe("a subscription", () => {
  /** An event whose deliveries to the endpoint fail, as far as to its last attempt; how that ended cannot be written. */
  const failing = Effect.fnUntraced(function* (world: DeliveryWorld) {
    world.endpoints.moods.set(host, { _tag: "Refuses" })
    yield* world.publish("payment.failed")
    yield* world.tick(0)
    yield* world.pass(29_000)
    world.isFull = true
    yield* world.pass(2_000)
    expect(world.endpoints.log.length % 5).toBe(0)
  })

  const written = Effect.fnUntraced(function* (world: DeliveryWorld) {
    world.isFull = false
    yield* world.pass(2_000)
  })

  // Verifies: W-40.
  scenario("that is paused during an attempt stays paused, however that ends", function* (world) {
    const { id } = yield* world.subscribe(host)
    const found = world.run(Subscriptions.use((subscriptions) => subscriptions.get(world.tenant, id)))
    yield* failing(world)
    yield* world.change(id, { isActive: false })
    yield* written(world)
    expect(yield* found).toMatchObject({ isActive: false, failingSince: expect.any(Number) })

    yield* world.change(id, { isActive: true })
    yield* failing(world)
    yield* written(world)
    world.endpoints.moods.delete(host)
    yield* world.publish("payment.failed")
    world.isFull = true
    yield* world.tick(0)
    yield* world.change(id, { isActive: false })
    yield* written(world)
    expect(yield* found).toMatchObject({ isActive: false, failingSince: null })
  })

  // Verifies: E-58.
  scenario("that is turned on again is not turned off by what failed before", function* (world) {
    const { id } = yield* world.subscribe(host)
    const found = world.run(Subscriptions.use((subscriptions) => subscriptions.get(world.tenant, id)))
    yield* world.change(id, { pauseAfterDays: 1 })
    yield* failing(world)
    yield* written(world)
    yield* TestClock.setTime(start + 2 * Instant.day)
    yield* failing(world)
    yield* world.change(id, { isActive: false })
    yield* world.change(id, { isActive: true })
    yield* written(world)
    expect(yield* found).toMatchObject({ isActive: true, failingSince: null })
  })
})
