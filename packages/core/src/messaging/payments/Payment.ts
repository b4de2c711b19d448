/** A bill that a customer was sent, and what has become of it. Pure. Source: docs/reference/payments.md#record. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import { orderStatuses } from "../channels/index.ts"
import * as Ids from "../MessagingIds.ts"
import type { PaymentTransaction } from "../messages/index.ts"
import { type PaymentStatus, paymentStatuses } from "./PaymentMoves.ts"

const Transaction = Schema.Struct({
  id: Schema.String.annotate({ description: "The payment provider's id of the attempt" }),
  type: Schema.NullOr(Schema.String).annotate({ description: "How it was paid, in the chat platform's words" }),
  status: Schema.NullOr(Schema.String).annotate({ description: "How far it has come, in the chat platform's words" }),
  at: Schema.NullOr(Schema.String.annotate({ format: "date-time" })).annotate({
    description: "Time of the attempt; null where it is not known"
  }),
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why it has failed, in the chat platform's words; null where it has not"
  })
})
/** One attempt to pay; `at` is an instant as it is shown. */
export type ShownTransaction = typeof Transaction.Type

export const shownTransaction = ({ at, ...transaction }: PaymentTransaction): ShownTransaction => ({
  ...transaction,
  at: at === null ? null : Instant.toIso(at)
})

/** Its row. */
export const paymentEntity = Schema.Struct({
  id: Ids.schema<"Payment">(),
  tenantId: Ids.schema<"Account">(),
  /** The channel's id of the number that the bill was sent from, which never has two payments of one reference. */
  phoneNumberId: Schema.String,
  referenceId: Schema.String,
  configuration: Schema.String,
  phone: Schema.NullOr(Schema.String),
  /** The customer, as conversations and events call them. */
  userId: Schema.NullOr(Schema.String),
  status: Schema.Literals(paymentStatuses),
  /** In the smallest unit of the currency. */
  amount: Schema.BigInt,
  currency: Schema.String,
  messageId: Ids.schema<"Message">(),
  /** The channel's id of the message; null until it has accepted the message. */
  msgid: Schema.NullOr(Schema.String),
  conversationId: Ids.schema<"Conversation">(),
  transactions: Schema.Array(Transaction),
  orderStatus: Schema.NullOr(Schema.Literals(orderStatuses)),
  expiresAt: Schema.NullOr(Instant.Iso),
  /** When the network is asked whether the money has come; null while there is no reason to. */
  lookUpAt: Schema.NullOr(Instant.Iso),
  /** How often it was asked since the report that the money has come. */
  lookUps: Schema.Int,
  /** When a worker looks at the payment; null for no more. */
  dueAt: Schema.NullOr(Instant.Iso),
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso
})
export interface Payment extends Schema.Struct.Type<typeof paymentEntity.fields> {}

const shown = Schema.Struct({ ...paymentEntity.fields, amount: Schema.Int })

/** How a payment is shown. */
export const PaymentRecord = Entity.recordOf(shown, [
  "id",
  "referenceId",
  "phoneNumberId",
  "userId",
  "phone",
  "status",
  "amount",
  "currency",
  "msgid",
  "conversationId",
  "transactions",
  "orderStatus",
  "expiresAt",
  "createdAt",
  "updatedAt"
])

/** A payment with its amount as it is shown: no bill is so large that a number is not exact. */
export const shownPayment = (payment: Payment) => ({ ...payment, amount: Number(payment.amount) })

export type { PaymentStatus }
