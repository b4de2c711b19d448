/** Which candidate of a run is tried next: docs/gateway.md. Verifies: INFE-6. */
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { type Attempt, type Candidate, RunFailed, tryCandidates } from "../../src/inference/RunAttempt.ts"
import { UpstreamWhy } from "../../src/inference/Upstream.ts"

// Candidates are passed through; none of their fields is read.
const [a, b, c] = ["a", "b", "c"].map((name) => ({ name })) as unknown as readonly [
  Candidate<"chat">,
  Candidate<"chat">,
  Candidate<"chat">
]

type End = "answers" | "has no upstream" | "is interrupted" | UpstreamWhy

const attemptAs = (end: End, candidate: Candidate<"chat">): Attempt<"chat"> => {
  if (end === "answers") return { _tag: "Answered", candidate } as Attempt<"chat"> // its answer is not read
  if (end === "has no upstream") return { _tag: "NoUpstream", candidate }
  if (end === "is interrupted") return { _tag: "Broken", candidate, cause: Cause.interrupt() }
  const error = new RunFailed({ upstream: "x", why: end, detail: "", retryAfterSeconds: null, advice: null })
  return { _tag: "Failed", candidate, error }
}

/** Runs a, b and c with these ends; returns whom it tried, and the attempt that counts. */
const tried = (ends: readonly [End, End, End]) => {
  const order: Array<Candidate<"chat">> = []
  const last = Effect.runSync(
    tryCandidates([a, b, c], (candidate) => {
      order.push(candidate)
      return Effect.succeed(attemptAs(ends[order.length - 1]!, candidate))
    })
  )
  return { order, last: last.candidate, tag: last._tag }
}

const ofInput: ReadonlyArray<UpstreamWhy> = ["refused_input", "context_too_long", "too_large"]
const ofUpstream = UpstreamWhy.literals.filter((why) => !ofInput.includes(why))

describe("of the models that may answer", () => {
  it("the first one that answers does, and no later one is asked", () => {
    assert.deepStrictEqual(tried(["answers", "answers", "answers"]), { order: [a], last: a, tag: "Answered" })
    assert.deepStrictEqual(tried(["failed", "answers", "answers"]), { order: [a, b], last: b, tag: "Answered" })
  })

  it.each([...ofUpstream, "has no upstream"] as ReadonlyArray<End>)(
    "the next one is asked where the one before it %s",
    (end) => assert.deepStrictEqual(tried([end, end, "answers"]), { order: [a, b, c], last: c, tag: "Answered" })
  )

  it.each([...ofInput, "is interrupted"] as ReadonlyArray<End>)(
    "no other one is asked where one %s: it would be the same for each, or nobody waits any more",
    (end) => {
      assert.deepStrictEqual(tried([end, "answers", "answers"]).order, [a])
      assert.deepStrictEqual(tried(["timeout", end, "answers"]).order, [a, b])
    }
  )

  it("the last one that was asked is what the caller hears of where none answers", () => {
    assert.deepStrictEqual(tried(["timeout", "failed", "throttled"]), { order: [a, b, c], last: c, tag: "Failed" })
    assert.strictEqual(tried(["timeout", "failed", "has no upstream"]).tag, "NoUpstream")
  })
})
