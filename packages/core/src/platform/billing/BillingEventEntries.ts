/** Budgets, credit, and what hosts report of invoices and payments, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../events/index.ts"
import { event } from "../room/index.ts"

const { means, known, payload, instant, text, hostId, number, orNull, exampleId } = EventFields

const BudgetData = payload("BudgetEventData", {
  key_id: means(hostId, "The API key whose budget it is"),
  key_name: means(orNull(text), "The key's name"),
  budget: means(number, "The budget, in credits"),
  spent: means(number, "What the key has spent of it, in credits"),
  period: means(
    Schema.Literals(["total", "month"]),
    "Whether the budget is for the key's lifetime or for a month of UTC"
  ),
  period_started_at: means(orNull(instant), "When the month began; null for a lifetime")
})

const CreditsLowData = payload("CreditsLowEventData", {
  balance: means(number, "What is left, in credits"),
  threshold: means(number, "The balance below which the event is emitted, in credits")
})

const currency = known(text, "ISO 4217, such as `EUR`")

const InvoiceData = payload("InvoiceEventData", {
  invoice_id: means(hostId, "The invoice"),
  number: known(text, "The number that is printed on it"),
  amount: known(number, "What is to be paid, in whole units of the currency: 12.5 is 12.50"),
  currency,
  due_at: known(orNull(instant), "When it is due"),
  url: known(orNull(text), "Where it can be seen")
})

const paymentFields = {
  payment_id: means(hostId, "The payment"),
  invoice_id: known(orNull(text), "The invoice that it is for"),
  amount: known(number, "How much, in whole units of the currency: 12.5 is 12.50"),
  currency,
  method: known(orNull(text), "How it was made, such as `card`")
}

const PaymentData = payload("PaymentEventData", {
  ...paymentFields,
  paid_at: known(instant, "When it was made")
})

const PaymentFailedData = payload("PaymentFailedEventData", {
  ...paymentFields,
  reason: known(orNull(text), "Why it failed, as a word for programs, such as `card_declined`"),
  message: known(orNull(text), "Why it failed, as a sentence for people")
})

const budget = {
  key_id: exampleId("ce91"),
  key_name: "Support desk",
  budget: 500,
  spent: 400.25,
  period: "month",
  period_started_at: "2026-11-01T00:00:00.000Z"
} as const

const payment = {
  payment_id: "pay_7781",
  invoice_id: "inv_2026_0042",
  amount: 49.9,
  currency: "EUR",
  method: "card"
} as const

export const budgetAlert = event({
  name: "budget.alert",
  surface: "platform",
  place: 70,
  category: "Billing",
  fires: "once per budget, when the spend of a key reaches 80 % of it",
  source: "product",
  data: BudgetData,
  example: budget
})

export const budgetExceeded = event({
  name: "budget.exceeded",
  surface: "platform",
  place: 70,
  category: "Billing",
  fires: "once per budget, when the spend of a key reaches it, or a request is first refused for it",
  source: "product",
  data: BudgetData,
  example: { ...budget, spent: 500 }
})

export const creditsLow = event({
  name: "credits.low",
  surface: "platform",
  place: 70,
  category: "Billing",
  fires: "when the balance falls below 100 credits, once per fall",
  source: "product",
  data: CreditsLowData,
  example: { balance: 99.5, threshold: 100 }
})

const invoiceCreated = event({
  name: "invoice.created",
  surface: "platform",
  place: 90,
  category: "Invoices and payments",
  fires: "when the host has created an invoice",
  source: "host",
  data: InvoiceData,
  example: {
    invoice_id: payment.invoice_id,
    number: "2026-0042",
    amount: payment.amount,
    currency: payment.currency,
    due_at: "2026-12-05T00:00:00.000Z",
    url: "https://billing.example.com/inv_2026_0042"
  }
})

const paymentSucceeded = event({
  name: "payment.succeeded",
  surface: "platform",
  place: 90,
  category: "Invoices and payments",
  fires: "when a payment has succeeded",
  source: "host",
  data: PaymentData,
  example: { ...payment, paid_at: "2026-11-21T09:30:00.000Z" }
})

const paymentFailed = event({
  name: "payment.failed",
  surface: "platform",
  place: 90,
  category: "Invoices and payments",
  fires: "when a payment was refused",
  source: "host",
  data: PaymentFailedData,
  example: { ...payment, reason: "card_declined", message: "The bank has declined the card." }
})

export const billingEvents = [
  budgetAlert,
  budgetExceeded,
  creditsLow,
  invoiceCreated,
  paymentSucceeded,
  paymentFailed
] as const
