/** When a lane is looked at: docs/messaging.md#lanes. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Instant } from "../../src/kernel/index.ts"
import { dueOf, restAfter, typingEveryMs, waitAfterRun, waitAfterThrottling } from "../../src/messaging/Lane.ts"
import { standardReply } from "../../src/messaging/MessagingSettings.ts"

const start = Instant.make(Date.UTC(2026, 10, 21, 9, 30))
const after = (milliseconds: number) => Instant.plus(start, milliseconds)
const due = (last: number, patience: Parameters<typeof dueOf>[1] = standardReply) =>
  dueOf({ waitingSince: start, lastMessageAt: after(last) }, patience) - start

describe("a burst", () => {
  // Verifies: N-18.
  it("is answered when nothing has followed its last message for the quiet time", () => {
    expect([due(0), due(1000), due(3000)]).toEqual([1500, 2500, 4500])
  })

  it("is answered in the end, however steadily it goes on", () => {
    expect([due(10_500), due(10_501), due(11_999), due(60_000)]).toEqual([12_000, 12_000, 12_000, 12_000])
  })

  // Verifies: N-18.
  it("is answered at once where no quiet time is wanted", () => {
    expect([due(0, { quietMs: 0, maxWaitMs: 12_000 }), due(700, { quietMs: 0, maxWaitMs: 12_000 })]).toEqual([0, 700])
    expect(due(0, { quietMs: 5000, maxWaitMs: 0 })).toBe(0)
  })

  it("never waits for longer than it may, and never less for another message", () => {
    const ms = fc.nat({ max: 100_000 })
    fc.assert(
      fc.property(ms, ms, ms, ms, (first, second, quietMs, maxWaitMs) => {
        const patience = { quietMs, maxWaitMs }
        const [sooner, later] = [Math.min(first, second), Math.max(first, second)]
        expect(due(later, patience)).toBeLessThanOrEqual(maxWaitMs)
        expect(due(sooner, patience)).toBeLessThanOrEqual(due(later, patience))
      })
    )
  })
})

describe("after a failure", () => {
  it("a model is asked again after 2, 8 and 30 seconds, and then the turn is given up", () => {
    expect([1, 2, 3, 4, 5, 100].map(waitAfterRun)).toEqual([2000, 8000, 30_000, null, null, null])
  })

  it("sending waits for 4 seconds, twice as long each time up to a minute, and is given up", () => {
    const waits = Array.from({ length: 14 }, (_, n) => waitAfterThrottling(n + 1, null))
    const minute = 60_000
    expect(waits).toEqual([
      ...[4000, 8000, 16_000, 32_000, minute, minute, minute, minute, minute, minute, minute],
      ...[null, null, null]
    ])
  })

  it("sending waits for as long as the platform asks, between a second and ten minutes", () => {
    const waits = [0, 1, 7, 90, 600, 601, 86_400].map((seconds) => waitAfterThrottling(1, seconds))
    expect(waits).toEqual([1000, 1000, 7000, 90_000, 600_000, 600_000, 600_000])
    expect(waitAfterThrottling(11, 7)).toBe(7000)
    expect(waitAfterThrottling(12, 7)).toBeNull()
  })
})

it("the sign that an answer is being written is shown again before the platform takes it away", () => {
  expect(typingEveryMs).toBe(20_000)
})

describe("a process with more to do than it can", () => {
  it("answers in a fifth of its time, and rests for a quarter of a second at most", () => {
    expect([0, 1, 10, 62, 63, 5000].map(restAfter)).toEqual([0, 4, 40, 248, 250, 250])
  })

  it("is not thought to be early by a clock that was set back", () => {
    expect(restAfter(-3000)).toBe(0)
  })
})
