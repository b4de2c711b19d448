/** Calendar months of UTC, by which caps, monthly budgets and bonuses count. Pure. Source: docs/reference/plans.md#month. */
import { Instant } from "../kernel/index.ts"

/** `2026-11`. */
export type Month = string

export const of = (at: Instant.Instant): Month => Instant.toIso(at).slice(0, 7)

export const startOf = (month: Month): Instant.Instant =>
  Instant.make(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1))

/** When the month after the one of `at` begins. */
export const nextStart = (at: Instant.Instant): Instant.Instant => {
  const month = of(at)
  return Instant.make(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5))))
}

/** Seconds, rounded up, until the first of the next month: after that wait the month has begun. */
export const secondsUntilNext = (at: Instant.Instant): number => Math.ceil((nextStart(at) - at) / Instant.second)
