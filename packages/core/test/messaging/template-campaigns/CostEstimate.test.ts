/** What the messages of a campaign are likely to cost: docs/reference/template-campaigns.md#cost. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  costBegun,
  costResult,
  costWith,
  type MessageRate,
  type PricedPerson,
  rateFaults
} from "../../../src/messaging/template-campaigns/CostEstimate.ts"

const rate = (prefix: string, marketing: string, utility = "0.0014"): MessageRate => ({
  prefix,
  marketing,
  utility,
  authentication: "0.5"
})
const rates = [rate("91", "0.0118"), rate("1", "0.025"), rate("1415", "0.03"), rate("", "0.06")]
const to = (digits: string | null, isFree = false): PricedPerson => ({ digits, isFree })
/** What messages to all of these people are likely to cost. */
const estimate = ({
  people,
  ...given
}: Parameters<typeof costBegun>[0] & { readonly people: ReadonlyArray<PricedPerson> }) =>
  costResult(costWith(costBegun(given), people))

const given = { category: "MARKETING", rates, currency: "USD" }

describe("the estimate of a campaign's cost", () => {
  it("is the rate of the longest prefix of each number, and that of the empty prefix for all others", () => {
    const people = [
      to("919876543210"),
      to("919876543211"),
      to("14155550123"),
      to("12125550123"),
      to("4930123"),
      to(null)
    ]
    expect(estimate({ ...given, people })).toEqual({
      category: "MARKETING",
      messages: 6,
      free: 0,
      currency: "USD",
      cost: "0.198600",
      byPrefix: [
        { prefix: "1415", messages: 1, rate: "0.03", cost: "0.030000" },
        { prefix: "1", messages: 1, rate: "0.025", cost: "0.025000" },
        { prefix: "91", messages: 2, rate: "0.0118", cost: "0.023600" },
        { prefix: "", messages: 2, rate: "0.06", cost: "0.120000" }
      ]
    })
  })

  const byCategory = [
    { category: "MARKETING", cost: "0.011800" },
    { category: "UTILITY", cost: "0.001400" },
    { category: "AUTHENTICATION", cost: "0.500000" },
    { category: "utility", cost: "0.001400" },
    { category: "SERVICE", cost: null },
    { category: null, cost: null }
  ]
  for (const { category, cost } of byCategory) {
    it(`of a message of ${category ?? "an unknown category"} is ${cost ?? "unknown"}`, () => {
      expect(estimate({ ...given, category, people: [to("919876543210")] })).toMatchObject({ category, cost })
    })
  }

  it("leaves out messages that are free, and needs no rate for them", () => {
    const people = [to("919876543210"), to("919876543211", true)]
    expect(estimate({ ...given, people })).toMatchObject({
      messages: 2,
      free: 1,
      cost: "0.011800",
      byPrefix: [{ prefix: "91", messages: 1 }]
    })
    expect(estimate({ ...given, rates: [], people: [to("1", true)] })).toMatchObject({ cost: "0.000000", byPrefix: [] })
  })

  it("is unknown where there is somebody whom no rate is for, though the others' is known", () => {
    const people = [to("919876543210"), to("4930123")]
    expect(estimate({ ...given, rates: rates.slice(0, 3), people })).toMatchObject({
      messages: 2,
      cost: null,
      byPrefix: [{ prefix: "91", cost: "0.011800" }]
    })
    expect(estimate({ ...given, rates: rates.slice(0, 3), people: [to(null)] }).cost).toBeNull()
  })

  it("is exact where a float is not", () => {
    const people = Array.from({ length: 3 }, () => to("2"))
    const cost = (text: string) => estimate({ ...given, rates: [rate("", text)], people }).cost
    expect(cost("0.1")).toBe("0.300000")
    expect(cost("999999999.999999")).toBe("2999999999.999997")
    expect(cost("0.000001")).toBe("0.000003")
  })

  const digits = fc.oneof(fc.stringMatching(/^(91|1|1415|49)\d{0,8}$/), fc.constant(null))
  const people = fc.array(fc.record({ digits, isFree: fc.boolean() }), { maxLength: 60 })
  const someRates = fc.subarray(rates)

  it("is the same whether people are added at once or a part at a time", () => {
    fc.assert(
      fc.property(fc.array(people, { maxLength: 5 }), someRates, (parts, known) => {
        const begun = costBegun({ ...given, rates: known })
        expect(costResult(parts.reduce(costWith, begun))).toEqual(
          estimate({ ...given, rates: known, people: parts.flat() })
        )
        expect(begun).toEqual(costBegun({ ...given, rates: known }))
      })
    )
  })

  it("has the sum of its parts, each of which is its rate times its messages, and everybody once", () => {
    const inMillionths = (text: string) => BigInt(text.replace(".", ""))
    fc.assert(
      fc.property(people, someRates, (all, known) => {
        const { byPrefix, cost, free, messages } = estimate({ ...given, rates: known, people: all })
        const inParts = byPrefix.reduce((sum, part) => sum + part.messages, 0)
        expect(messages).toBe(all.length)
        expect(inParts === messages - free).toBe(cost !== null)
        const sum = byPrefix.reduce((total, part) => total + inMillionths(part.cost), 0n)
        expect(cost === null || inMillionths(cost) === sum).toBe(true)
        for (const part of byPrefix) {
          const each = BigInt(Math.round(Number(part.rate) * 1_000_000))
          expect(inMillionths(part.cost)).toBe(each * BigInt(part.messages))
        }
      })
    )
  })

  it("of 100,000 people is made a thousand at a time", () => {
    const batch = Array.from({ length: 1000 }, (_, n) => to(`9198765${n}`))
    let count = costBegun(given)
    for (let n = 0; n < 100; n++) count = costWith(count, batch)
    expect(costResult(count)).toMatchObject({ messages: 100_000, cost: "1180.000000" })
  })
})

describe("rates", () => {
  it("are right with digits and decimal texts, or where there are none", () => {
    expect(rateFaults(rates)).toEqual([])
    expect(rateFaults([])).toEqual([])
    expect(rateFaults([rate("123456789012345", "999999999.999999"), rate("2", "0")])).toEqual([])
  })

  for (const prefix of ["+91", "9 1", "x", "1234567890123456", "٩"]) {
    it(`are refused with the prefix ${JSON.stringify(prefix)}`, () => {
      expect(rateFaults([rates[0]!, rate(prefix, "1")])).toMatchObject([{ path: [1, "prefix"] }])
    })
  }

  for (const text of ["", "1.", ".5", "-1", "1e3", "0.0000001", "1,5", "1234567890", " 1", "NaN"]) {
    it(`are refused with ${JSON.stringify(text)} as a price`, () => {
      expect(rateFaults([rate("91", text)])).toMatchObject([{ path: [0, "marketing"] }])
    })
  }

  it("are refused where two have one prefix, at the second", () => {
    expect(rateFaults([rate("91", "1"), rate("1", "1"), rate("91", "2")])).toMatchObject([{ path: [2, "prefix"] }])
  })
})
