/** Which periods may be asked about, and into which intervals our own records are divided. Pure. Source: docs/reference/analytics.md. */
import * as Result from "effect/Result"
import { Instant, intervalsOf, offsetAt } from "../../platform/kernel/index.ts"
import type { AnalyticsPeriod } from "../channels/index.ts"
import { InvalidPeriod } from "./AnalyticsErrors.ts"

/** `hour` and `day` are those of a local clock; `total` is one interval. */
export const deliveryIntervals = ["hour", "day", "total"] as const
export type DeliveryInterval = (typeof deliveryIntervals)[number]

export const maxDeliveryDays = 92
export const maxDeliveryRows = 2500
const standardDeliveryDays = 30

/** How far back the channel's network counts what becomes of templates. */
export const maxTemplateDays = 90

export interface DeliveryPeriod {
  /** Null: 30 days before the end. */
  readonly from: Instant.Instant | null
  /** Null: now, the present interval included. */
  readonly to: Instant.Instant | null
  readonly interval: DeliveryInterval
  readonly timezone: string
}

/** Intervals one behind the other. */
export interface DividedPeriod {
  /** The first instant of each, on the local clock: that of the first one may be before the period. */
  readonly starts: ReadonlyArray<Instant.Instant>
  /** Where each begins to count, and where the last one ends: one more than there are intervals. */
  readonly bounds: ReadonlyArray<Instant.Instant>
}

type Checked<A> = Result.Result<A, InvalidPeriod>

const refused = (sentence: string): Checked<never> => Result.fail(new InvalidPeriod({ sentence }))

/** How much later the local clock is at the end: a day of 25 hours is one day. */
const localMs = (timezone: string, from: Instant.Instant, to: Instant.Instant): number =>
  to + offsetAt(timezone, to) - (from + offsetAt(timezone, from))

/** The intervals of a period that is asked for at an instant. */
export const dividedPeriod = (
  { from: asked, interval, timezone, to }: DeliveryPeriod,
  at: Instant.Instant
): Checked<DividedPeriod> => {
  const end = to ?? at
  const from = asked ?? Instant.plus(end, -standardDeliveryDays * Instant.day)
  if (end <= from)
    return refused("The period ends before it begins: `to` must be after `from`, which is not after now.")
  if (localMs(timezone, from, end) > maxDeliveryDays * Instant.day) {
    return refused(`A period has at most ${maxDeliveryDays} days. Ask for a shorter one with from and to.`)
  }
  // What another process has written by a clock that is ahead belongs to the last interval.
  const last = to ?? Instant.never
  if (interval === "total") return Result.succeed({ starts: [from], bounds: [from, last] })
  const until = to === null ? at : Instant.plus(to, -1)
  const intervals = intervalsOf({ unit: interval, timezone, from, until }, maxDeliveryRows)
  if (intervals === null) return refused(`There are at most ${maxDeliveryRows} rows. Ask for longer intervals.`)
  const starts = intervals.map(({ start }) => start)
  return Result.succeed({ starts, bounds: [from, ...starts.slice(1), last] })
}

/** A period that the channel's network may be asked about. */
export const checkedPeriod = ({ end, start }: AnalyticsPeriod): Checked<AnalyticsPeriod> =>
  end > start
    ? Result.succeed({ start, end })
    : refused("The period ends before it begins: `end` must be after `start`.")

/** The same about templates. */
export const templatePeriod = (period: AnalyticsPeriod, at: Instant.Instant): Checked<AnalyticsPeriod> =>
  period.start < Instant.plus(at, -maxTemplateDays * Instant.day)
    ? refused(`What becomes of templates is counted for ${maxTemplateDays} days: \`start\` is further back.`)
    : checkedPeriod(period)
