/** The platform's refusals, row by row. */
import { assert, describe, it } from "@effect/vitest"
import { PlatformCodes } from "@trunkline/core/effect"

const { isInDoubt, kindOf, sentenceOf } = PlatformCodes

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
    [500, 131000, "passing"],
    [500, 131016, "passing"],
    [500, 131057, "passing"],
    [503, 2, "passing"],
    [503, 133004, "passing"],
    [400, 131000, "passing"],
    [500, null, "passing"],
    [502, null, "passing"],
    [500, 133000, "passing"],
    [400, 131047, "window"],
    [500, 131047, "window"],
    [401, 0, "token"],
    [401, 190, "token"],
    [400, 190, "token"],
    [401, null, "token"],
    [400, 100, "final"],
    [400, 131026, "final"],
    [400, 131049, "final"],
    [400, 131050, "final"],
    [403, 10, "final"],
    [401, 200, "final"],
    [401, 299, "final"],
    [403, 368, "final"],
    [404, 132001, "final"],
    [404, null, "final"],
    [500, 3, "final"],
    [302, null, "final"]
  ] as const)("of status %i and code %s is %s", (httpStatus, code, kind) => {
    assert.strictEqual(kindOf({ httpStatus, code }), kind)
  })

  it("leaves a doubt where a server in front of the platform may have said it", () => {
    const doubt = (httpStatus: number, code: number | null) => isInDoubt({ httpStatus, code })
    assert.deepStrictEqual(
      [doubt(502, null), doubt(504, null), doubt(500, 131000), doubt(400, null)],
      [true, true, false, false]
    )
  })

  it("is told in a sentence that says what to do, whatever it is", () => {
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
