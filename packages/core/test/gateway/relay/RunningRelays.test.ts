/** The requests that relays answer: docs/reference/gateway.md#relay. Verifies: RELY-3. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { RunningRelays } from "../../../src/gateway/relay/RunningRelays.ts"

const opened = Effect.gen(function* () {
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  return new RunningRelays(fork, 1000)
})

const one = () => {
  const seen: Array<string> = []
  return {
    listPlace: -1,
    seen,
    tick: (at: number) => void seen.push(`tick ${at}`),
    cancel: () => void seen.push("cancel")
  }
}

describe("running relays", () => {
  it.effect("are looked at every tick for as long as one of them runs", () =>
    Effect.gen(function* () {
      const running = yield* opened
      const run = one()
      running.begin(run)
      yield* TestClock.adjust(2000)
      running.end(run)
      yield* TestClock.adjust(5000)
      assert.deepEqual(run.seen, ["tick 1000", "tick 2000"])
      running.begin(run)
      yield* TestClock.adjust(1000)
      assert.deepEqual(run.seen.at(-1), "tick 8000")
    })
  )

  it.effect("are idle once none is admitted or runs", () =>
    Effect.gen(function* () {
      const running = yield* opened
      const run = one()
      running.admitting()
      const idle = yield* Effect.forkChild(running.idle)
      yield* Effect.yieldNow
      running.begin(run)
      running.admitted()
      yield* Effect.yieldNow
      assert.isUndefined(idle.pollUnsafe())
      running.end(run)
      yield* Fiber.join(idle)
      yield* running.idle
    })
  )

  it.effect("are cancelled by the close, after which no request is taken", () =>
    Effect.gen(function* () {
      const running = yield* opened
      const run = one()
      running.begin(run)
      assert.isTrue(running.isOpen)
      running.close()
      assert.deepEqual(run.seen, ["cancel"])
      assert.isFalse(running.isOpen)
      running.end(run)
      yield* TestClock.adjust(1000)
    })
  )
})
