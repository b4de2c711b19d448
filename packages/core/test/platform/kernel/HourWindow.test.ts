import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  closesAt,
  type HourWindow,
  Instant,
  isWithinHours,
  isZone,
  nextOpening,
  windowOf
} from "../../../src/platform/kernel/index.ts"

const instant = (iso: string): Instant.Instant => {
  const at = Instant.parse(iso)
  if (at === undefined) throw new Error(`no instant: ${iso}`)
  return at
}

const window = (timezone: string, startHour: number, endHour: number): HourWindow => ({
  timezone,
  startHour,
  endHour
})
const opening = (it: HourWindow, iso: string) => Instant.toIso(nextOpening(it, instant(iso)))
const closing = (it: HourWindow, iso: string) => {
  const at = closesAt(it, instant(iso))
  return at === null ? null : Instant.toIso(at)
}

describe("a window of hours", () => {
  const kolkata = window("Asia/Kolkata", 9, 21)

  it.each([
    ["2026-11-21T08:59:59.999+05:30", false],
    ["2026-11-21T09:00:00.000+05:30", true],
    ["2026-11-21T20:59:59.999+05:30", true],
    ["2026-11-21T21:00:00.000+05:30", false],
    ["2026-11-21T00:00:00.000+05:30", false],
    ["1969-12-31T12:00:00.500+05:30", true]
  ])("of 9 to 21 is at %s open: %s", (iso, open) => {
    expect(isWithinHours(kolkata, instant(iso))).toBe(open)
  })

  it("opens at once when it is open, to the millisecond", () => {
    expect(opening(kolkata, "2026-11-21T20:59:59.999+05:30")).toBe("2026-11-21T15:29:59.999Z")
    expect(opening(kolkata, "2026-11-21T08:59:59.999+05:30")).toBe("2026-11-21T03:30:00.000Z")
    expect(opening(kolkata, "2026-11-21T21:00:00.000+05:30")).toBe("2026-11-22T03:30:00.000Z")
  })

  it("closes at its end, and is closed at once when it is closed", () => {
    expect(closing(kolkata, "2026-11-21T09:00:00.000+05:30")).toBe("2026-11-21T15:30:00.000Z")
    expect(closing(kolkata, "2026-11-21T20:59:59.999+05:30")).toBe("2026-11-21T15:30:00.000Z")
    expect(closing(kolkata, "2026-11-21T22:00:00.000+05:30")).toBe("2026-11-21T16:30:00.000Z")
  })

  it("ends at midnight with an end of 24", () => {
    const late = window("Asia/Kolkata", 20, 24)
    expect(isWithinHours(late, instant("2026-11-21T23:59:59.999+05:30"))).toBe(true)
    expect(isWithinHours(late, instant("2026-11-22T00:00:00.000+05:30"))).toBe(false)
    expect(closing(late, "2026-11-21T20:00:00.000+05:30")).toBe("2026-11-21T18:30:00.000Z")
    expect(opening(late, "2026-11-22T00:00:00.000+05:30")).toBe("2026-11-22T14:30:00.000Z")
  })

  it("of one hour opens once a day", () => {
    const hour = window("UTC", 23, 24)
    expect(opening(hour, "2026-12-31T22:59:59.999Z")).toBe("2026-12-31T23:00:00.000Z")
    expect(closing(hour, "2026-12-31T23:30:00.000Z")).toBe("2027-01-01T00:00:00.000Z")
    expect(opening(hour, "2027-01-01T00:00:00.000Z")).toBe("2027-01-01T23:00:00.000Z")
  })

  it("is read from a campaign's fields", () => {
    expect(windowOf({ timezone: "UTC", quietHoursStart: 8, quietHoursEnd: 20 })).toEqual(window("UTC", 8, 20))
  })

  it.each(["Asia/Kolkata", "America/New_York", "America/Sao_Paulo", "Pacific/Apia", "Africa/Casablanca"])(
    "of the whole day in %s never closes, whatever the clock does",
    (timezone) => {
      const whole = window(timezone, 0, 24)
      for (
        let at = instant("2011-01-01T00:00:00Z");
        at < instant("2012-02-01T00:00:00Z");
        at = Instant.plus(at, 1.7e6)
      ) {
        if (!isWithinHours(whole, at) || closesAt(whole, at) !== null) throw new Error(Instant.toIso(at))
      }
    }
  )
})

describe("daylight saving", () => {
  // New York, 8 March 2026: 02:00 becomes 03:00 at 07:00Z. 1 November 2026: 02:00 becomes 01:00 at 06:00Z.
  it("moves the opening with the local clock", () => {
    const day = window("America/New_York", 9, 21)
    expect(opening(day, "2026-03-07T22:00:00-05:00")).toBe("2026-03-08T13:00:00.000Z")
    expect(opening(day, "2026-10-31T22:00:00-04:00")).toBe("2026-11-01T14:00:00.000Z")
    expect(closing(window("America/New_York", 0, 21), "2026-03-08T00:30:00-05:00")).toBe("2026-03-09T01:00:00.000Z")
    expect(closing(window("America/New_York", 0, 21), "2026-11-01T00:30:00-04:00")).toBe("2026-11-02T02:00:00.000Z")
  })

  // Verifies: D-44.
  it("opens right after the gap when the opening hour is skipped", () => {
    expect(opening(window("America/New_York", 2, 5), "2026-03-08T00:30:00-05:00")).toBe("2026-03-08T07:00:00.000Z")
    expect(closing(window("America/New_York", 1, 3), "2026-03-08T01:30:00-05:00")).toBe("2026-03-08T07:00:00.000Z")
  })

  it("does not open on a day whose only hour is skipped", () => {
    expect(opening(window("America/New_York", 2, 3), "2026-03-08T00:30:00-05:00")).toBe("2026-03-09T06:00:00.000Z")
  })

  // Verifies: D-44.
  it("counts a repeated hour both times", () => {
    const hour = window("America/New_York", 1, 2)
    expect(opening(hour, "2026-11-01T00:59:59.999-04:00")).toBe("2026-11-01T05:00:00.000Z")
    expect(closing(hour, "2026-11-01T01:30:00-04:00")).toBe("2026-11-01T07:00:00.000Z")
  })

  it("reopens when the clock falls back behind the end", () => {
    // São Paulo, 18 February 2018: midnight became 23:00 of the 17th at 02:00Z.
    const evening = window("America/Sao_Paulo", 9, 24)
    expect(closing(evening, "2018-02-17T23:30:00-02:00")).toBe("2018-02-18T03:00:00.000Z")
    // St. John's, 7 November 2010: 00:01 became 23:01 of the 6th at 02:31Z.
    const night = window("America/St_Johns", 9, 24)
    expect(closing(night, "2010-11-06T23:30:00-02:30")).toBe("2010-11-07T02:30:00.000Z")
    expect(opening(night, "2010-11-07T00:00:30-02:30")).toBe("2010-11-07T02:31:00.000Z")
    expect(closing(night, "2010-11-07T02:31:00Z")).toBe("2010-11-07T03:30:00.000Z")
  })

  it("may skip midnight", () => {
    // Cairo, 24 April 2026: 00:00 becomes 01:00 at 22:00Z of the 23rd.
    expect(opening(window("Africa/Cairo", 0, 5), "2026-04-23T23:00:00+02:00")).toBe("2026-04-23T22:00:00.000Z")
    expect(opening(window("Africa/Cairo", 0, 1), "2026-04-23T23:00:00+02:00")).toBe("2026-04-24T21:00:00.000Z")
  })

  it("may move the clock by half an hour", () => {
    // Lord Howe, 5 April 2026: 02:00 becomes 01:30 at 15:00Z. 4 October 2026: 02:00 becomes 02:30 at 15:30Z.
    expect(closing(window("Australia/Lord_Howe", 1, 2), "2026-04-05T01:00:00+11:00")).toBe("2026-04-04T15:30:00.000Z")
    expect(opening(window("Australia/Lord_Howe", 2, 3), "2026-10-04T01:00:00+10:30")).toBe("2026-10-03T15:30:00.000Z")
    expect(closing(window("Australia/Lord_Howe", 2, 3), "2026-10-03T15:30:00Z")).toBe("2026-10-03T16:00:00.000Z")
  })

  it("may skip a whole day", () => {
    // Apia had no 30 December 2011: the 29th at -10:00 was followed by the 31st at +14:00.
    const day = window("Pacific/Apia", 9, 21)
    expect(opening(day, "2011-12-29T22:00:00-10:00")).toBe("2011-12-30T19:00:00.000Z")
    expect(closing(window("Pacific/Apia", 9, 24), "2011-12-29T22:00:00-10:00")).toBe("2011-12-30T10:00:00.000Z")
    expect(closing(window("Pacific/Apia", 0, 5), "2011-12-30T10:00:00Z")).toBe("2011-12-30T15:00:00.000Z")
  })

  it.each([
    ["Asia/Kathmandu", "2026-11-21T03:15:00.000Z"],
    ["Australia/Eucla", "2026-11-21T00:15:00.000Z"],
    ["Pacific/Chatham", "2026-11-21T19:15:00.000Z"],
    ["America/St_Johns", "2026-11-21T12:30:00.000Z"],
    ["Etc/GMT+5", "2026-11-21T14:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-11-21T19:00:00.000Z"]
  ])("stands beside offsets of any fraction: %s opens at %s", (timezone, expected) => {
    expect(opening(window(timezone, 9, 10), "2026-11-20T23:59:00Z")).toBe(expected)
  })
})

/** The local hour as the platform computes it directly, without the arithmetic under test. */
const hours = new Map<string, Intl.DateTimeFormat>()
const openByTheClock = ({ timezone, startHour, endHour }: HourWindow, at: number): boolean => {
  let clock = hours.get(timezone)
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat("en-US", { timeZone: timezone, hourCycle: "h23", hour: "2-digit" })
    hours.set(timezone, clock)
  }
  const hour = Number(clock.format(at))
  return startHour <= hour && hour < endHour
}

/** Some 50 hours around changes of clocks of many kinds, and anywhere between 1970 and 2100. */
const turns = [
  ["America/New_York", "2026-03-08T07:00:00Z"],
  ["America/New_York", "2026-11-01T06:00:00Z"],
  ["Europe/Paris", "2026-03-29T01:00:00Z"],
  ["Europe/Paris", "2026-10-25T01:00:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["Pacific/Apia", "2011-12-30T10:00:00Z"],
  ["Pacific/Kwajalein", "1993-08-21T12:00:00Z"],
  ["America/Sao_Paulo", "2018-02-18T02:00:00Z"],
  ["America/Sao_Paulo", "2018-11-04T03:00:00Z"],
  ["America/St_Johns", "2010-11-07T02:31:00Z"],
  ["America/St_Johns", "1988-04-03T03:31:00Z"],
  ["Africa/Cairo", "2026-04-23T22:00:00Z"],
  ["Antarctica/Troll", "2026-03-29T01:00:00Z"],
  ["Antarctica/Casey", "2020-10-03T16:01:00Z"],
  ["Asia/Kathmandu", "1985-12-31T18:30:00Z"],
  ["Asia/Pyongyang", "2018-05-04T15:00:00Z"],
  ["America/Caracas", "2007-12-09T07:00:00Z"],
  ["Africa/Monrovia", "1972-01-07T00:44:30Z"],
  ["Africa/Casablanca", "2026-02-15T02:00:00Z"]
] as const

const moment = fc.oneof(
  fc
    .tuple(fc.constantFrom(...turns), fc.integer({ min: -26 * Instant.hour, max: 26 * Instant.hour }))
    .map(([[timezone, turn], off]) => ({ timezone, at: Instant.plus(instant(turn), off) })),
  fc
    .tuple(fc.constantFrom(...turns), fc.integer({ min: -100, max: 100 }))
    .map(([[timezone, turn], off]) => ({ timezone, at: Instant.plus(instant(turn), off) })),
  fc
    .tuple(fc.constantFrom(...turns), fc.integer({ min: 0, max: instant("2100-01-01T00:00:00Z") }))
    .map(([[timezone], at]) => ({ timezone, at: Instant.make(at) }))
)
const shape = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
  .filter(([start, end]) => start < end)
const sample = fc
  .tuple(moment, shape)
  .map(([{ timezone, at }, [start, end]]) => ({ it: window(timezone, start, end), at }))

/** Every five minutes from one instant to just before another, and the last millisecond. */
const between = function* (from: number, to: number) {
  for (let at = from; at < to; at += 5 * Instant.minute) yield at
  if (to > from) yield to - 1
}

describe("a window, as a law", () => {
  // Verifies: D-42.
  it("is open exactly while the local hour lies inside", () => {
    fc.assert(
      fc.property(sample, ({ it, at }) => {
        expect(isWithinHours(it, at)).toBe(openByTheClock(it, at))
      }),
      { numRuns: 2000 }
    )
  })

  it("is open at its next opening and never before", () => {
    fc.assert(
      fc.property(sample, ({ it, at }) => {
        const next = nextOpening(it, at)
        expect(openByTheClock(it, next)).toBe(true)
        for (const earlier of between(at, next)) if (openByTheClock(it, earlier)) throw new Error(Instant.toIso(at))
      }),
      { numRuns: 1000 }
    )
  })

  it("is closed when it closes and never before", () => {
    fc.assert(
      fc.property(sample, ({ it, at }) => {
        const end = closesAt(it, at)
        if (end === null) {
          expect([it.startHour, it.endHour]).toEqual([0, 24])
          return
        }
        expect(openByTheClock(it, end)).toBe(false)
        for (const earlier of between(at, end)) if (!openByTheClock(it, earlier)) throw new Error(Instant.toIso(at))
      }),
      { numRuns: 1000 }
    )
  })
})

describe("a zone", () => {
  it.each([
    "Asia/Kolkata",
    "Asia/Calcutta",
    "UTC",
    "GMT",
    "Etc/GMT+5",
    "Europe/Paris",
    "America/Argentina/Buenos_Aires",
    "EST5EDT",
    "asia/kolkata"
    // Verifies: D-43.
  ])("may be %s", (name) => {
    expect(isZone(name)).toBe(true)
    expect(() => isWithinHours(window(name, 9, 21), instant("2026-11-21T00:00:00Z"))).not.toThrow()
  })

  it.each([
    "",
    " ",
    "Mars/Olympus",
    "+05:30",
    "-08",
    "+0530",
    "GMT+5",
    "UTC+05:30",
    "Europe/Paris ",
    "BST",
    "ist",
    "SystemV/EST5",
    "undefined",
    "🙂"
    // Verifies: D-43.
  ])("may not be %j", (name) => {
    expect(isZone(name)).toBe(false)
  })

  it("may be written in more ways than are remembered", () => {
    const name = "America/Argentina/Buenos_Aires"
    for (let mixture = 0; mixture < 600; mixture++) {
      const written = [...name].map((c, i) => ((mixture >> i) & 1 ? c.toUpperCase() : c.toLowerCase())).join("")
      if (!isWithinHours(window(written, 9, 10), instant("2026-11-21T12:00:00Z"))) throw new Error(written)
    }
  })
})
