import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { metrics, minutesOf, secondsOf, shownValue, storedValue } from "../pages/alerts/AlertUnits.ts"

describe("the units of alerts", () => {
  it("show rates as percent, and the others as they are", () => {
    expect(shownValue("failure_rate", 0.07)).toBe(7)
    expect(shownValue("latency_p95", 1200)).toBe(1200)
  })

  it("store what was shown, whatever the metric", () => {
    fc.assert(
      fc.property(fc.constantFrom(...metrics), fc.integer({ min: 0, max: 10_000 }), (metric, n) => {
        const stored = n / 10_000
        expect(storedValue(metric, shownValue(metric, stored))).toBe(stored)
      })
    )
  })

  it("keep whole seconds in a window of minutes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 604_800 }), (seconds) => {
        expect(secondsOf(minutesOf(seconds))).toBe(seconds)
      })
    )
  })
})
