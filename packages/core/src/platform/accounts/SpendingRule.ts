/**
 * Whether an account may cause costs: the one rule for `/v1/*`, calls, agents' answers and voice sessions. Pure.
 * Source: docs/reference/credits.md#rule.
 */
import type { Spender } from "../billing/index.ts"
import { Instant } from "../kernel/index.ts"
import type { Account } from "./Account.ts"

/** Why not. */
export type SpendingRefusal = "account_inactive" | "account_terminated" | "payment_method_required"

type Standing = Pick<Account, "status" | "paymentMethod" | "paymentDeadline">

/** Account status, then payment method: the first that forbids it; null when the account may spend. */
export const spendingRefusal = (
  { paymentDeadline, paymentMethod, status }: Standing,
  at: Instant.Instant
): SpendingRefusal | null => {
  if (status !== "active") return status === "terminated" ? "account_terminated" : "account_inactive"
  if (paymentMethod === "verified") return null
  const inGrace = paymentMethod === "grace" && (paymentDeadline === null || at < paymentDeadline)
  return inGrace ? null : "payment_method_required"
}

/** The notice on successful answers of an account in its grace period; null for the others. Source: docs/reference/access.md#inference. */
export const paymentNotice = ({ paymentDeadline, paymentMethod }: Standing): string | null => {
  if (paymentMethod !== "grace") return null
  const notice = "payment_method_required"
  return paymentDeadline === null ? notice : `${notice}; deadline=${Instant.toIso(paymentDeadline)}`
}

/** An account as its budget and its credit are asked. */
export const spenderOf = ({ id, monthlyBudget, plan }: Account): Spender => ({ tenantId: id, plan, monthlyBudget })
