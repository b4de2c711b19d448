/** Intervals of a zone's local clock, by which records are counted: hours, days and months. Pure. Source: docs/reference/usage.md#series. */
import * as Instant from "./Instant.ts"
import { type LocalUnit, localDays, nextUnit, offsetAt, offsetChange } from "./ZoneClock.ts"

export const intervalUnits = ["hour", "day", "month"] as const
export type IntervalUnit = (typeof intervalUnits)[number]

export interface LocalInterval {
  /** The first instant of the local unit. */
  readonly start: Instant.Instant
  /** The first instant after it. */
  readonly end: Instant.Instant
}

const hours: LocalUnit = {
  numberOf: (local) => Math.floor(local / Instant.hour),
  startOf: (number) => number * Instant.hour
}

const months: LocalUnit = {
  numberOf: (local) => {
    const date = new Date(local)
    return date.getUTCFullYear() * 12 + date.getUTCMonth()
  },
  startOf: (number) => Date.UTC(Math.floor(number / 12), number % 12)
}

/** An hour that the local clock shows twice is two. */
const nextHour = (timezone: string, at: Instant.Instant): Instant.Instant => {
  const next = nextUnit(timezone, at, hours)
  return offsetChange(timezone, offsetAt(timezone, at), at, next) ?? next
}

interface Unit {
  readonly next: (timezone: string, at: Instant.Instant) => Instant.Instant
  /** None is longer, whatever a zone does with its clock. */
  readonly maxMs: number
}

const units: Readonly<Record<IntervalUnit, Unit>> = {
  hour: { next: nextHour, maxMs: 2 * Instant.hour },
  day: { next: (timezone, at) => nextUnit(timezone, at, localDays), maxMs: 49 * Instant.hour },
  month: { next: (timezone, at) => nextUnit(timezone, at, months), maxMs: 33 * Instant.day }
}

interface Asked {
  readonly unit: IntervalUnit
  readonly timezone: string
  readonly from: Instant.Instant
  /** The last instant that an interval must have. */
  readonly until: Instant.Instant
}

/** The intervals from the one that has `from` to the one that has `until`, where that is not before; null where there are more than `max`. */
export const intervalsOf = (
  { from, timezone, unit, until }: Asked,
  max: number
): ReadonlyArray<LocalInterval> | null => {
  if (until < from) return []
  const { maxMs, next } = units[unit]
  let start = next(timezone, Instant.plus(from, -maxMs))
  const intervals: Array<LocalInterval> = []
  while (start <= until) {
    const end = next(timezone, start)
    if (end > from) intervals.push({ start, end })
    if (intervals.length > max) return null
    start = end
  }
  return intervals
}
