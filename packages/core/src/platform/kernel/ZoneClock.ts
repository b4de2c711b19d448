/** How far the local clock of a time zone is ahead of UTC, and when that changes. Pure. */
import * as Instant from "./Instant.ts"
import { LruCache } from "./LruCache.ts"

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

/** Units of local time, such as days, each with a number. */
export interface LocalUnit {
  /** The number of the unit in which a local time lies. */
  readonly numberOf: (local: number) => number
  /** The local time at which the unit with a number begins. */
  readonly startOf: (number: number) => number
}

export const localDays: LocalUnit = {
  numberOf: (local) => Math.floor(local / Instant.day),
  startOf: (number) => number * Instant.day
}

/** The first instant after `at` at which the local clock shows another unit: midnight, or later where daylight saving skips it. */
export const nextUnit = (timezone: string, at: Instant.Instant, unit: LocalUnit): Instant.Instant => {
  const number = unit.numberOf(at + offsetAt(timezone, at))
  for (let from = at; ; ) {
    const offset = offsetAt(timezone, from)
    if (unit.numberOf(from + offset) !== number) return from
    const edge = Instant.make(unit.startOf(number + 1) - offset)
    const change = offsetChange(timezone, offset, from, edge)
    if (change === undefined) return edge
    from = change
  }
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

/**
 * Names that ICU adds to those of IANA. They are ambiguous, and not what people mean by them: to ICU, BST is the
 * time of Dhaka.
 */
const notIana =
  /^(SystemV\/.*|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i

/**
 * True of a name in the IANA database, whatever its case, old names included. Offsets are no zones.
 * Asks by trying, because the platform's own list of zones leaves out names that it knows, Asia/Kolkata among them.
 */
export const isZone = (name: string): boolean => {
  return /^[A-Za-z]/.test(name) && !notIana.test(name) && zoneOf(name).isKnown
}
