/** Periods of analytics and their intervals: docs/reference/analytics.md. Verifies: ANLY-1, ANLY-3. */
import { Instant } from "@trunkline/core/effect"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  checkedPeriod,
  type DeliveryInterval,
  deliveryIntervals,
  dividedPeriod,
  maxDeliveryRows,
  templatePeriod
} from "../../../src/messaging/analytics/AnalyticsPeriods.ts"

const at = (text: string) => Instant.parse(text)!
const now = at("2026-11-21T09:30:00Z")

const divided = (
  interval: DeliveryInterval,
  { from = null, timezone = "UTC", to = null }: { from?: string | null; to?: string | null; timezone?: string } = {}
) => dividedPeriod({ from: from === null ? null : at(from), to: to === null ? null : at(to), interval, timezone }, now)

const sentenceOf = (checked: Result.Result<unknown, { readonly message: string }>) =>
  Result.match(checked, { onSuccess: () => "accepted", onFailure: ({ message }) => message })

const isos = (instants: ReadonlyArray<Instant.Instant>) => instants.map(Instant.toIso)

describe("the period of our own counts", () => {
  it("begins 30 days before its end, and ends now with what comes from clocks that are ahead", () => {
    const { bounds, starts } = Result.getOrThrow(divided("day"))
    expect(starts.length).toBe(31)
    expect(isos(starts.slice(0, 1))).toEqual(["2026-10-22T00:00:00.000Z"])
    expect(isos(bounds.slice(0, 2))).toEqual(["2026-10-22T09:30:00.000Z", "2026-10-23T00:00:00.000Z"])
    expect(bounds.at(-1)).toBe(Instant.never)
    expect(isos(Result.getOrThrow(divided("total", { to: "2026-11-01T00:00:00Z" })).bounds)).toEqual([
      "2026-10-02T00:00:00.000Z",
      "2026-11-01T00:00:00.000Z"
    ])
  })

  it.each([
    ["Asia/Kathmandu", "2026-11-01T10:00:00Z", "2026-11-01T11:30:00Z", ["09:15", "10:15", "11:15"]],
    ["Asia/Kolkata", "2026-11-01T10:30:00Z", "2026-11-01T11:30:00Z", ["10:30"]],
    // The clock goes back by half an hour at 15:00Z: the hour that began at 14:00Z is followed by half of one.
    ["Australia/Lord_Howe", "2026-04-04T14:00:00Z", "2026-04-04T16:00:00Z", ["14:00", "15:00", "15:30"]],
    ["Europe/Paris", "2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z", ["00:00", "01:00"]]
  ])("in %s has the hours of the local clock", (timezone, from, to, expected) => {
    const { starts } = Result.getOrThrow(divided("hour", { timezone, from, to }))
    expect(isos(starts).map((iso) => iso.slice(11, 16))).toEqual(expected)
  })

  it("has at most 92 days of the local clock, and an end after its start", () => {
    expect(sentenceOf(divided("day", { from: "2026-08-21T09:30:00Z" }))).toBe("accepted")
    expect(sentenceOf(divided("total", { from: "2026-08-21T09:29:59.999Z" }))).toContain("at most 92 days")
    const autumn = { from: "2026-08-31T22:00:00Z", to: "2026-12-01T23:00:00Z" }
    expect(sentenceOf(divided("day", { ...autumn, timezone: "Europe/Paris" }))).toBe("accepted")
    expect(sentenceOf(divided("day", autumn))).toContain("at most 92 days")
    for (const to of ["2026-11-01T00:00:00Z", "2026-10-31T00:00:00Z"]) {
      expect(sentenceOf(divided("day", { from: "2026-11-01T00:00:00Z", to }))).toContain("`to` must be after `from`")
    }
    expect(sentenceOf(divided("day", { from: "2026-11-22T00:00:00Z" }))).toContain("`to` must be after `from`")
  })

  it("is covered without a gap by intervals that follow each other, in any zone", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("UTC", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca"),
        fc.constantFrom(...deliveryIntervals),
        fc.integer({ min: at("2024-01-01T00:00:00Z"), max: now }),
        fc.integer({ min: 1, max: 91 * Instant.day }),
        (timezone, interval, from, length) => {
          const period = { from: Instant.make(from), to: Instant.make(from + length), interval, timezone }
          const { bounds, starts } = Result.getOrThrow(dividedPeriod(period, now))
          expect([bounds[0], bounds.at(-1)]).toEqual([period.from, period.to])
          expect(bounds.length).toBe(starts.length + 1)
          expect(starts.length).toBeLessThanOrEqual(maxDeliveryRows)
          for (const [nth, bound] of bounds.slice(1).entries()) expect(bound).toBeGreaterThan(bounds[nth]!)
          expect(starts.slice(1)).toEqual(bounds.slice(1, -1))
        }
      ),
      { numRuns: 60 }
    )
  })
})

describe("the period of what a network counts", () => {
  it("ends after it begins", () => {
    const [start, end] = [at("2026-11-20T00:00:00Z"), at("2026-11-21T00:00:00Z")]
    expect(sentenceOf(checkedPeriod({ start, end }))).toBe("accepted")
    expect(sentenceOf(checkedPeriod({ start, end: start }))).toContain("`end` must be after `start`")
    expect(sentenceOf(templatePeriod({ start: end, end: start }, now))).toContain("`end` must be after `start`")
  })

  it("of templates begins at most 90 days ago, to the millisecond", () => {
    const oldest = Instant.plus(now, -90 * Instant.day)
    expect(sentenceOf(templatePeriod({ start: oldest, end: now }, now))).toBe("accepted")
    expect(sentenceOf(templatePeriod({ start: Instant.plus(oldest, -1), end: now }, now))).toContain("90 days")
  })
})
