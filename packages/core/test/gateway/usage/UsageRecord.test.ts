/** Credits of a row as US dollars: docs/reference/metering.md#usd. */
import { describe, expect, it } from "vitest"
import { usdOf } from "../../../src/gateway/usage/UsageRecord.ts"

describe("the cost of a row in dollars", () => {
  // Verifies: G-26.
  it("is the published price, for whole hours", () => {
    expect(usdOf(50_880_000_000n, 96)).toBe(0.53)
    expect(usdOf(0n, 96)).toBe(0)
  })

  it("is the nearest number for any amount", () => {
    expect(usdOf(1n, 96)).toBe(1 / 96e9)
    expect(usdOf(123_456_789_012_345_678_901n, 96)).toBe(1_286_008_218.8786008)
  })
})
