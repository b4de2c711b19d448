/** What a customer has ordered. Verifies: COMM-2. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { orderOf } from "../../../src/messaging/messages/CustomerOrder.ts"

const order = (items: ReadonlyArray<readonly [price: unknown, quantity: unknown, currency?: string]>) =>
  orderOf({
    direction: "inbound",
    type: "order",
    body: {
      catalog_id: "1",
      product_items: items.map(([item_price, quantity, currency = "INR"]) => ({ item_price, quantity, currency }))
    }
  })

describe("an order", () => {
  it("has the sum that the decimals have, and not that of binary numbers", () => {
    expect(
      order([
        [0.1, 1],
        [0.2, 1]
      ])?.total
    ).toBe("0.3")
    expect(order([["1.10", 3]])).toMatchObject({ items: [{ price: "1.1" }], total: "3.3" })
    expect(order([[1.005, 1000]])?.total).toBe("1005")
    expect(order([[0, 5]])?.total).toBe("0")
  })

  it("has the exact sum of any prices", () => {
    const cents = fc.integer({ min: 0, max: 5_000_000 })
    const items = fc.array(fc.tuple(cents, fc.integer({ min: 0, max: 9999 })), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(items, (given) => {
        const sum = given.reduce((all, [price, quantity]) => all + BigInt(price) * BigInt(quantity), 0n)
        const total = order(given.map(([price, quantity]) => [price / 100, quantity]))?.total ?? ""
        const [whole = "", fraction = ""] = total.split(".")
        expect(BigInt(whole + fraction.padEnd(2, "0"))).toBe(sum)
      })
    )
  })

  it.each([["cheap"], [1e21], [-1], ["1e3"], ["1234567890123456.5"], [null], [Number.NaN]])(
    "has no price %s, and then no total",
    (price) => {
      expect(order([[price, 1]])).toMatchObject({ items: [{ price: null }], total: null })
    }
  )

  it.each([[-1], [1.5], ["two"], [null], ["9999999999999999"]])("has no quantity %s, and then no total", (quantity) => {
    expect(order([[1, quantity]])).toMatchObject({ items: [{ quantity: null }], total: null })
  })

  it("is no other message, and none of the account's own", () => {
    const body = { product_items: [] }
    expect(orderOf({ direction: "inbound", type: "order", body })).toMatchObject({ items: [], total: null })
    expect(orderOf({ direction: "outbound", type: "order", body })).toBeNull()
    expect(orderOf({ direction: "inbound", type: "text", body })).toBeNull()
    expect(orderOf({ direction: "inbound", type: "order", body: {} })).toBeNull()
  })
})
