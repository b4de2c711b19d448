/** Bills and what follows them, in the platform's words, which are those of the public API. Pure. Source: docs/reference/payments.md#bill. */
import { type Bill, Instant, type JsonObject, type OrderUpdate } from "@trunkline/core/provider"

/** Amounts are whole numbers of a hundredth. */
const offset = 100

const money = (value: number): JsonObject => ({ value, offset })

const added = (name: string, value: number | null): JsonObject => (value === null ? {} : { [name]: money(value) })

const textBelow = (name: string, text: string | null): JsonObject => (text === null ? {} : { [name]: { text } })

/** What customers read where the bill can be paid no more: the platform needs a text. */
const expired = "This bill has expired."

const expirationOf = ({ expiresAt }: Bill): JsonObject =>
  expiresAt === null
    ? {}
    : { expiration: { timestamp: String(Math.floor(expiresAt / Instant.second)), description: expired } }

export const billOf = (bill: Bill): JsonObject => ({
  type: "order_details",
  ...(bill.headerImage === null ? {} : { header: { type: "image", image: { link: bill.headerImage } } }),
  body: { text: bill.body },
  ...textBelow("footer", bill.footer),
  action: {
    name: "review_and_pay",
    parameters: {
      reference_id: bill.referenceId,
      type: bill.kind === "digital" ? "digital-goods" : "physical-goods",
      currency: bill.currency,
      payment_settings: [
        {
          type: "payment_gateway",
          payment_gateway: { type: bill.configuration.provider, configuration_name: bill.configuration.name }
        }
      ],
      total_amount: money(bill.total),
      order: {
        status: "pending",
        items: bill.items.map(({ amount, name, quantity, retailerId, saleAmount }) => ({
          retailer_id: retailerId,
          name,
          amount: money(amount),
          quantity,
          ...added("sale_amount", saleAmount)
        })),
        subtotal: money(bill.subtotal),
        // The platform wants it also where there is none.
        tax: money(bill.tax ?? 0),
        ...added("shipping", bill.shipping),
        ...added("discount", bill.discount),
        ...expirationOf(bill)
      }
    }
  }
})

export const updateOf = ({ body, description, referenceId, status }: OrderUpdate): JsonObject => ({
  type: "order_status",
  body: { text: body },
  action: {
    name: "review_order",
    parameters: {
      reference_id: referenceId,
      order: { status, ...(description === null ? {} : { description }) }
    }
  }
})
