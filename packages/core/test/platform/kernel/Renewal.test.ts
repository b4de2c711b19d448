/** Leases that are renewed while their work runs. Verifies: KERN-4. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type Instant, renewing } from "../../../src/platform/kernel/index.ts"

const leaseMs = 40_000

const renewals = () => {
  const log: Array<number> = []
  const renew = (until: Instant.Instant) => Effect.sync(() => void log.push(until))
  return { log, renewed: { leaseMs, renew } }
}

describe("a lease", () => {
  it.effect("is renewed for its whole length after each quarter of it, until the work has ended", () =>
    Effect.gen(function* () {
      const { log, renewed } = renewals()
      const running = yield* Effect.forkChild(renewing(Effect.as(Effect.sleep(25_000), "done"), renewed))
      for (let second = 0; second < 60; second++) yield* TestClock.adjust(1000)
      assert.strictEqual(yield* Fiber.join(running), "done")
      assert.deepStrictEqual(log, [10_000 + leaseMs, 20_000 + leaseMs])
    })
  )

  it.effect("of work that fails or is interrupted is renewed no more", () =>
    Effect.gen(function* () {
      const { log, renewed } = renewals()
      yield* Effect.exit(renewing(Effect.fail("no"), renewed))
      const running = yield* Effect.forkChild(renewing(Effect.never, renewed))
      yield* TestClock.adjust(1000)
      yield* Fiber.interrupt(running)
      yield* TestClock.adjust(10 * leaseMs)
      assert.deepStrictEqual(log, [])
    })
  )

  it.effect("is renewed in work that cannot be interrupted", () =>
    Effect.gen(function* () {
      const { log, renewed } = renewals()
      const running = yield* Effect.forkChild(Effect.uninterruptible(renewing(Effect.sleep(15_000), renewed)))
      for (let second = 0; second < 30; second++) yield* TestClock.adjust(1000)
      yield* Fiber.join(running)
      assert.lengthOf(log, 1)
    })
  )

  it.effect("whose renewal fails is renewed the next time", () =>
    Effect.gen(function* () {
      let tries = 0
      const renew = () => Effect.suspend(() => (++tries === 1 ? Effect.fail("no storage") : Effect.void))
      const running = yield* Effect.forkChild(renewing(Effect.sleep(25_000), { leaseMs, renew }))
      for (let second = 0; second < 30; second++) yield* TestClock.adjust(1000)
      yield* Fiber.join(running)
      assert.strictEqual(tries, 2)
    })
  )
})
