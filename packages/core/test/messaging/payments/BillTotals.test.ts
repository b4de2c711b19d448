/** What a bill comes to. Verifies: PAYM-4. */
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { billTotals, maxAmount } from "../../../src/messaging/payments/BillTotals.ts"

const nothing = { tax: null, shipping: null, discount: null }

const one = { amount: 1, quantity: 1, saleAmount: null }

describe("a bill", () => {
  it("has the sum of its items, with what is added and taken off", () => {
    const items = fc.array(
      fc.record({
        amount: fc.integer({ min: 1, max: maxAmount }),
        quantity: fc.integer({ min: 1, max: 9999 }),
        saleAmount: fc.option(fc.integer({ min: 1, max: maxAmount }))
      }),
      { minLength: 1, maxLength: 5 }
    )
    const amount = fc.option(fc.integer({ min: 1, max: maxAmount }))
    const extras = fc.record({ tax: amount, shipping: amount, discount: amount })
    fc.assert(
      fc.property(items, extras, (given, more) => {
        // Piece by piece, and not by the product's own arithmetic.
        let subtotal = 0n
        for (const { amount, quantity, saleAmount } of given)
          subtotal += BigInt(quantity) * BigInt(saleAmount ?? amount)
        const total = subtotal + BigInt(more.tax ?? 0) + BigInt(more.shipping ?? 0) - BigInt(more.discount ?? 0)
        const totals = billTotals(given, more)
        const isAmount = total >= 1n && total <= BigInt(maxAmount)
        expect(Result.isSuccess(totals)).toBe(isAmount)
        if (Result.isSuccess(totals)) expect(totals.success).toEqual({ subtotal, total })
      })
    )
  })

  it.each([
    ["a largest total", [{ ...one, amount: maxAmount }], nothing, null],
    ["one more than that", [{ ...one, amount: maxAmount }, one], nothing, "items"],
    ["a smallest total", [{ ...one, amount: 2 }], { ...nothing, discount: 1 }, null],
    ["nothing to pay", [one], { ...nothing, discount: 1 }, "discount"],
    ["less than nothing", [one], { ...nothing, discount: 2 }, "discount"],
    ["more than numbers count exactly", [{ ...one, amount: maxAmount, quantity: 9999 }], nothing, "items"]
  ])("with %s is taken or refused", (_, items, extras, fault) => {
    const totals = billTotals(items, extras)
    expect(Result.isFailure(totals) ? totals.failure.field : null).toBe(fault)
  })
})
