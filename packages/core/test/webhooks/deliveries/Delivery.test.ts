/** What becomes of a delivery after an attempt: docs/reference/webhooks.md#retries. */
import { describe, expect, it } from "vitest"
import { Instant } from "../../../src/platform/kernel/index.ts"
import { afterAttempt, maxAttempts, type Outcome } from "../../../src/webhooks/deliveries/Delivery.ts"
import type { Surface } from "../../../src/webhooks/subscriptions/Subscription.ts"

const at = Instant.make(Date.UTC(2026, 10, 21, 9))
const refused: Outcome = { _tag: "Answered", status: 503 }

/** Milliseconds until the next attempt, for the lowest, the middle and the highest chance. */
const waits = (surface: Surface, attempt: number) =>
  [0, 0.5, 1].map((chance) => {
    const { nextAt, status } = afterAttempt({ attempt, surface, schedule: "standard" }, refused, at, chance)
    return nextAt === null ? status : nextAt - at
  })

describe("the wait after a failed attempt", () => {
  // Verifies: E-33.
  it("of an email event is 5 s, then 25 s, each up to a fifth shorter or longer", () => {
    expect(maxAttempts("email", "standard")).toBe(3)
    expect(waits("email", 1)).toEqual([4_000, 5_000, 6_000])
    expect(waits("email", 2)).toEqual([20_000, 25_000, 30_000])
    expect(waits("email", 3)).toEqual(["failed", "failed", "failed"])
  })

  it("of a platform event is 2, 4, 8 and 16 s, to the millisecond", () => {
    expect(maxAttempts("platform", "standard")).toBe(5)
    for (const [index, seconds] of [2, 4, 8, 16].entries()) {
      expect(waits("platform", index + 1)).toEqual(Array.from({ length: 3 }, () => seconds * 1000))
    }
    expect(waits("platform", 5)).toEqual(["failed", "failed", "failed"])
  })
})
