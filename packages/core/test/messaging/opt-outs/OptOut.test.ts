/** Who an entry is about, and what it keeps from them: docs/reference/opt-outs.md#matching. Verifies: OPT-2. */
import { assert, describe, it } from "@effect/vitest"
import { isAbout, keepsFrom, keysOf } from "../../../src/messaging/opt-outs/OptOut.ts"

const keys = (phone: string | null, userId: string | null = null) => keysOf({ phone, userId })!
const entry = (phone: string | null, userId: string | null = null) => ({ matchKey: keys(phone, userId).key, userId })

describe("an entry", () => {
  it("is about everybody with its number, however that is written", () => {
    for (const phone of ["+1 415 555 0123", "4155550123", "001-415-555-0123"]) {
      assert.isTrue(isAbout(entry("+14155550123"), keys(phone)), phone)
    }
    assert.isFalse(isAbout(entry("+14155550123"), keys("+14155550124")))
  })

  it("is about the person with its id, and by either where both are known", () => {
    assert.isTrue(isAbout(entry(null, "US.1"), keys(null, "US.1")))
    assert.isFalse(isAbout(entry(null, "US.1"), keys("+14155550123", "US.2")))
    assert.isTrue(isAbout(entry("+14155550123"), keys("+14155550123", "US.2")))
    assert.isTrue(isAbout(entry("+14155550199", "US.1"), keys("+14155550123", "US.1")))
  })

  it("needs a number that can be dialed, or an id", () => {
    assert.isNull(keysOf({ phone: "12", userId: null }))
    assert.isNull(keysOf({ phone: null, userId: null }))
    assert.deepStrictEqual(keysOf({ phone: "12", userId: "US.1" }), { key: null, userId: "US.1" })
  })

  const cases = [
    { scope: "all", phoneNumberId: null, category: "MARKETING", keeps: true },
    { scope: "all", phoneNumberId: null, category: "UTILITY", keeps: true },
    { scope: "all", phoneNumberId: "1", category: null, keeps: true },
    { scope: "all", phoneNumberId: "2", category: "MARKETING", keeps: false },
    { scope: "marketing", phoneNumberId: null, category: "MARKETING", keeps: true },
    { scope: "marketing", phoneNumberId: "1", category: "MARKETING", keeps: true },
    { scope: "marketing", phoneNumberId: null, category: "UTILITY", keeps: false },
    { scope: "marketing", phoneNumberId: null, category: null, keeps: false }
  ] as const
  for (const { category, keeps, phoneNumberId, scope } of cases) {
    const of = phoneNumberId === null ? "every number" : `number ${phoneNumberId}`
    it(`of the scope ${scope} for ${of} ${keeps ? "keeps" : "does not keep"} ${category ?? "an unknown category"} on number 1`, () => {
      assert.strictEqual(keepsFrom({ scope, phoneNumberId }, { phoneNumberId: "1", category }), keeps)
    })
  }
})
