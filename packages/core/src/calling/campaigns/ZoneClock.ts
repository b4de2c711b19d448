/** How far the local clock of a time zone is ahead of UTC, and when that changes. Pure. */
import { Instant, LruCache } from "../../platform/kernel/index.ts"

/**
 * The first instant in `from < instant <= to` whose offset is not the one that holds at `from`.
 * The offsets at both ends of a day or two show whether there is one: since 1970 no zone has changed its offset twice
 * within six days.
 */
export const offsetChange = (
  timezone: string,
  offset: number,
  from: Instant.Instant,
  to: Instant.Instant
): Instant.Instant | undefined => {
  if (offsetAt(timezone, to) === offset) return undefined
  let [before, after] = [from, to]
  while (after - before > 1) {
    const between = Instant.make((before + after) / 2)
    if (offsetAt(timezone, between) === offset) before = between
    else after = between
  }
  return after
}

/** How far the local clock is ahead of UTC, in milliseconds. */
export const offsetAt = (timezone: string, at: Instant.Instant): number => {
  const [month, day, year, hour, minute, second] = zoneOf(timezone).clock.format(at).match(/\d+/g)!.map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(at / Instant.second) * Instant.second
}

interface Zone {
  readonly clock: Intl.DateTimeFormat
  /** False of a name that the platform has no clock for. */
  readonly isKnown: boolean
}

/** Making a formatter costs 100 times a reading. Bounded, because a name may be written in many mixtures of case. */
const zones = new LruCache<string, Zone>(500)

const clockOf = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  })

const zoneOf = (name: string): Zone =>
  zones.of(name, () => {
    try {
      return { clock: clockOf(name), isKnown: true }
    } catch {
      return { clock: clockOf("UTC"), isKnown: false }
    }
  })

/** False of a name that the platform has no clock for; its clock is read as UTC. */
export const isKnown = (name: string): boolean => zoneOf(name).isKnown
