/** Attempts and retries: docs/reference/campaigns.md#retry, docs/reference/campaigns.md#contact-life. */
import { Instant } from "@trunkline/core/effect"
import { describe, expect } from "vitest"
import { instant, scenario } from "../calls/Scenarios.ts"

const [a, b] = ["+14155550101", "+14155550102"]

describe("an attempt that fails", () => {
  // Verifies: C-54, D-55, D-56, D-58.
  scenario("is made again after 15, 30, 60 and 120 minutes, from its end and to the millisecond", function* (stage) {
    const id = yield* stage.running({ maxAttempts: 5, paceSeconds: 5 }, [a])
    const ends: Array<number> = []
    for (const ending of ["busy", "no_answer", "failed", "busy", "no_answer"] as const) {
      yield* stage.rest
      yield* stage.wait(20_000)
      yield* stage.end(a, ending)
      ends.push(yield* Instant.now)
      const contact = yield* stage.contact(id, a)
      if (contact.nextAttemptAt !== null) yield* stage.wait(contact.nextAttemptAt - ends.at(-1)!)
    }
    const waits = stage.dialedAt.slice(1).map((at, i) => (instant(at) - ends[i]!) / Instant.minute)
    expect(waits).toEqual([15, 30, 60, 120])
    expect(yield* stage.contact(id, a)).toMatchObject({
      status: "failed",
      attempts: 5,
      lastError: "no_answer",
      nextAttemptAt: null
    })
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", failedContacts: 1 })
    expect((yield* stage.calls()).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5])
  })

  // Verifies: C-55.
  scenario("is not made before it is due", function* (stage) {
    yield* stage.running({ paceSeconds: 5 }, [a])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.wait(15 * 60_000 - 1)
    expect(stage.dialed).toEqual([a])
    yield* stage.wait(1)
    expect(stage.dialed).toEqual([a, a])
  })

  // Verifies: C-56, C-57, D-14, D-62.
  scenario("writes its reason to last_error, which is cleared when somebody answers", function* (stage) {
    const id = yield* stage.running({ maxAttempts: 5, paceSeconds: 5 }, [a])
    for (const [ending, error] of [
      ["busy", "busy"],
      ["no_answer", "no_answer"],
      ["failed", "provider_error"],
      ["canceled", "canceled"]
    ] as const) {
      yield* stage.rest
      yield* stage.ring(a)
      yield* stage.end(a, ending)
      const contact = yield* stage.contact(id, a)
      expect(contact).toMatchObject({ status: "pending", lastError: error, callId: (yield* stage.call(a)).id })
      yield* stage.wait(contact.nextAttemptAt! - (yield* Instant.now))
    }
    yield* stage.completeCall(a, 10)
    expect(yield* stage.contact(id, a)).toMatchObject({
      status: "done",
      attempts: 5,
      lastError: null,
      nextAttemptAt: null,
      callId: (yield* stage.call(a)).id
    })
  })

  // Verifies: C-5, C-28, D-15.
  scenario("is the last one when all are used up", function* (stage) {
    const id = yield* stage.running({ maxAttempts: 1 }, [a])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.wait(24 * 3_600_000)
    expect(stage.dialed).toEqual([a])
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "failed", attempts: 1 })
  })

  scenario("ends its contact when the limit was lowered meanwhile", function* (stage) {
    const id = yield* stage.running({ maxAttempts: 3, paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.end(a, "busy")
    yield* stage.change(id, { maxAttempts: 1 })
    yield* stage.wait(5_000)
    yield* stage.end(b, "no_answer")
    yield* stage.wait(3_600_000)
    expect(stage.dialed).toEqual([a, b])
    expect((yield* stage.contacts(id)).map(({ attempts, lastError, status }) => [status, attempts, lastError])).toEqual(
      [
        ["failed", 1, "busy"],
        ["failed", 1, "no_answer"]
      ]
    )
    expect(yield* stage.campaign(id)).toMatchObject({ status: "completed", failedContacts: 2 })
  })

  scenario("is made again when the limit was raised before it ended", function* (stage) {
    const id = yield* stage.running({ maxAttempts: 1 }, [a])
    yield* stage.rest
    yield* stage.change(id, { maxAttempts: 2 })
    yield* stage.end(a, "busy")
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1 })
  })

  const refusing = (...how: ReadonlyArray<"invalid_number" | "blocked_number" | "rejected">) => ({
    carrier: { onPlace: (_: unknown, nth: number) => how[nth - 1] ?? ("accept" as const) }
  })

  // Verifies: D-59, D-60.
  scenario(
    "for an invalid or a blocked number is never made again",
    function* (stage) {
      const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
      yield* stage.wait(5_000)
      expect(
        (yield* stage.contacts(id)).map(({ attempts, lastError, status }) => [status, attempts, lastError])
      ).toEqual([
        ["failed", 1, "invalid_number"],
        ["failed", 1, "blocked_number"]
      ])
      expect((yield* stage.calls()).map(({ endReason, status }) => [status, endReason])).toEqual([
        ["failed", "failed"],
        ["failed", "failed"]
      ])
      expect((yield* stage.campaign(id)).status).toBe("completed")
    },
    refusing("invalid_number", "blocked_number")
  )

  // Verifies: D-62.
  scenario(
    "because the carrier refused this one call is made again",
    function* (stage) {
      const id = yield* stage.running({}, [a])
      yield* stage.rest
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "pending", attempts: 1, lastError: "provider_error" })
      yield* stage.wait(15 * 60_000)
      yield* stage.completeCall(a, 5)
      expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", attempts: 2 })
    },
    refusing("rejected")
  )

  scenario("because a person hung up counts when it rang, waits in any case, and says canceled", function* (stage) {
    const id = yield* stage.running({ paceSeconds: 5 }, [a, b])
    yield* stage.rest
    yield* stage.ring(a)
    yield* stage.hangUp(a)
    yield* stage.wait(5_000)
    yield* stage.hangUp(b)
    const at = yield* Instant.now
    expect((yield* stage.contacts(id)).map(({ attempts, lastError, status }) => [status, attempts, lastError])).toEqual(
      [
        ["pending", 1, "canceled"],
        ["pending", 0, "canceled"]
      ]
    )
    expect((yield* stage.contact(id, b)).nextAttemptAt).toBe(at + 15 * Instant.minute)
    expect((yield* stage.calls()).map(({ endReason, status }) => [status, endReason])).toEqual([
      ["canceled", "hangup_local"],
      ["canceled", "hangup_local"]
    ])
  })

  // Verifies: D-13, D-61.
  scenario("is no attempt of an answered call, which is never made again, however short it was", function* (stage) {
    const id = yield* stage.running({}, [a])
    yield* stage.rest
    yield* stage.answer(a)
    yield* stage.end(a, "failed")
    expect(yield* stage.contact(id, a)).toMatchObject({ status: "done", attempts: 1, lastError: null })
    expect(yield* stage.call(a)).toMatchObject({ status: "completed", durationSeconds: 0 })
  })
})
