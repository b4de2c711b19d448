/** What a customer has ordered, as the message says it. Pure. Source: docs/reference/catalog.md#orders. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { isObject, Wire } from "../../platform/kernel/index.ts"
import type { JsonObject } from "./JsonObject.ts"

/** One product of an order. What the message does not say is null. */
export interface OrderItem {
  /** The account's own id of the product. */
  readonly retailerId: string | null
  readonly quantity: number | null
  /** Of one piece: a decimal as text. */
  readonly price: string | null
  readonly currency: string | null
}

export interface Order {
  /** The platform's id of the catalog. */
  readonly catalogId: string | null
  /** What the customer has written with it. */
  readonly text: string | null
  readonly items: ReadonlyArray<OrderItem>
  /** A decimal as text; null where the items differ in currency, or one has no price or quantity. */
  readonly total: string | null
  /** Null where the items differ in it. */
  readonly currency: string | null
}

const { means } = EventFields
const given = Schema.NullOr(Schema.String)

/** An order under the names of the wire. */
export const OrderBody = Schema.Struct({
  catalog_id: means(given, "The chat platform's id of the catalog that the products are of"),
  text: means(given, "What the customer has written with the order"),
  items: Schema.Array(
    Schema.Struct({
      retailer_id: means(given, "The account's own id of the product"),
      quantity: means(Schema.NullOr(Schema.Int), "Number of pieces"),
      price: means(given, "Price of one piece, as a decimal text"),
      currency: means(given, "Currency of the price, as three letters")
    })
  ).annotate({ description: "The products that were ordered; what the message does not say of one is null" }),
  total: means(given, "Sum of the items as a decimal text; null where it is not known, or they differ in currency"),
  currency: means(given, "Currency of the total, as three letters; null where items differ in it")
})

export const orderBody = (order: Order | null): typeof OrderBody.Type | null =>
  order === null ? null : { ...Wire.toWire(order), items: order.items.map(Wire.toWire) }

interface Decimal {
  readonly digits: bigint
  /** How many of the digits stand behind the point. */
  readonly scale: number
}

/** No price has more; a number of the platform's that has more was changed when it was read. */
const maxDigits = 15

/** Longer than any price, and short enough to be looked at by an expression. */
const maxLength = 32

/** A decimal, however it is written; null for everything else, and for what cannot be exact. */
const decimalOf = (value: unknown): Decimal | null => {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : ""
  const found = text.length > maxLength ? null : /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (found === null) return null
  const [, whole = "", part = ""] = found
  const fraction = part.replace(/0+$/, "")
  return `${whole}${fraction}`.replace(/^0+/, "").length > maxDigits
    ? null
    : { digits: BigInt(whole + fraction), scale: fraction.length }
}

const decimalText = ({ digits, scale }: Decimal): string => {
  const text = String(digits).padStart(scale + 1, "0")
  const fraction = text.slice(text.length - scale).replace(/0+$/, "")
  const whole = text.slice(0, text.length - scale)
  return scale === 0 || fraction === "" ? whole : `${whole}.${fraction}`
}

/** The sum of decimals, each times a whole number. */
const sumOf = (parts: ReadonlyArray<{ readonly price: Decimal; readonly quantity: number }>): Decimal => {
  const scale = Math.max(0, ...parts.map(({ price }) => price.scale))
  const digits = parts.reduce(
    (sum, { price, quantity }) => sum + price.digits * 10n ** BigInt(scale - price.scale) * BigInt(quantity),
    0n
  )
  return { digits, scale }
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : Number.isSafeInteger(value) ? String(value) : null

const quantityOf = (value: unknown): number | null => {
  const quantity = typeof value === "number" ? value : /^\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN
  return Number.isSafeInteger(quantity) && quantity >= 0 ? quantity : null
}

const itemOf = ({ currency, item_price, product_retailer_id, quantity }: JsonObject) => {
  const price = decimalOf(item_price)
  return { retailerId: textOf(product_retailer_id), quantity: quantityOf(quantity), price, currency: textOf(currency) }
}
type Item = ReturnType<typeof itemOf>

const isPriced = (item: Item): item is Item & { readonly price: Decimal; readonly quantity: number } =>
  item.price !== null && item.quantity !== null

/** What of a message says whether it is an order. */
interface Ordering {
  readonly direction: "inbound" | "outbound"
  readonly type: string
  readonly body: JsonObject
}

/** The order that a message is; null of every other message. */
export const orderOf = ({ body, direction, type }: Ordering): Order | null => {
  if (direction !== "inbound" || type !== "order" || !Array.isArray(body.product_items)) return null
  const items = body.product_items.filter(isObject).map(itemOf)
  const priced = items.filter(isPriced)
  const [currency = null, ...others] = [...new Set(items.map((item) => item.currency))]
  const isOne = items.length > 0 && others.length === 0
  return {
    catalogId: textOf(body.catalog_id),
    text: textOf(body.text),
    items: items.map((item) => ({
      retailerId: item.retailerId,
      quantity: item.quantity,
      price: item.price === null ? null : decimalText(item.price),
      currency: item.currency
    })),
    total: isOne && currency !== null && priced.length === items.length ? decimalText(sumOf(priced)) : null,
    currency: isOne ? currency : null
  }
}
