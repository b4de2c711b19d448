/** What a bill comes to. Pure. Source: docs/reference/payments.md#bill. */
import * as Result from "effect/Result"
import type { BillItem } from "../channels/index.ts"

/** The largest amount, in the smallest unit: 500,000 rupees. */
export const maxAmount = 50_000_000

/** What is added to the items, and what is taken off; null for nothing. */
export interface BillExtras {
  readonly tax: number | null
  readonly shipping: number | null
  readonly discount: number | null
}

export interface BillTotals {
  readonly subtotal: bigint
  readonly total: bigint
}

export interface BillFault {
  readonly field: string
  readonly message: string
}

const extra = (amount: number | null): bigint => BigInt(amount ?? 0)

/** The sum of the items, and with what is added and taken off. Fails where that is no amount that can be asked for. */
export const billTotals = (
  items: ReadonlyArray<Pick<BillItem, "amount" | "quantity" | "saleAmount">>,
  { discount, shipping, tax }: BillExtras
): Result.Result<BillTotals, BillFault> => {
  const subtotal = items.reduce(
    (sum, { amount, quantity, saleAmount }) => sum + BigInt(saleAmount ?? amount) * BigInt(quantity),
    0n
  )
  const total = subtotal + extra(tax) + extra(shipping) - extra(discount)
  if (total < 1n)
    return Result.fail({ field: "discount", message: `The bill comes to ${total}: nothing is to be paid` })
  return total > BigInt(maxAmount)
    ? Result.fail({ field: "items", message: `The bill comes to ${total}, and may come to ${maxAmount} at most` })
    : Result.succeed({ subtotal, total })
}
