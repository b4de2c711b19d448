/** How a payment moves. Verifies: PAYM-3. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  isOpen,
  type PaymentStatus,
  paymentStatuses,
  statusAfter
} from "../../../src/messaging/payments/PaymentMoves.ts"

/** The status after each of the others, in the order of `paymentStatuses`. */
const table: Readonly<Record<PaymentStatus, string>> = {
  //          requested  pending captured failed expired cancelled
  requested: "requested pending captured failed expired cancelled",
  pending: "pending pending captured failed expired cancelled",
  captured: "captured captured captured captured captured captured",
  failed: "failed pending captured failed expired cancelled",
  expired: "expired expired captured expired expired cancelled",
  cancelled: "cancelled cancelled captured cancelled cancelled cancelled"
}

describe("a payment", () => {
  it.each(paymentStatuses)("that is %s moves as the table says", (from) => {
    expect(paymentStatuses.map((to) => statusAfter(from, to)).join(" ")).toBe(table[from])
  })

  it("can be paid until it is captured, expired or cancelled", () => {
    expect(paymentStatuses.filter(isOpen)).toEqual(["requested", "pending", "failed"])
  })

  it("is never requested again, and stays captured, whatever comes in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...paymentStatuses)), (steps) => {
        let now: PaymentStatus = "requested"
        for (const to of steps) {
          const next = statusAfter(now, to)
          if (now === "captured") expect(next).toBe("captured")
          if (now !== "requested") expect(next).not.toBe("requested")
          if (!isOpen(now)) expect(isOpen(next)).toBe(false)
          now = next
        }
        expect(now === "captured").toBe(steps.includes("captured"))
      })
    )
  })
})
