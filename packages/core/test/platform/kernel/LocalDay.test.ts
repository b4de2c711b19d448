/** The calendar day of a campaign's zone: docs/reference/campaigns.md#window. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Instant, localDay } from "../../../src/platform/kernel/index.ts"

const at = (iso: string) => Instant.parse(iso)!
const dayOf = (timezone: string, iso: string) => {
  const { end, start } = localDay(timezone, at(iso))
  return [Instant.toIso(start), Instant.toIso(end)]
}

describe("a local day", () => {
  it.each([
    ["of 24 hours", "Asia/Kolkata", "2026-11-21T18:29:59.999Z", "2026-11-20T18:30:00.000Z", "2026-11-21T18:30:00.000Z"],
    [
      "begins at its first instant",
      "UTC",
      "2026-11-21T00:00:00.000Z",
      "2026-11-21T00:00:00.000Z",
      "2026-11-22T00:00:00.000Z"
    ],
    [
      "of 23 hours in spring",
      "Europe/Berlin",
      "2026-03-29T12:00:00Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z"
    ],
    [
      "of 25 hours in autumn",
      "Europe/Berlin",
      "2026-10-25T22:30:00Z",
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z"
    ],
    // At midnight the clock goes to one o'clock.
    [
      "without a midnight",
      "Africa/Cairo",
      "2026-04-24T12:00:00Z",
      "2026-04-23T22:00:00.000Z",
      "2026-04-24T21:00:00.000Z"
    ],
    // At midnight the clock goes back to eleven: the day is one hour longer, and the next begins at the second midnight.
    [
      "with two last hours",
      "Africa/Cairo",
      "2026-10-29T21:30:00Z",
      "2026-10-28T21:00:00.000Z",
      "2026-10-29T22:00:00.000Z"
    ],
    // The day before 30 December was the 31st's: the 30th never was.
    [
      "before one that a zone left out",
      "Pacific/Apia",
      "2011-12-30T09:00:00Z",
      "2011-12-29T10:00:00.000Z",
      "2011-12-30T10:00:00.000Z"
    ]
  ])("%s", (_, timezone, instant, start, end) => {
    expect(dayOf(timezone, instant)).toEqual([start, end])
  })

  it("contains its instant, and follows the day before without a gap", () => {
    const zone = fc.constantFrom(
      "UTC",
      "Asia/Kolkata",
      "America/New_York",
      "Africa/Cairo",
      "America/Nuuk",
      "Australia/Lord_Howe"
    )
    const instant = fc.integer({ min: at("2020-01-01T00:00Z"), max: at("2035-01-01T00:00Z") }).map(Instant.make)
    fc.assert(
      fc.property(zone, instant, (timezone, moment) => {
        const { end, start } = localDay(timezone, moment)
        expect(start <= moment && moment < end).toBe(true)
        expect(localDay(timezone, start)).toEqual({ end, start })
        expect(localDay(timezone, Instant.plus(start, -1)).end).toBe(start)
        expect(localDay(timezone, end).start).toBe(end)
      })
    )
  })
})
