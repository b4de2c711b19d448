/** What the page of usage asks for. Its part of the client is loaded with the page. */
import { createClient, gateway, type UsageInterval } from "@trunkline/client"
import { clientOptions } from "../frame/ServerRequests.ts"
import { ownZone } from "../parts/TimeZones.ts"
import { firstOf, type Interval } from "./UsageSums.ts"

export const usage = createClient({ ...clientOptions, areas: [gateway] }).usage

export const intervals = ["hour", "day", "month"] as const

export const groups = ["service", "model", "key"] as const
export type Group = (typeof groups)[number]

/** Days that a person may look back: the log has 90. */
export const spans = ["1", "7", "30", "90"] as const
type Span = (typeof spans)[number]

export interface Asked {
  readonly interval: Interval
  readonly by: Group | null
  readonly timezone: string
  readonly days: Span
}

const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

const oneOf = <A extends string>(values: ReadonlyArray<A>, text: string | undefined, otherwise: A): A =>
  values.find((one) => one === text) ?? otherwise

/** What the address asks for. Hours of 90 days are more than a picture shows. */
export const askedOf = (search: {
  readonly interval?: string | undefined
  readonly by?: string | undefined
  readonly timezone?: string | undefined
  readonly days?: string | undefined
}): Asked => {
  const interval = oneOf(intervals, search.interval, "day")
  const standard = interval === "hour" ? "1" : interval === "day" ? "30" : "90"
  const days = oneOf(spans, search.days, standard)
  return {
    interval,
    days: interval === "hour" && days === "90" ? "30" : days,
    by: groups.find((one) => one === search.by) ?? null,
    timezone: search.timezone !== undefined && isZone(search.timezone) ? search.timezone : ownZone
  }
}

export interface Series {
  readonly asked: Asked
  readonly readAt: number
  /** Every interval, whole. */
  readonly whole: ReadonlyArray<UsageInterval>
  /** The same by group, the intervals with usage alone; null where nothing is divided. */
  readonly divided: ReadonlyArray<UsageInterval> | null
}

export const readSeries = async (asked: Asked, signal: AbortSignal): Promise<Series> => {
  const { by, interval, timezone } = asked
  const readAt = Date.now()
  const query = { interval, timezone, from: new Date(firstOf(asked, readAt)).toISOString() }
  const [whole, divided] = await Promise.all([
    usage.series(query, { signal }),
    by === null ? null : usage.series({ ...query, by }, { signal })
  ])
  return { asked, readAt, whole, divided }
}
