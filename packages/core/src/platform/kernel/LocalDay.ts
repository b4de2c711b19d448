/** When the calendar day of a time zone begins and ends, daylight saving and all. Pure. */
import * as Instant from "./Instant.ts"
import { localDays, nextUnit } from "./ZoneClock.ts"

export interface LocalDay {
  /** The first instant of the day: midnight, or later where daylight saving skips it. */
  readonly start: Instant.Instant
  /** The first instant of the next day. */
  readonly end: Instant.Instant
}

/** No local day is longer: 24 hours and the most that a zone has ever set its clock back. */
const maxDayMs = 49 * Instant.hour

/** The local day that an instant lies in. A day of 23 or 25 hours is one day. */
export const localDay = (timezone: string, at: Instant.Instant): LocalDay => {
  let start = nextUnit(timezone, Instant.plus(at, -maxDayMs), localDays)
  let end = nextUnit(timezone, start, localDays)
  while (end <= at) {
    start = end
    end = nextUnit(timezone, start, localDays)
  }
  return { start, end }
}
