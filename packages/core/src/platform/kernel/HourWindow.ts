/** The hours of a day in which a campaign may reach people: between two hours of the local clock of a zone, daylight saving and all. Pure. */
import * as Instant from "./Instant.ts"
import { offsetAt, offsetChange } from "./ZoneClock.ts"

/**
 * An instant lies within it while `startHour <= local hour < endHour`; the settings of a campaign see to it that the start lies
 * before the end. Hours that daylight saving skips or repeats follow the local clock. Source: docs/reference/campaigns.md#window.
 */
export interface HourWindow {
  /** A zone's name for which `isZone` holds. The hours of any other are read in UTC. */
  readonly timezone: string
  /** 0 to 23 */
  readonly startHour: number
  /** 1 to 24 */
  readonly endHour: number
}

/** The `quietHours…` of a campaign, which bound the hours in which it reaches people: the wire has called them so from the beginning. */
export const windowOf = (campaign: {
  readonly timezone: string
  readonly quietHoursStart: number
  readonly quietHoursEnd: number
}): HourWindow => ({
  timezone: campaign.timezone,
  startHour: campaign.quietHoursStart,
  endHour: campaign.quietHoursEnd
})

/** True when this instant lies within the hours. */
export const isWithinHours = (window: HourWindow, at: Instant.Instant): boolean =>
  isWithinLocally(window, at + offsetAt(window.timezone, at))

/** The first instant, this one included, that lies within the hours. */
export const nextOpening = (window: HourWindow, at: Instant.Instant): Instant.Instant => first("open", window, at)

/**
 * The first instant, this one included, that lies outside of the hours; null where there is none, because they are the whole day.
 */
export const closesAt = (window: HourWindow, at: Instant.Instant): Instant.Instant | null =>
  window.startHour <= 0 && window.endHour >= 24 ? null : first("closed", window, at)

/**
 * Goes from one change of the zone's offset to the next. In between the local clock runs evenly, so that the edge
 * looked for is one subtraction away: a common day costs two readings of the clock, a day with a change about thirty.
 */
const first = (wanted: "open" | "closed", window: HourWindow, at: Instant.Instant): Instant.Instant => {
  for (let from = at; ; ) {
    const offset = offsetAt(window.timezone, from)
    const local = from + offset
    if (isWithinLocally(window, local) === (wanted === "open")) return from
    const edge = Instant.make(nextLocal(wanted === "open" ? window.startHour : window.endHour, local) - offset)
    const change = offsetChange(window.timezone, offset, from, edge)
    if (change === undefined) return edge
    from = change
  }
}

const isWithinLocally = (window: HourWindow, local: number): boolean => {
  const hour = Math.floor(timeOfDay(local) / Instant.hour)
  return window.startHour <= hour && hour < window.endHour
}

/** The next time after `local` at which the local clock, if left alone, begins this hour. */
const nextLocal = (hour: number, local: number): number => {
  const today = local - timeOfDay(local) + hour * Instant.hour
  return today > local ? today : today + Instant.day
}

/** Milliseconds since local midnight, before 1970 too. */
const timeOfDay = (local: number): number => ((local % Instant.day) + Instant.day) % Instant.day
