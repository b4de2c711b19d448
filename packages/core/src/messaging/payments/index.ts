/**
 * Sends bills that customers pay in the chat, and learns from the channel's network what has become of them.
 *
 * Promises  PAYM-1 a reference is asked for once from a number: its claim is durable before the channel is asked, and what is unknown is not sent again.
 *           PAYM-2 money counts as come once the network, asked by us, has named the reference, the amount and the currency of the bill.
 *           PAYM-3 a payment never moves backwards, and nothing follows money that has come.
 *           PAYM-4 amounts are whole numbers of the smallest unit, and their sums are exact.
 *           PAYM-5 each move that is announced is one event, in the transaction of the move.
 * Needs     PaymentStore, KnownConfigurationStore, NativeSend, ConnectedNumbers, ChatChannels, Outbox, Accounts.
 * Emits     payment_request.paid.
 *           payment_request.expired.
 *           payment_request.cancelled.
 * Not here  what a bill looks like on the wire (packages/providers), how a message is sent (messaging/sending).
 * Read      PaymentMoves.ts, PaymentChanges.ts, then Payments.ts and BilledMessages.ts. Source: docs/reference/payments.md.
 */
export {
  type Payment,
  PaymentRecord,
  type PaymentStatus,
  paymentEntity,
  type ShownTransaction,
  shownPayment
} from "./Payment.ts"
export {
  InvalidPayment,
  PaymentCaptured,
  PaymentConfigurationNotFound,
  PaymentNotFound,
  ReferenceUsed
} from "./PaymentErrors.ts"
export {
  type ConfigurationOwner,
  type KnownConfiguration,
  KnownConfigurationStore,
  type PaymentFilter,
  PaymentStore
} from "./PaymentStore.ts"
export { type NewPayment, Payments } from "./Payments.ts"
