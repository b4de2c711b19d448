/** A request that is paid for: who pays, what it reserves, what it used, and why it is refused. */
import * as Schema from "effect/Schema"
import type * as Ids from "../PlatformIds.ts"
import type { Spender } from "./Credits.ts"
import type { Nano } from "./Money.ts"
import type { Service } from "./Plans.ts"
import type { UsageDetails } from "./UsageRow.ts"

/** Who pays: an account, and the key of the request, where there is one. */
export interface Payer extends Spender {
  readonly key: {
    readonly id: Ids.KeyId
    readonly name: string | null
    readonly prefix: string
    readonly budget: Nano | null
    readonly budgetPeriod: "total" | "month"
  } | null
}

export interface MeteredRequest {
  /** Under which the work is settled or released. */
  readonly id: Ids.UsageId
  readonly payer: Payer
  readonly service: Service
  readonly maxCost: Nano
  /** Calls of the plan that it may use. Default 1. */
  readonly calls?: number
  /** Of its bill. Absent: a power cut loses none that was written. */
  readonly durability?: "relaxed"
}

/** What a request used. */
export interface Used extends UsageDetails {
  /** Calls of the plan that count, at most those that are reserved. Default: all of them. */
  readonly calls?: number
}

/** The plan's calls of this service, or the account's budget, are used up for this month. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("QuotaExceeded", {
  reason: Schema.Literals(["plan", "monthly_budget"]),
  service: Schema.String,
  /** Until the first of the next month, in UTC. */
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return this.reason === "plan"
      ? `the plan's calls of ${this.service} do not cover the request in this month`
      : "the account's budget is used up for this month"
  }
}

/** The maximum cost does not fit into the rest of the key's own budget. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {}) {}

/** The balance does not cover the maximum cost. */
export class CreditsExceeded extends Schema.TaggedError<CreditsExceeded>()("CreditsExceeded", {}) {}

/** Why nothing was reserved. */
export type SpendingRefused = QuotaExceeded | BudgetExceeded | CreditsExceeded
