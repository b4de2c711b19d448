/** How a payment moves from status to status. Pure. Source: docs/reference/payments.md#status. */

/**
 * - `requested` the bill was sent, or nobody knows whether it was
 * - `pending`   the customer has begun to pay, or the network reports that the money has come and has not confirmed it
 * - `captured`  the money has come: the network has confirmed it
 * - `failed`    the last attempt has failed; the customer may try again
 * - `expired`   the time to pay has passed
 * - `cancelled` the account has withdrawn the bill
 */
export const paymentStatuses = ["requested", "pending", "captured", "failed", "expired", "cancelled"] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** Money that has come is a fact: also where the bill had expired, or was withdrawn. Nothing follows it. */
const moves: Readonly<Record<PaymentStatus, ReadonlyArray<PaymentStatus>>> = {
  requested: ["pending", "captured", "failed", "expired", "cancelled"],
  pending: ["captured", "failed", "expired", "cancelled"],
  failed: ["pending", "captured", "expired", "cancelled"],
  expired: ["captured", "cancelled"],
  cancelled: ["captured"],
  captured: []
}

/** The status after something that would make it `to`: where that would be a step back, it stays. */
export const statusAfter = (from: PaymentStatus, to: PaymentStatus): PaymentStatus =>
  moves[from].includes(to) ? to : from

/** True of a bill that the customer can still pay, and whose time can pass. */
export const isOpen = (status: PaymentStatus): boolean => moves[status].includes("expired")
