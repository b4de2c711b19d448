/** Sums of usage as a picture shows them: a bar for each interval, with a part for each of the largest groups. */
import type { UsageInterval } from "@trunkline/client"

export type Interval = "hour" | "day" | "month"

export interface Part {
  /** The group's place in the legend. */
  readonly at: number
  readonly value: number
}

export interface Bar {
  readonly start: string
  readonly total: number
  /** The lowest first. */
  readonly parts: ReadonlyArray<Part>
}

export interface Picture {
  /** The largest first. A group of null has all that are smaller; where nothing is divided there is one group. */
  readonly groups: ReadonlyArray<{ readonly group: string | null; readonly isRest: boolean; readonly total: number }>
  readonly bars: ReadonlyArray<Bar>
  /** What the axis ends with. */
  readonly top: number
}

/** As many as people can distinguish. */
const maxGroups = 6

/** The next number of 1, 2 or 5 and zeros, at or above. */
export const roundTop = (value: number): number => {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10
  return step * power
}

export const pictureOf = (
  intervals: ReadonlyArray<UsageInterval>,
  divided: ReadonlyArray<UsageInterval> | null
): Picture => {
  const rows = divided ?? intervals.map((one) => ({ ...one, group: null }))
  const totals = new Map<string | null, number>()
  for (const { credits, group } of rows) totals.set(group, (totals.get(group) ?? 0) + Number(credits))
  const sorted = [...totals].toSorted(([, a], [, b]) => b - a)
  const [kept, small] =
    sorted.length <= maxGroups ? [sorted, []] : [sorted.slice(0, maxGroups - 1), sorted.slice(maxGroups - 1)]
  const rest =
    small.length === 0 ? [] : [{ group: null, isRest: true, total: small.reduce((sum, [, one]) => sum + one, 0) }]
  const place = new Map(kept.map(([group], at) => [group, at]))
  const parts = new Map<string, Array<number>>()
  for (const { credits, group, start } of rows) {
    const of = parts.get(start) ?? []
    const at = place.get(group) ?? kept.length
    of[at] = (of[at] ?? 0) + Number(credits)
    parts.set(start, of)
  }
  const bars = intervals.map(({ credits, start }) => ({
    start,
    total: Number(credits),
    parts: (parts.get(start) ?? []).flatMap((value, at) => (value > 0 ? [{ at, value }] : []))
  }))
  return {
    groups: [...kept.map(([group, total]) => ({ group, isRest: false, total })), ...rest],
    bars,
    top: roundTop(Math.max(0, ...bars.map(({ total }) => total)))
  }
}

const partsIn = (at: number, timeZone: string): ReadonlyArray<number> => {
  const written = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  }).formatToParts(at)
  return ["year", "month", "day", "hour", "minute", "second"].map((type) =>
    Number(written.find((part) => part.type === type)?.value)
  )
}

/** How far the clock of a zone is ahead of UTC, in milliseconds. */
const aheadOf = (at: number, timeZone: string): number => {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = partsIn(at, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

/** The first instant of the interval that an instant is in, on the clock of a zone. */
export const startOf = (interval: Interval, at: number, timeZone: string): number => {
  const [year = 0, month = 1, day = 1, hour = 0] = partsIn(at, timeZone)
  const local = Date.UTC(year, month - 1, interval === "month" ? 1 : day, interval === "hour" ? hour : 0)
  const guess = local - aheadOf(at, timeZone)
  return local - aheadOf(guess, timeZone)
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The log has the usage of 90 days. */
const keptMs = 90 * dayMs - hourMs

/** Where the days that are asked for begin: with a whole interval, unless the log does not go back as far. */
export const firstOf = (
  { days, interval, timezone }: { readonly days: string; readonly interval: Interval; readonly timezone: string },
  now: number
): number => {
  const step = interval === "hour" ? hourMs : dayMs
  return Math.max(startOf(interval, now - Number(days) * dayMs + step, timezone), now - keptMs)
}
