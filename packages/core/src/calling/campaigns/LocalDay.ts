/** When the calendar day of a time zone begins and ends, daylight saving and all. Pure. */
import { Instant } from "../../platform/kernel/index.ts"
import { offsetAt, offsetChange } from "./ZoneClock.ts"

export interface LocalDay {
  /** The first instant of the day: midnight, or later where daylight saving skips it. */
  readonly start: Instant.Instant
  /** The first instant of the next day. */
  readonly end: Instant.Instant
}

/** The local date as a number of days. */
const dateOf = (local: number): number => Math.floor(local / Instant.day)

/** The first instant after `at` at which the local date is another. */
const nextDate = (timezone: string, at: Instant.Instant): Instant.Instant => {
  const date = dateOf(at + offsetAt(timezone, at))
  for (let from = at; ; ) {
    const offset = offsetAt(timezone, from)
    if (dateOf(from + offset) !== date) return from
    const midnight = Instant.make((date + 1) * Instant.day - offset)
    const change = offsetChange(timezone, offset, from, midnight)
    if (change === undefined) return midnight
    from = change
  }
}

/** No local day is longer: 24 hours and the most that a zone has ever set its clock back. */
const maxDayMs = 49 * Instant.hour

/** The local day that an instant lies in. A day of 23 or 25 hours is one day. */
export const localDay = (timezone: string, at: Instant.Instant): LocalDay => {
  let start = nextDate(timezone, Instant.plus(at, -maxDayMs))
  let end = nextDate(timezone, start)
  while (end <= at) {
    start = end
    end = nextDate(timezone, start)
  }
  return { start, end }
}
