/** What becomes of requests to pay, as receivers of events see it: hosts report it of links of their own, and the product of bills in chats. Pure. */
import { event } from "../room/index.ts"
import * as EventFields from "./EventFields.ts"

const { means, known, payload, instant, text, hostId, number, orNull } = EventFields

/** One shape for all four: what was asked for, and what has been paid so far. */
const PaymentRequestData = payload("PaymentRequestEventData", {
  payment_request_id: means(hostId, "The request: a link that a customer pays by, or a bill in a chat"),
  amount: known(number, "What was asked for, in whole units of the currency: 12.5 is 12.50"),
  amount_paid: known(number, "What has been paid so far, in the same unit"),
  currency: known(text, "ISO 4217, such as `EUR`"),
  reference: known(orNull(text), "The account's own word for it, such as an order number"),
  payment_id: known(orNull(text), "The latest payment"),
  expires_at: known(orNull(instant), "Until when it can be paid"),
  url: known(orNull(text), "The link; null of a bill in a chat")
})

const request = {
  payment_request_id: "pr_5512",
  amount: 120,
  amount_paid: 0,
  currency: "EUR",
  reference: "order 1009",
  payment_id: null,
  expires_at: "2026-11-28T00:00:00.000Z",
  url: "https://pay.example.com/pr_5512"
} as const

const paymentRequestPartiallyPaid = event({
  name: "payment_request.partially_paid",
  surface: "platform",
  place: 95,
  category: "Payment requests",
  fires: "when a customer has paid a part of the requested amount",
  source: "host",
  data: PaymentRequestData,
  example: { ...request, amount_paid: 50, payment_id: "pay_7781" }
})

export const paymentRequestPaid = event({
  name: "payment_request.paid",
  surface: "platform",
  place: 100,
  category: "Payment requests",
  fires: "when a customer has paid the requested amount in full",
  source: "product",
  data: PaymentRequestData,
  example: { ...request, amount_paid: 120, payment_id: "pay_7781" }
})

export const paymentRequestExpired = event({
  name: "payment_request.expired",
  surface: "platform",
  place: 100,
  category: "Payment requests",
  fires: "when the time to pay has passed before the requested amount was paid",
  source: "product",
  data: PaymentRequestData,
  example: request
})

export const paymentRequestCancelled = event({
  name: "payment_request.cancelled",
  surface: "platform",
  place: 100,
  category: "Payment requests",
  fires: "when the account has withdrawn its request",
  source: "product",
  data: PaymentRequestData,
  example: request
})

/** The product emits these, and a host may publish them of requests of its own. */
export const paymentRequestOutcomes = [paymentRequestPaid, paymentRequestExpired, paymentRequestCancelled] as const

export const paymentRequestEvents = [paymentRequestPartiallyPaid, ...paymentRequestOutcomes] as const
