/** Credits as integers: docs/reference/credits.md#arithmetic, docs/reference/credits.md#price. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Money from "../../../src/platform/billing/Money.ts"

const credit = 1_000_000_000n

describe("an amount of credits", () => {
  it.each<[string, bigint]>([
    ["1", credit],
    ["0", 0n],
    ["0.000000001", 1n],
    ["12.5", 12_500_000_000n],
    ["007.10", 7_100_000_000n],
    [" 3 ", 3n * credit],
    ["999999999.999999999", 999_999_999_999_999_999n]
  ])("%s is read digit by digit", (text, nano) => {
    expect(Money.parseCredits(text)).toBe(nano)
  })

  it.each(["", ".5", "1.", "-1", "+1", "1e3", "0x1", "1,5", "1_000", "1.0000000001", "1000000000", "NaN", "１"])(
    "%j is none",
    (text) => {
      expect(Money.parseCredits(text)).toBeUndefined()
    }
  )

  it("is written without trailing zeros, below zero too", () => {
    expect(Money.formatCredits(12_500_000_000n)).toBe("12.5")
    expect(Money.formatCredits(0n)).toBe("0")
    expect(Money.formatCredits(1n)).toBe("0.000000001")
    expect(Money.formatCredits(-1_050_000_000n)).toBe("-1.05")
    expect(Money.formatCredits(-1n)).toBe("-0.000000001")
  })

  it("comes back from its text exactly", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n }), (nano) => {
        expect(Money.parseCredits(Money.formatCredits(nano))).toBe(nano)
      })
    )
  })

  it("is a JSON number on the wire", () => {
    expect(Money.toNumber(1_500_000_000n)).toBe(1.5)
    expect(Money.toNumber(100_000_000n)).toBe(0.1)
    expect(Money.toNumber(-2n * credit)).toBe(-2)
  })

  it("may be configured as a number, and keeps the digits that were written", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1000 }), fc.nat({ max: 999_999 }), (whole, millionths) => {
        const written = Number(`${whole}.${String(millionths).padStart(6, "0")}`)
        expect(Money.fromConfigured(written)).toBe(BigInt(whole) * credit + BigInt(millionths) * 1000n)
      })
    )
    expect(Money.fromConfigured(0)).toBe(0n)
    expect(Money.fromConfigured(0.1 + 0.2)).toBe(300_000_000n)
  })
})

describe("what a call costs", () => {
  it.each<[number, bigint]>([
    [0, 1n],
    [1, 1n],
    [59, 1n],
    [60, 1n],
    [61, 2n],
    [120, 2n],
    [121, 3n],
    [14_400, 240n]
    // Verifies: D-112.
  ])("%s seconds are %s started minutes", (seconds, minutes) => {
    expect(Money.startedMinutes(seconds)).toBe(minutes)
    expect(Money.callPrice(250_000_000n, seconds)).toBe(minutes * 250_000_000n)
  })

  it("is never less than what was talked, and never a minute more", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.bigInt({ min: 0n, max: 10n * credit }),
        (seconds, perMinute) => {
          const price = Money.callPrice(perMinute, seconds) * 60n
          expect(price >= perMinute * BigInt(seconds)).toBe(true)
          expect(price < perMinute * BigInt(seconds + 60)).toBe(perMinute > 0n)
        }
      )
    )
  })
})
