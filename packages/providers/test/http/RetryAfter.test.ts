import { assert, describe, it } from "@effect/vitest"
import { Instant } from "@trunkline/core/effect"
import { retryAfterMs, retryAfterSeconds } from "../../src/http/index.ts"

const now = Instant.make(Date.UTC(2026, 10, 1, 12))

describe("the Retry-After header", () => {
  it.each([
    ["7", 7000],
    ["0", 0],
    [" 1.2 ", 1200],
    ["Sun, 01 Nov 2026 12:00:30 GMT", 30_000],
    ["Sun, 01 Nov 2026 11:00:00 GMT", 0],
    ["2026-11-01", null],
    ["-5", null],
    ["soon", null],
    ["", null],
    [null, null]
  ])("%j is %j ms", (header, ms) => assert.strictEqual(retryAfterMs(header, now), ms))

  it("is rounded up to whole seconds, so that nobody comes back too early", () => {
    assert.strictEqual(retryAfterSeconds("1.2", now), 2)
    assert.isNull(retryAfterSeconds("soon", now))
  })
})
