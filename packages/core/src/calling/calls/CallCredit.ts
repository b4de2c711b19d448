/** The credit that a call is charged, and that is held for it minute by minute. Pure. Source: docs/reference/plans.md#calls. */
import type { Account } from "../../platform/accounts/index.ts"
import { Plans } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"

/** What an account's calls cost is taken from its balance, unless its plan deducts nothing. */
export const needsCredit = (account: Account | null): boolean => account === null || Plans.plans[account.plan].deducts

/** Whether each minute of a call is held before it begins: of the credit, of a monthly budget, or of both. */
export const isHeld = (account: Account | null): boolean => needsCredit(account) || account?.monthlyBudget !== null

/**
 * `paidUntil` of a call of which nothing more is reserved or deducted: beyond every end. It stays so whatever becomes of
 * the plan, so that what a call is to cost is not decided by when somebody looks.
 */
export const coveredForGood = Instant.never
