/** A host's own clock. Verifies: HOST-1. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, it, vi } from "vitest"
import { accelerated, fromHost } from "../../src/host/HostClock.ts"

describe("a clock that runs fast", () => {
  it("never ends a sleep early", async () => {
    const host = accelerated(Date.UTC(2026, 10, 21), 100)
    const { sleep } = fromHost(host)
    const slept = (milliseconds: number) =>
      Effect.gen(function* () {
        const began = host.now()
        yield* sleep(Duration.millis(milliseconds))
        return host.now() - began - milliseconds
      })
    const waits = Array.from({ length: 300 }, (_, nth) => 100 + nth * 7)
    const over = await Effect.runPromise(Effect.forEach(waits, slept, { concurrency: "unbounded" }))
    expect(Math.min(...over)).toBeGreaterThanOrEqual(0)
  })

  it("asks for no timer of a negative time, of which the platform warns", async () => {
    const { sleep } = fromHost(accelerated(Date.UTC(2026, 10, 21), 600))
    const timer = vi.spyOn(globalThis, "setTimeout")
    await Effect.runPromise(Effect.forEach([0, 0.001, 1], (ms) => sleep(Duration.millis(ms))))
    expect(timer.mock.calls.filter(([, ms]) => Number(ms) < 0)).toEqual([])
    timer.mockRestore()
  })

  it("sleeps for longer than a timer of the platform can", async () => {
    const { sleep } = fromHost(accelerated(Date.UTC(2026, 10, 21), 1))
    const woken = Effect.as(sleep(Duration.millis(2 ** 32)), "woken")
    expect(await Effect.runPromise(Effect.race(woken, Effect.delay(Effect.succeed("asleep"), 30)))).toBe("asleep")
  })
})
