/** Events of payments. Pure. */
import type {
  EventOf,
  paymentRequestCancelled,
  paymentRequestExpired,
  paymentRequestPaid
} from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { Payment } from "./Payment.ts"
import type { PaymentNews } from "./PaymentChanges.ts"

const names = {
  paid: "payment_request.paid",
  expired: "payment_request.expired",
  cancelled: "payment_request.cancelled"
} as const

/** Smallest units of a whole one. */
const unit = 100

export const paymentEvent = (
  { amount, currency, expiresAt, id, referenceId, status, tenantId, transactions }: Payment,
  news: PaymentNews
): EventOf<typeof paymentRequestPaid | typeof paymentRequestExpired | typeof paymentRequestCancelled> => ({
  event: names[news],
  tenantId,
  botId: null,
  data: {
    payment_request_id: id,
    amount: Number(amount) / unit,
    amount_paid: status === "captured" ? Number(amount) / unit : 0,
    currency,
    reference: referenceId,
    payment_id: transactions.at(-1)?.id ?? null,
    expires_at: expiresAt === null ? null : Instant.toIso(expiresAt),
    url: null
  }
})
