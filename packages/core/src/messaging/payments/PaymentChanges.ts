/** What reports, look-ups, the clock and the account make of a payment. Pure. Source: docs/reference/payments.md#status. */
import { Instant } from "../../platform/kernel/index.ts"
import type { OrderStatus } from "../channels/index.ts"
import type { InboundPayment, PaymentFacts, PaymentTransaction } from "../messages/index.ts"
import { type Payment, type ShownTransaction, shownTransaction } from "./Payment.ts"
import { isOpen, type PaymentStatus, statusAfter } from "./PaymentMoves.ts"

/** When the network is asked after it has reported that the money has come. */
const lookUpsAfter = [0, 5 * Instant.second, 30 * Instant.second, 2 * Instant.minute, 10 * Instant.minute] as const

/** More attempts to pay one bill than anybody makes; the latest are kept. */
const maxTransactions = 50

/** What is announced of a payment. */
export type PaymentNews = "paid" | "expired" | "cancelled"

export interface ChangedPayment {
  readonly payment: Payment
  readonly news: PaymentNews | null
}

/** What a worker does next, and when: null for nothing. */
const dueAtOf = ({ expiresAt, lookUpAt, status }: Payment): Instant.Instant | null => {
  const ends = isOpen(status) ? expiresAt : null
  return ends === null || lookUpAt === null ? (ends ?? lookUpAt) : Instant.earlier(ends, lookUpAt)
}

const changed = (before: Payment, change: Partial<Payment>, at: Instant.Instant): Payment => {
  const payment = { ...before, ...change, updatedAt: at }
  return { ...payment, dueAt: dueAtOf(payment) }
}

const newsOf = (before: PaymentStatus, after: PaymentStatus): PaymentNews | null => {
  if (before === after) return null
  if (after === "captured") return "paid"
  return after === "expired" || after === "cancelled" ? after : null
}

/** What is known of each attempt: what is said later counts. */
const merged = (
  known: ReadonlyArray<ShownTransaction>,
  reported: ReadonlyArray<PaymentTransaction>
): ReadonlyArray<ShownTransaction> => {
  const byId = new Map([...known, ...reported.map(shownTransaction)].map((one) => [one.id, one]))
  return [...byId.values()].slice(-maxTransactions)
}

/** A bill as it is before it is sent. */
export const newPayment = (
  given: Pick<
    Payment,
    | "id"
    | "tenantId"
    | "phoneNumberId"
    | "referenceId"
    | "configuration"
    | "phone"
    | "userId"
    | "amount"
    | "currency"
    | "messageId"
    | "conversationId"
    | "expiresAt"
  >,
  at: Instant.Instant
): Payment =>
  changed(
    {
      ...given,
      status: "requested",
      msgid: null,
      transactions: [],
      orderStatus: null,
      lookUpAt: null,
      lookUps: 0,
      dueAt: null,
      createdAt: at,
      updatedAt: at
    },
    {},
    at
  )

/** After a report. Money that has come, by the report alone, is to be confirmed first. */
export const afterReport = (before: Payment, report: InboundPayment, at: Instant.Instant): Payment => {
  const transactions = merged(before.transactions, report.transactions)
  if (report.status === null || before.status === "captured") return changed(before, { transactions }, at)
  if (report.status !== "captured") {
    return changed(before, { transactions, status: statusAfter(before.status, report.status) }, at)
  }
  const status = statusAfter(before.status, "pending")
  return changed(before, { transactions, status, lookUpAt: Instant.plus(at, lookUpsAfter[0]), lookUps: 0 }, at)
}

/** Why what the network says is not about this bill; null where it is. */
const mismatchOf = (payment: Payment, { amount, currency, referenceId }: PaymentFacts): string | null => {
  if (referenceId !== payment.referenceId) return "another reference"
  if (amount === null || BigInt(amount) !== payment.amount) return "another amount"
  return currency !== payment.currency ? "another currency" : null
}

/** The next look-up of those that follow a report; null after the last one, and where none was due. */
const nextLookUp = ({ lookUpAt, lookUps }: Payment, at: Instant.Instant): Pick<Payment, "lookUpAt" | "lookUps"> => {
  const [asked, next] = [lookUpsAfter[lookUps], lookUpsAfter[lookUps + 1]]
  if (lookUpAt === null || asked === undefined || next === undefined) return { lookUpAt: null, lookUps }
  return { lookUpAt: Instant.plus(at, next - asked), lookUps: lookUps + 1 }
}

/**
 * After the network was asked; null: it knows nothing, or has not answered. `mismatch`: why it is not believed that the money
 * has come. `scheduled`: whether it was asked because of a report.
 */
export const afterLookUp = (
  before: Payment,
  facts: PaymentFacts | null,
  { at, isScheduled }: { readonly at: Instant.Instant; readonly isScheduled: boolean }
): ChangedPayment & { readonly mismatch: string | null } => {
  const next = isScheduled ? nextLookUp(before, at) : {}
  if (facts === null) return { payment: changed(before, next, at), news: null, mismatch: null }
  const mismatch = mismatchOf(before, facts)
  if (mismatch !== null) {
    const status = facts.status === "captured" ? statusAfter(before.status, "pending") : before.status
    return { payment: changed(before, { ...next, status }, at), news: null, mismatch }
  }
  const status = facts.status === null ? before.status : statusAfter(before.status, facts.status)
  const rest = status === "captured" ? { lookUpAt: null } : next
  const transactions = merged(before.transactions, facts.transactions)
  const payment = changed(before, { ...rest, status, transactions }, at)
  return { payment, news: newsOf(before.status, status), mismatch: null }
}

/** After the clock has moved on. */
export const afterTime = (before: Payment, at: Instant.Instant): ChangedPayment => {
  const isOver = before.expiresAt !== null && before.expiresAt <= at
  const status = isOver ? statusAfter(before.status, "expired") : before.status
  return {
    payment: changed(before, { status }, status === before.status ? before.updatedAt : at),
    news: newsOf(before.status, status)
  }
}

/** After the customer was sent how far the order has come. */
export const afterUpdate = (before: Payment, orderStatus: OrderStatus, at: Instant.Instant): ChangedPayment => {
  const status = orderStatus === "canceled" ? statusAfter(before.status, "cancelled") : before.status
  return { payment: changed(before, { orderStatus, status }, at), news: newsOf(before.status, status) }
}

/** After the channel has accepted the message. */
export const afterAccepted = (before: Payment, msgid: string): Payment => ({ ...before, msgid })
