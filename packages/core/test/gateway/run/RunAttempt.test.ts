/** What an attempt says about its upstream: docs/reference/upstreams.md#breaker. */
import * as Exit from "effect/Exit"
import { describe, expect, it } from "vitest"
import { outcomeOf } from "../../../src/gateway/run/RunAttempt.ts"
import { UpstreamFailed, UpstreamWhy } from "../../../src/gateway/upstreams/Upstream.ts"

const failing = (why: UpstreamWhy) =>
  Exit.fail(new UpstreamFailed({ why, detail: "", retryAfterSeconds: null, advice: null }))
const counted: ReadonlyArray<UpstreamWhy> = ["timeout", "unreachable", "failed", "operator"]
const uncounted = UpstreamWhy.literals.filter((why) => !counted.includes(why))

describe("a circuit breaker", () => {
  // Verifies: H-173.
  it.each(counted)("counts a failure by %s", (why) => expect(outcomeOf(failing(why))).toBe("failed"))

  // Verifies: H-173.
  it.each(uncounted)("does not count a failure by %s", (why) => expect(outcomeOf(failing(why))).toBe("neither"))

  it("does not count a mistake of our own code, or a client that has gone", () => {
    expect(outcomeOf(Exit.die(new Error("a mistake")))).toBe("neither")
    expect(outcomeOf(Exit.interrupt())).toBe("neither")
    expect(outcomeOf(Exit.succeed("hello"))).toBe("succeeded")
  })
})
