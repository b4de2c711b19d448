/** The platform's refusals, row by row. */
import { assert, describe, it } from "@effect/vitest"
import { classOf, isInDoubt, sentenceOf } from "../../src/cloud-api/PlatformCodes.ts"

describe("a refusal of the platform's", () => {
  it.each([
    // Throttling comes with the status of a plain mistake.
    [400, 4, "throttled"],
    [400, 80007, "throttled"],
    [400, 130429, "throttled"],
    [400, 131048, "throttled"],
    [400, 131056, "throttled"],
    [429, 130429, "throttled"],
    [429, null, "throttled"],
    [429, 99, "throttled"],
    [500, 131000, "unavailable"],
    [500, 131016, "unavailable"],
    [500, 131057, "unavailable"],
    [503, 2, "unavailable"],
    [503, 133004, "unavailable"],
    [400, 131000, "unavailable"],
    [500, null, "unavailable"],
    [502, null, "unavailable"],
    [500, 133000, "unavailable"],
    [400, 131047, "window_closed"],
    [500, 131047, "window_closed"],
    [401, 0, "credentials"],
    [401, 190, "credentials"],
    [400, 190, "credentials"],
    [401, null, "credentials"],
    [400, 100, "invalid_content"],
    [400, 131026, "recipient_unknown"],
    [400, 131049, "rejected"],
    [400, 131050, "opted_out"],
    [403, 10, "not_permitted"],
    [401, 200, "not_permitted"],
    [401, 299, "not_permitted"],
    [403, 368, "not_permitted"],
    [404, 132001, "invalid_content"],
    [404, null, "rejected"],
    [500, 3, "not_permitted"],
    [302, null, "rejected"]
  ] as const)("of status %i and code %s is %s", (httpStatus, code, kind) => {
    assert.strictEqual(classOf({ httpStatus, code }), kind)
  })

  it("leaves a doubt where a server in front of the platform may have said it", () => {
    const doubt = (httpStatus: number, code: number | null) => isInDoubt({ httpStatus, code })
    assert.deepStrictEqual(
      [doubt(502, null), doubt(504, null), doubt(500, 131000), doubt(400, null)],
      [true, true, false, false]
    )
  })

  it("has a sentence that says what to do, whatever its code", () => {
    const sentence = (httpStatus: number, code: number | null) => sentenceOf({ httpStatus, code })
    assert.include(sentence(400, 131047), "Send a template")
    assert.include(sentence(401, 190), "Connect the number again")
    assert.strictEqual(sentence(403, 210), sentence(403, 10))
    assert.strictEqual(sentence(429, null), sentence(400, 130429))
    assert.strictEqual(sentence(500, null), sentence(500, 131000))
    assert.strictEqual(sentence(418, 7_777_777), "The platform refused the message.")
    const all = Array.from({ length: 140_000 }, (_, code) => sentence(400, code))
    assert.deepStrictEqual(
      all.filter((one) => !/^[A-Z][^\n]+\.$/.test(one)),
      []
    )
    assert.isAbove(new Set(all).size, 25)
  })
})
