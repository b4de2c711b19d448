/** When a campaign pauses because too much fails: docs/reference/template-campaigns.md#failure-rate. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { failsTooOften, failureWindow, minOutcomes } from "../../../src/messaging/template-campaigns/FailureRate.ts"
import type { TemplateContact } from "../../../src/messaging/template-campaigns/TemplateContact.ts"

type Outcome = Pick<TemplateContact, "status" | "reason">
const sent: Outcome = { status: "sent", reason: null }
const failed: Outcome = { status: "failed", reason: "rejected" }
const kept: Outcome = { status: "failed", reason: "marketing_limit" }

const outcomes = (failures: number, others: number, other = sent): ReadonlyArray<Outcome> => [
  ...Array.from({ length: failures }, () => failed),
  ...Array.from({ length: others }, () => other)
]

describe("a campaign fails too often", () => {
  const cases = [
    { failures: 19, others: 0, maxPercent: 30, tooOften: false },
    { failures: 20, others: 0, maxPercent: 30, tooOften: true },
    { failures: 6, others: 14, maxPercent: 30, tooOften: false },
    { failures: 7, others: 13, maxPercent: 30, tooOften: true },
    { failures: 30, others: 70, maxPercent: 30, tooOften: false },
    { failures: 31, others: 69, maxPercent: 30, tooOften: true },
    { failures: 1, others: 99, maxPercent: 1, tooOften: false },
    { failures: 2, others: 98, maxPercent: 1, tooOften: true },
    { failures: 100, others: 0, maxPercent: 100, tooOften: false }
  ]
  for (const { failures, maxPercent, others, tooOften } of cases) {
    it(`${tooOften ? "with" : "not with"} ${failures} failures among ${failures + others} outcomes where ${maxPercent} percent may fail`, () => {
      expect(failsTooOften(outcomes(failures, others), maxPercent)).toBe(tooOften)
    })
  }

  it("by its last 100 outcomes alone, the newest of which come first", () => {
    expect(failsTooOften([...outcomes(0, 100), ...outcomes(200, 0)], 1)).toBe(false)
    expect(failsTooOften([...outcomes(31, 69), ...outcomes(0, 200)], 30)).toBe(true)
  })

  it("where messages that the network keeps from customers count as outcomes, but not as failures", () => {
    expect(failsTooOften(outcomes(6, 14, kept), 30)).toBe(false)
    expect(failsTooOften(outcomes(7, 13, kept), 30)).toBe(true)
  })

  it("exactly where the share of failures is above the bound, whatever the numbers are", () => {
    fc.assert(
      fc.property(fc.nat(failureWindow), fc.nat(failureWindow), fc.integer({ min: 1, max: 100 }), (some, all, max) => {
        const [failures, total] = [Math.min(some, all), all]
        const isAbove = BigInt(failures) * 100n > BigInt(max) * BigInt(total)
        expect(failsTooOften(outcomes(failures, total - failures), max)).toBe(total >= minOutcomes && isAbove)
      })
    )
  })
})
