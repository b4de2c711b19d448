/** Parts of a period that are counted one after another. Verifies: ANLY-1. */
import { Instant } from "@trunkline/core/effect"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deliveryIntervals, dividedPeriod } from "../../../src/messaging/analytics/AnalyticsPeriods.ts"
import { countSlices, placed } from "../../../src/messaging/analytics/CountSlices.ts"
import { deliveryRows, type StatusCount } from "../../../src/messaging/analytics/DeliveryRows.ts"

const now = Instant.parse("2026-11-21T09:30:00Z")!

/** How many of these instants, which are in their order, are earlier than this one. */
const earlierOf = (times: ReadonlyArray<number>, than: number): number => {
  let [from, to] = [0, times.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (times[middle]! < than) from = middle + 1
    else to = middle
  }
  return from
}

/** What a storage counts of messages that were created at these instants, which are in their order. */
const countOf = (times: ReadonlyArray<number>, bounds: ReadonlyArray<Instant.Instant>): ReadonlyArray<StatusCount> =>
  bounds.slice(1).flatMap((to, place) => {
    const count = earlierOf(times, to) - earlierOf(times, bounds[place]!)
    return count === 0 ? [] : [{ place, status: "sent" as const, code: null, count }]
  })

const periods = fc.record({
  timezone: fc.constantFrom("UTC", "Asia/Kathmandu", "Australia/Lord_Howe", "Europe/Paris"),
  interval: fc.constantFrom(...deliveryIntervals),
  from: fc.integer({ min: now - 91 * Instant.day, max: now - 1 }).map(Instant.make),
  to: fc.option(fc.integer({ min: now, max: now + 40 * Instant.minute }).map(Instant.make))
})

describe("slices of a period", () => {
  it("count together what one look counts, whatever the zone does and by whatever clock a message was written", () => {
    const offsets = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })
    fc.assert(
      fc.property(periods, offsets, (period, offsets) => {
        const divided = Result.getOrThrow(dividedPeriod(period, now))
        const slices = countSlices(divided, now)
        const length = now + Instant.hour - period.from
        const times = [
          ...offsets.map((offset) => period.from + Math.floor(offset * length)),
          ...slices.flatMap(({ bounds }) => bounds.flatMap((bound) => [bound - 1, bound]))
        ].sort((one, other) => one - other)
        const counts = slices.flatMap((slice) => placed(slice, countOf(times, slice.bounds)))
        expect(deliveryRows(divided.starts, counts)).toEqual(
          deliveryRows(divided.starts, countOf(times, divided.bounds))
        )
      }),
      { numRuns: 150 }
    )
  })

  it("are of at most a day, and follow each other", () => {
    fc.assert(
      fc.property(periods, (period) => {
        const divided = Result.getOrThrow(dividedPeriod(period, now))
        const slices = countSlices(divided, now)
        expect([slices[0]!.bounds[0], slices.at(-1)!.bounds.at(-1)]).toEqual([divided.bounds[0], divided.bounds.at(-1)])
        for (const [nth, { bounds }] of slices.entries()) {
          expect(Math.min(bounds.at(-1)!, now) - bounds[0]!).toBeLessThanOrEqual(Instant.day)
          if (nth > 0) expect(bounds[0]).toBe(slices[nth - 1]!.bounds.at(-1))
        }
      }),
      { numRuns: 100 }
    )
  })

  it("are as few as there are days, not as many as there are hours", () => {
    const from = Instant.plus(now, -10 * Instant.day)
    for (const interval of deliveryIntervals) {
      const divided = Result.getOrThrow(dividedPeriod({ from, to: now, interval, timezone: "UTC" }, now))
      expect(countSlices(divided, now).length, interval).toBeLessThanOrEqual(12)
    }
  })
})
