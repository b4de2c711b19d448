/** Hours, days and months of a zone's local clock: docs/reference/usage.md#series. */
import { Instant } from "@trunkline/core/effect"
import { describe, expect, it } from "vitest"
import { type IntervalUnit, intervalsOf } from "../../../src/platform/kernel/index.ts"

const at = (text: string) => Instant.parse(text)!

const starts = (unit: IntervalUnit, timezone: string, from: string, until: string) =>
  intervalsOf({ unit, timezone, from: at(from), until: at(until) }, 1000)?.map(({ start }) =>
    Instant.toIso(start).replace(":00.000Z", "Z")
  )

const hoursOf = (timezone: string, day: string) => {
  const [one] = intervalsOf({ unit: "day", timezone, from: at(day), until: at(day) }, 1000)!
  return (one!.end - one!.start) / Instant.hour
}

describe("local intervals", () => {
  // Verifies: B-608.
  it("are whole local days, also those of 23 and 25 hours", () => {
    expect(starts("day", "Europe/Paris", "2026-10-24T22:00:00Z", "2026-10-26T23:59:59Z")).toEqual([
      "2026-10-24T22:00Z",
      "2026-10-25T23:00Z",
      "2026-10-26T23:00Z"
    ])
    expect([hoursOf("Europe/Paris", "2026-10-25T12:00:00Z"), hoursOf("Europe/Paris", "2026-03-29T12:00:00Z")]).toEqual([
      25, 23
    ])
    expect(hoursOf("Australia/Lord_Howe", "2026-04-05T00:00:00Z")).toBe(24.5)
  })

  it("begin where the local clock first shows them, where there is no midnight, or two", () => {
    // In Santiago the clock goes from 24:00 to 1:00, and in Havana from 1:00 back to 0:00.
    expect(starts("day", "America/Santiago", "2026-09-06T05:00:00Z", "2026-09-06T05:00:00Z")).toEqual([
      "2026-09-06T04:00Z"
    ])
    expect(starts("day", "America/Havana", "2026-11-01T12:00:00Z", "2026-11-01T12:00:00Z")).toEqual([
      "2026-11-01T04:00Z"
    ])
    expect(hoursOf("America/Havana", "2026-11-01T12:00:00Z")).toBe(25)
  })

  it("are hours of the local clock, of which one that comes twice is two", () => {
    expect(starts("hour", "Europe/Paris", "2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z")).toEqual([
      "2026-10-25T00:00Z",
      "2026-10-25T01:00Z",
      "2026-10-25T02:00Z"
    ])
    expect(starts("hour", "Asia/Kathmandu", "2026-06-01T00:00:00Z", "2026-06-01T01:20:00Z")).toEqual([
      "2026-05-31T23:15Z",
      "2026-06-01T00:15Z",
      "2026-06-01T01:15Z"
    ])
  })

  it("are calendar months, over the end of a year too", () => {
    expect(starts("month", "America/New_York", "2026-10-31T12:00:00Z", "2027-01-01T04:59:59Z")).toEqual([
      "2026-10-01T04:00Z",
      "2026-11-01T04:00Z",
      "2026-12-01T05:00Z"
    ])
  })

  it("are none where nothing lies between, and refused where there are too many", () => {
    expect(starts("day", "UTC", "2026-10-02T00:00:00Z", "2026-10-01T23:59:59Z")).toEqual([])
    expect(starts("day", "UTC", "2026-10-02T12:00:00Z", "2026-10-02T11:59:59Z")).toEqual([])
    const day = { unit: "day", timezone: "UTC", from: at("2026-01-01T00:00:00Z") } as const
    const until = Instant.plus(day.from, 9 * Instant.day)
    expect(intervalsOf({ ...day, until }, 10)).toHaveLength(10)
    expect(intervalsOf({ ...day, until }, 9)).toBeNull()
    expect(intervalsOf({ ...day, until: Instant.never }, 1000)).toBeNull()
  })
})
