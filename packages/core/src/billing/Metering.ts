/**
 * Spending as transactional parts: what a request may cost is held before its work begins, and what it did cost is
 * charged after, together with its row of the usage log.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Ids } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"
import type { Nano } from "./Money.ts"
import type { Plan, Service } from "./Plans.ts"
import type { Unit } from "./Price.ts"

/** Who pays: an account, and the key that asks, where there is one. */
export interface Payer {
  readonly tenantId: Ids.AccountId
  readonly plan: Plan
  /** Of the account, in a calendar month of UTC; null for none. */
  readonly monthlyBudget: Nano | null
  readonly key: {
    readonly id: Ids.KeyId
    readonly name: string | null
    readonly prefix: string
    readonly budget: Nano | null
    readonly budgetPeriod: "total" | "month"
  } | null
}

export interface Metered {
  /** Of the request: under it the work is settled or released. */
  readonly id: Ids.UsageId
  readonly payer: Payer
  readonly service: Service
  /** The most that it can cost. */
  readonly atMost: Nano
  /** After so long the hold ends by itself: longer than the work may take. */
  readonly leaseMs: number
}

/** What was used; it becomes a row of the usage log. Source: docs/metering.md#log. */
export interface Used {
  readonly requestId: string
  readonly model: string
  /** The status of the answer. */
  readonly httpStatus: number
  readonly units: number
  readonly unit: Unit
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheCreationTokens: number
  readonly latencyMs: number
  readonly sessionId: string | null
  readonly traceId: string | null
}

/** The plan's calls of this service, or the account's budget, are used up for this month. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("QuotaExceeded", {
  reason: Schema.Literals(["plan", "monthly_budget"]),
  service: Schema.String,
  /** Until the first of the next month, in UTC. */
  retryAfterSeconds: Schema.Int
}) {}

/** The key has its own budget, and this does not fit into what is left of it. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {}) {}

/** The balance does not cover what this may cost. */
export class CreditsExceeded extends Schema.TaggedError<CreditsExceeded>()("CreditsExceeded", {}) {}

export class Metering extends Context.Service<
  Metering,
  {
    /**
     * Holds all of it or nothing: a call of the plan's, credit, the key's budget, the account's monthly budget. Refuses in this
     * order: quota, credit, key budget. Whatever runs side by side, no balance, cap or budget is ever overdrawn.
     * Source: docs/metering.md#reserve.
     */
    readonly reserve: (
      wanted: Metered
    ) => Effect.Effect<void, QuotaExceeded | BudgetExceeded | CreditsExceeded | StorageError>
    /**
     * Charges `due` under a hold, frees the rest and writes the usage log, in one transaction; a hold that has run out meanwhile
     * is charged as far as there is free credit. Tells what was charged. A second time charges nothing.
     */
    readonly settle: (wanted: Metered, due: Nano, used: Used) => Effect.Effect<Nano, StorageError>
    /** Frees a hold; with `used`, what reached an upstream and failed gets its row, with zero credits. A second time does nothing. */
    readonly release: (wanted: Metered, used: Used | null) => Effect.Effect<void, StorageError>
    /** Ends holds whose time is over; tells how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/billing/Metering") {}
