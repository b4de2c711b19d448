/** The states of a circuit breaker. Pure. Source: docs/reference/upstreams.md#breaker. */
import { Instant } from "../../platform/kernel/index.ts"

export interface BreakerSettings {
  /** Failures in a row that open it. */
  readonly failures: number
  /** For how long it is open, in milliseconds. */
  readonly openMs: number
}

/** One request asks whether the upstream answers again. */
export interface HalfOpen {
  readonly _tag: "HalfOpen"
}

export type Breaker =
  | { readonly _tag: "Closed"; readonly failures: number }
  | { readonly _tag: "Open"; readonly until: Instant.Instant }
  | HalfOpen

/** `neither`: the attempt says nothing about the upstream, such as a fault of the caller. */
export type Outcome = "succeeded" | "failed" | "neither"

export const closed: Breaker = { _tag: "Closed", failures: 0 }

export const isOpen = (breaker: Breaker, at: Instant.Instant): boolean =>
  breaker._tag === "HalfOpen" || (breaker._tag === "Open" && at < breaker.until)

export interface Begun {
  readonly breaker: Breaker
  /** Of the request whose attempt decides about the breaker: the state that it has made. Null for every other request. */
  readonly trial: HalfOpen | null
}

/** An attempt begins. The first one after the time of an open breaker is its trial. */
export const begin = (breaker: Breaker, at: Instant.Instant): Begun => {
  if (breaker._tag !== "Open" || isOpen(breaker, at)) return { breaker, trial: null }
  const trial: HalfOpen = { _tag: "HalfOpen" }
  return { breaker: trial, trial }
}

export interface Ended {
  readonly trial: HalfOpen | null
  readonly outcome: Outcome
  readonly at: Instant.Instant
}

/** An attempt has ended. Any success closes the breaker; of failures while it is half open only that of the trial counts. */
export const end = (
  breaker: Breaker,
  { at, outcome, trial }: Ended,
  { failures, openMs }: BreakerSettings
): Breaker => {
  if (outcome === "succeeded") return closed
  const opened = { _tag: "Open", until: Instant.plus(at, openMs) } as const
  switch (breaker._tag) {
    case "Open":
      return breaker
    case "HalfOpen":
      if (breaker !== trial) return breaker
      // A trial without a result leaves its place to the next request.
      return outcome === "failed" ? opened : { _tag: "Open", until: at }
    case "Closed": {
      if (outcome === "neither") return breaker
      const inRow = breaker.failures + 1
      return inRow >= failures ? opened : { _tag: "Closed", failures: inRow }
    }
  }
}
