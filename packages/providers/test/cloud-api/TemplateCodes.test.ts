/** What the platform's codes say of a template that was sent, code by code. */
import { assert, describe, it } from "@effect/vitest"
import { type SendMeaning, sendMeanings } from "@trunkline/core/provider"
import { classOf, sentenceOf, sentenceOfReport } from "../../src/cloud-api/PlatformCodes.ts"
import { meaningOf } from "../../src/cloud-api/TemplateCodes.ts"

const table: ReadonlyArray<readonly [SendMeaning, ReadonlyArray<number>]> = [
  ["throttled", [4, 80007, 130429]],
  ["pair_rate", [131056]],
  ["passing", [2, 131000, 131016, 131057, 133004]],
  ["classification", [131064]],
  ["spam_rate", [131048]],
  ["marketing_limit", [131049]],
  ["experiment", [130472]],
  ["opted_out", [131050]],
  ["undeliverable", [131021, 131026, 131030, 131062]],
  ["country", [130497]],
  ["invalid_content", [100, 131008, 131009, 131051, 131052, 131053]],
  ["invalid_content", [132000, 132005, 132007, 132008, 132012, 132018, 135000]],
  ["template_missing", [132001]],
  ["template_paused", [132015]],
  ["template_disabled", [132016]],
  ["flow_blocked", [132068, 132069]],
  ["marketing_not_permitted", [131063]],
  ["credentials", [0, 3, 10, 190, ...Array.from({ length: 100 }, (_, i) => 200 + i)]],
  ["payment", [131042]],
  ["account_restricted", [33, 368, 131005, 131031, 131037, 131045, 133010]]
]

const known = table.flatMap(([meaning, codes]) => codes.map((code) => [code, meaning] as const))

describe("a code of the platform's", () => {
  it.each(known)("%i says %s", (code, meaning) => {
    assert.strictEqual(meaningOf(code), meaning)
  })

  it("that is in no row says that the message was refused", () => {
    const rows = new Set(known.map(([code]) => code))
    const others = Array.from({ length: 140_000 }, (_, code) => code).filter((code) => !rows.has(code))
    const odd = [-1, 1.5, 2 ** 40, Number.NaN]
    assert.deepStrictEqual([...new Set([...others, ...odd].map(meaningOf))], ["rejected"])
    assert.deepStrictEqual(
      [...new Set(["rejected", ...known.map(([, meaning]) => meaning)])].sort(),
      [...sendMeanings].sort()
    )
  })

  it("that says something has a sentence of our own, in an answer and in a report", () => {
    for (const [code] of known) {
      const sentence = sentenceOf({ httpStatus: 400, code })
      assert.notStrictEqual(sentence, "The platform refused the message.", String(code))
      if (code < 200 || code > 299) assert.strictEqual(sentenceOfReport(code), sentence)
    }
  })

  it.each([
    [131030, "recipient_unknown"],
    [131062, "recipient_unknown"],
    [131063, "not_permitted"],
    [131064, "not_permitted"],
    [132008, "invalid_content"],
    [132018, "invalid_content"]
  ] as const)("%i refuses a message as %s", (code, refusal) => {
    assert.strictEqual(classOf({ httpStatus: 400, code }), refusal)
  })
})
