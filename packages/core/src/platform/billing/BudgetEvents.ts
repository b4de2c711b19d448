/** Events of a key's budget. Pure. Source: docs/reference/metering.md#events. */
import type { EventOf } from "../events/index.ts"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { budgetAlert, budgetExceeded } from "./BillingEventEntries.ts"
import type { BudgetThreshold } from "./BudgetStore.ts"
import { type Nano, toNumber } from "./Money.ts"
import * as Month from "./Month.ts"

/** A key that has a budget. */
export interface KeyBudget {
  readonly id: Ids.KeyId
  readonly name: string | null
  readonly budget: Nano
  readonly budgetPeriod: "total" | "month"
}

const alertPercent = 80n

/** The period of a key's whole life. */
export const lifetime = "total"

/** The period that counts at an instant: a calendar month, or `total`. */
export const budgetPeriodOf = ({ budgetPeriod }: Pick<KeyBudget, "budgetPeriod">, at: Instant.Instant): string =>
  budgetPeriod === "month" ? Month.of(at) : lifetime

/** The thresholds that a spending has reached, the lower one first. */
export const thresholdsReached = (spent: Nano, budget: Nano): ReadonlyArray<BudgetThreshold> =>
  spent >= budget ? ["alerted", "exceeded"] : spent * 100n >= budget * alertPercent ? ["alerted"] : []

interface ThresholdReached {
  readonly threshold: BudgetThreshold
  readonly tenantId: Ids.AccountId
  readonly key: KeyBudget
  readonly period: string
  readonly spent: Nano
}

export const budgetEvent = ({
  key,
  period,
  spent,
  tenantId,
  threshold
}: ThresholdReached): EventOf<typeof budgetAlert | typeof budgetExceeded> => ({
  event: threshold === "alerted" ? "budget.alert" : "budget.exceeded",
  tenantId,
  botId: null,
  data: {
    key_id: key.id,
    key_name: key.name,
    budget: toNumber(key.budget),
    spent: toNumber(spent),
    period: key.budgetPeriod,
    period_started_at: key.budgetPeriod === "month" ? Instant.toIso(Month.startOf(period)) : null
  }
})
