/** What follows an attempt that failed: docs/reference/upstreams.md#fallbacks. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { stepAfter } from "../../../src/gateway/run/AttemptPlan.ts"
import { UpstreamWhy } from "../../../src/gateway/upstreams/Upstream.ts"

const failure = (why: UpstreamWhy, retryAfterSeconds: number | null = null, hasBegun = false) => ({
  ...{ why, retryAfterSeconds, hasBegun }
})

const mayAgain: ReadonlyArray<UpstreamWhy> = ["unreachable", "failed", "throttled"]
const ofCaller: ReadonlyArray<UpstreamWhy> = ["refused_input", "content_policy", "context_too_long", "too_large"]
const others = UpstreamWhy.literals.filter((why) => !mayAgain.includes(why) && !ofCaller.includes(why))

const anyWhy = fc.constantFrom(...UpstreamWhy.literals)
const anyWait = fc.option(fc.integer({ min: 1, max: 3600 }))
const anyRetries = fc.record({ retried: fc.integer({ min: 0, max: 3 }), retries: fc.integer({ min: 0, max: 3 }) })

describe("after an attempt that failed", () => {
  // Verifies: H-167.
  it.each(mayAgain)("by %s the same entry is asked again after 250, 500 and 1000 ms, then the next one", (why) => {
    const steps = [0, 1, 2, 3].map((retried) => stepAfter(failure(why), { retried, retries: 3 }))
    expect(steps).toEqual([
      { _tag: "Again", afterMs: 250 },
      { _tag: "Again", afterMs: 500 },
      { _tag: "Again", afterMs: 1000 },
      { _tag: "Next" }
    ])
  })

  // Verifies: H-167, H-168.
  it.each(others)("by %s the next entry is asked at once", (why) => {
    expect(stepAfter(failure(why), { retried: 0, retries: 3 })).toEqual({ _tag: "Next" })
  })

  // Verifies: H-169.
  it.each(ofCaller)("by %s nothing is, whatever is left: it is the caller's own fault", (why) => {
    expect(stepAfter(failure(why), { retried: 0, retries: 3 })).toEqual({ _tag: "End" })
  })

  // Verifies: H-167.
  it("the wait is the upstream's own up to 2 s, and a longer one skips the retries that are left", () => {
    const wait = (seconds: number) => stepAfter(failure("throttled", seconds), { retried: 1, retries: 3 })
    expect(wait(1)).toEqual({ _tag: "Again", afterMs: 1000 })
    expect(wait(2)).toEqual({ _tag: "Again", afterMs: 2000 })
    expect(wait(3)).toEqual({ _tag: "Next" })
  })

  // Verifies: H-170.
  it("whose answer has begun nothing follows, whatever failed", () => {
    fc.assert(
      fc.property(anyWhy, anyWait, anyRetries, (why, wait, retries) => {
        expect(stepAfter(failure(why, wait, true), retries)).toEqual({ _tag: "End" })
      })
    )
  })

  it("no entry is asked more often than its retries allow, and no wait is longer than two seconds", () => {
    fc.assert(
      fc.property(anyWhy, anyWait, fc.integer({ min: 0, max: 3 }), (why, wait, retries) => {
        let retried = 0
        for (;;) {
          const step = stepAfter(failure(why, wait), { retried, retries })
          if (step._tag !== "Again") break
          retried += 1
          expect(step.afterMs).toBeLessThanOrEqual(2000)
        }
        expect(retried).toBeLessThanOrEqual(retries)
      })
    )
  })
})
