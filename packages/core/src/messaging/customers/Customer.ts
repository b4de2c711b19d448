/** A customer: one person on one number. Pure. Source: docs/reference/messaging.md#customers. */
import { Instant } from "../../platform/kernel/index.ts"
import type * as Ids from "../MessagingIds.ts"

export interface Customer {
  readonly id: Ids.CustomerId
  readonly tenantId: Ids.AccountId
  readonly phoneId: Ids.PhoneId
  /** Digits; null where the platform does not report them. */
  readonly phone: string | null
  /** The platform's own id of the person; null where it has none. */
  readonly userRef: string | null
  readonly name: string | null
  /** The open conversation. */
  readonly conversationId: Ids.ConversationId
  /** Free text may be sent until then; null while the customer has never written. */
  readonly windowExpiresAt: Instant.Instant | null
  readonly lastMessageAt: Instant.Instant
  readonly createdAt: Instant.Instant
}

/** What a customer is found and called by. */
export type CustomerIdentity = Pick<Customer, "id" | "tenantId" | "conversationId" | "phone" | "userRef" | "name">

/** What every message changes of a customer. */
export type CustomerActivity = Pick<
  Customer,
  "id" | "tenantId" | "conversationId" | "windowExpiresAt" | "lastMessageAt"
>

/** Two customers are one person: `into` remains, and knows what was known of either. */
export const mergeCustomers = (into: Customer, from: Customer): Customer => ({
  ...into,
  phone: into.phone ?? from.phone,
  userRef: into.userRef ?? from.userRef,
  name: into.name ?? from.name,
  windowExpiresAt: latest(into.windowExpiresAt, from.windowExpiresAt),
  lastMessageAt: Instant.later(into.lastMessageAt, from.lastMessageAt)
})

const latest = (a: Instant.Instant | null, b: Instant.Instant | null): Instant.Instant | null =>
  a === null || b === null ? (a ?? b) : Instant.later(a, b)
