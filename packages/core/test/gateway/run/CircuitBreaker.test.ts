/** The states of a circuit breaker: docs/reference/upstreams.md#breaker. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Breaker,
  begin,
  closed,
  end,
  type HalfOpen,
  isOpen,
  type Outcome
} from "../../../src/gateway/run/CircuitBreaker.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const settings = { failures: 3, openMs: 1000 }
const at = Instant.make
const ended = (breaker: Breaker, outcome: Outcome, ms = 0, trial: HalfOpen | null = null) =>
  end(breaker, { outcome, at: at(ms), trial }, settings)
const after = (...outcomes: ReadonlyArray<Outcome>) =>
  outcomes.reduce<Breaker>((breaker, outcome) => ended(breaker, outcome), closed)
const opened = after("failed", "failed", "failed")

describe("a circuit breaker", () => {
  // Verifies: H-173.
  it("opens after the configured number of failures in a row, for the configured time", () => {
    expect(isOpen(after("failed", "failed"), at(0))).toBe(false)
    expect([0, 999, 1000].map((ms) => isOpen(opened, at(ms)))).toEqual([true, true, false])
  })

  // Verifies: H-173.
  it("begins to count anew after a success, and passes over what says nothing about the upstream", () => {
    expect(isOpen(after("failed", "failed", "succeeded", "failed", "failed"), at(0))).toBe(false)
    expect(isOpen(after("failed", "neither", "failed", "neither", "failed"), at(0))).toBe(true)
  })

  it("is not open for longer because of requests that failed meanwhile", () => {
    expect(ended(opened, "failed", 900)).toBe(opened)
  })

  // Verifies: H-174.
  it("has one request try after its time: its success closes it, its failure opens it anew", () => {
    const { breaker, trial } = begin(opened, at(1000))
    expect(isOpen(breaker, at(1000))).toBe(true)
    expect(begin(breaker, at(1001)).trial).toBeNull()
    expect(ended(breaker, "succeeded", 1100, trial)).toBe(closed)
    const again = ended(breaker, "failed", 1100, trial)
    expect([2099, 2100].map((ms) => isOpen(again, at(ms)))).toEqual([true, false])
  })

  // Verifies: H-174.
  it("has the next request try where the first one ended without a result", () => {
    const { breaker, trial } = begin(opened, at(1000))
    const left = ended(breaker, "neither", 1100, trial)
    expect(isOpen(left, at(1100))).toBe(false)
    expect(begin(left, at(1100)).trial).not.toBeNull()
  })

  type Command =
    | { readonly does: "begins" }
    | { readonly does: "ends"; readonly nth: number; readonly outcome: Outcome }
  const outcome = fc.constantFrom<Outcome>("succeeded", "failed", "neither")
  const command: fc.Arbitrary<Command> = fc.oneof(
    fc.constant({ does: "begins" } as const),
    fc.record({ does: fc.constant("ends" as const), nth: fc.nat(5), outcome })
  )

  it("never lets two requests try at a time, and is never open for ever, in whatever order attempts begin and end", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(700), command), { maxLength: 60, size: "max" }), (commands) => {
        let [breaker, now]: [Breaker, number] = [closed, 0]
        const running: Array<HalfOpen | null> = []
        // The request that tries, until it ends or another one has succeeded.
        let trying: HalfOpen | null = null
        for (const [ms, given] of commands) {
          now += ms
          if (given.does === "begins") {
            const begun = begin(breaker, at(now))
            breaker = begun.breaker
            running.push(begun.trial)
            if (begun.trial !== null) {
              expect(trying).toBeNull()
              trying = begun.trial
            }
          } else if (running.length > 0) {
            const [trial = null] = running.splice(given.nth % running.length, 1)
            breaker = ended(breaker, given.outcome, now, trial)
            if (trial === trying || given.outcome === "succeeded") trying = null
          }
          expect(breaker._tag === "HalfOpen").toBe(trying !== null)
        }
        for (const trial of running) breaker = ended(breaker, "neither", now, trial)
        expect(isOpen(breaker, at(now + settings.openMs))).toBe(false)
      })
    )
  })
})
