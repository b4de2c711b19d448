/** Verifies: TWIL-2. */

import { assert, describe, it } from "@effect/vitest"
import { Instant } from "@trunkline/core/effect"
import * as fc from "fast-check"
import { failureOf, refusal } from "../../src/twilio/TwilioErrors.ts"

const now = Instant.make(Date.UTC(2026, 10, 21, 10, 0, 0))
const answer = (status: number, body: unknown, retryAfter: string | null = null) =>
  refusal({ status, body: typeof body === "string" ? body : JSON.stringify(body), retryAfter }, now)
const reason = (status: number, body: unknown) => {
  const found = answer(status, body)
  return found._tag === "CallRefused" ? found.reason : found._tag
}

describe("a call that was not accepted", () => {
  it.each([
    [400, 21211, "invalid_number"],
    [400, 21214, "invalid_number"],
    [400, 21217, "invalid_number"],
    [400, 13224, "invalid_number"],
    [400, 13226, "invalid_number"],
    [400, 21216, "blocked_number"],
    [401, 20003, "configuration"],
    [403, 20003, "configuration"],
    [400, 21205, "configuration"],
    [400, 21210, "configuration"],
    [400, 21212, "configuration"],
    [400, 21213, "configuration"],
    [400, 21215, "configuration"],
    [400, 13214, "configuration"],
    [404, 20404, "configuration"],
    [429, 20429, "throttled"],
    [400, 22005, "throttled"],
    [400, 10004, "throttled"],
    [429, 21211, "throttled"],
    [400, 21999, "rejected"],
    [422, 99999, "rejected"],
    [401, 99999, "configuration"]
  ])("with status %i and code %i means %s", (status, code, expected) => {
    assert.strictEqual(reason(status, { code, message: "words" }), expected)
  })

  it.each([
    [400, "rejected"],
    [401, "configuration"],
    [402, "rejected"],
    [403, "configuration"],
    [404, "configuration"],
    [429, "throttled"]
  ])("with status %i and no code means %s", (status, expected) => {
    assert.strictEqual(reason(status, "<html>"), expected)
  })

  it.each([0, 199, 301, 307, 408, 500, 502, 503, 504, 599])(
    "is not proven by status %i, whatever it says",
    (status) => {
      assert.strictEqual(reason(status, { code: 21211, message: "invalid" }), "CarrierSilent")
    }
  )

  it("may be placed again after the time that the provider asks for", () => {
    const retryAfter = (header: string | null, status = 429) => {
      const found = answer(status, {}, header)
      return found._tag === "CallRefused" ? found.retryAfterMs : undefined
    }
    assert.strictEqual(retryAfter("7"), 7000)
    assert.strictEqual(retryAfter("Sat, 21 Nov 2026 10:00:30 GMT"), 30_000)
    assert.strictEqual(retryAfter("Sat, 21 Nov 2026 09:00:30 GMT"), 0)
    assert.isNull(retryAfter("soon"))
    assert.isNull(retryAfter(null))
    assert.isNull(retryAfter("7", 400))
  })

  it("is explained to the operator in one short line", () => {
    assert.strictEqual(
      answer(400, { code: 21210, message: "source" }).detail,
      "the caller number is not a verified number of the account (error 21210)"
    )
    assert.strictEqual(
      answer(400, { code: 21999, message: "line one\n\u0000line two" }).detail,
      "line one line two (error 21999)"
    )
    assert.strictEqual(answer(400, "").detail, "no reason given (status 400)")
    assert.isBelow(answer(400, { code: 1, message: "x".repeat(100_000) }).detail.length, 250)
  })

  it("is understood whatever the body is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        assert.include(["CallRefused", "CarrierSilent"], answer(status, body)._tag)
      })
    )
  })
})

describe("why a call failed that had been accepted", () => {
  it.each([
    [13224, null, "invalid_number"],
    [21216, null, "blocked_number"],
    [null, 404, "invalid_number"],
    [null, 484, "invalid_number"],
    [null, 604, "invalid_number"],
    [null, 503, "provider_error"],
    [null, 603, "provider_error"],
    [20003, null, "provider_error"],
    [31005, 487, "provider_error"],
    [null, null, "provider_error"]
  ])("code %s and SIP %s: %s", (code, sip, expected) => {
    assert.strictEqual(failureOf(code, sip), expected)
  })
})
