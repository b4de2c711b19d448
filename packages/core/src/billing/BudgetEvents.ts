/** What a key's budget tells others. Pure. Source: docs/metering.md#events. */
import type { NewEvent } from "../events/index.ts"
import { type Ids, Instant } from "../kernel/index.ts"
import { type Nano, toNumber } from "./Money.ts"
import * as Month from "./Month.ts"
import type { Mark } from "./UsageStore.ts"

/** A key that has a budget. */
export interface BudgetOf {
  readonly id: Ids.KeyId
  readonly name: string | null
  readonly budget: Nano
  readonly budgetPeriod: "total" | "month"
}

const alertPercent = 80n

/** Marks that a spend has reached, in the order in which it meets them. */
export const reached = (spent: Nano, budget: Nano): ReadonlyArray<Mark> =>
  spent >= budget ? ["alerted", "exceeded"] : spent * 100n >= budget * alertPercent ? ["alerted"] : []

/** Of a period that is `total` or a month. */
export const budgetEvent = (
  mark: Mark,
  tenantId: Ids.AccountId,
  key: BudgetOf,
  period: string,
  spent: Nano
): NewEvent => ({
  event: mark === "alerted" ? "budget.alert" : "budget.exceeded",
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
