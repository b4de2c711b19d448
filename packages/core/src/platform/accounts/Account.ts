/** The paying customer: what plan, what state, which features. Pure. */
import * as Schema from "effect/Schema"
import { Plan } from "../billing/index.ts"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"

export { Plan }

export const AccountStatus = Schema.Literals(["active", "inactive", "terminated"])
export type AccountStatus = typeof AccountStatus.Type

export const PaymentMethod = Schema.Literals(["verified", "grace", "missing"])
export type PaymentMethod = typeof PaymentMethod.Type

/** Source: docs/reference/access.md#accounts. */
export interface Account {
  readonly id: Ids.AccountId
  readonly name: string
  readonly plan: Plan
  readonly status: AccountStatus
  readonly voiceCampaigns: boolean
  readonly paymentMethod: PaymentMethod
  /** End of the grace period, where there is one. */
  readonly paymentDeadline: Instant.Instant | null
  /** Nano-credits a month, or null for none. */
  readonly monthlyBudget: bigint | null
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}

export type NewAccount = Pick<Account, "name" | "plan" | "voiceCampaigns">

/** A new account: active, with a payment method that is taken for verified, and without a budget. */
export const accountOf = (
  id: Ids.AccountId,
  { name, plan, voiceCampaigns }: NewAccount,
  at: Instant.Instant
): Account => ({
  id,
  name,
  plan,
  voiceCampaigns,
  status: "active",
  paymentMethod: "verified",
  paymentDeadline: null,
  monthlyBudget: null,
  createdAt: at,
  updatedAt: at
})

/** An account with its money, in nano-credits. */
export interface AccountOverview extends Account {
  /** The sum of the ledger. */
  readonly balance: bigint
  /** The part of the balance that calls and requests under way have reserved. */
  readonly reserved: bigint
  /** In the present calendar month of UTC, as the monthly budget counts it. */
  readonly spentThisMonth: bigint
}

export type Feature = "voiceCampaigns"

export const isActive = (account: Account): boolean => account.status === "active"

/** Why an account that is not active may do nothing, as a sentence for its people. */
export const inactiveDetail = (account: Account): string =>
  account.status === "terminated"
    ? "This account has been terminated. Contact support if you think that this is a mistake."
    : "This account is inactive. Ask an owner of the account, or support, to activate it."
