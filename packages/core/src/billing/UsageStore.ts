/** Port: holds of running requests, counts, spends, the usage log and bonuses, as single conditional statements. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Nano } from "./Money.ts"
import type { Month } from "./Month.ts"
import type { Plan, Service } from "./Plans.ts"
import type { ServiceTotals, UsageFilter, UsageRow } from "./UsageLog.ts"

/** What a running request holds. */
export interface UsageHold {
  readonly id: Ids.UsageId
  readonly tenantId: Ids.AccountId
  readonly keyId: Ids.KeyId | null
  readonly service: Service
  /** In which it was made: there it counts, whenever it ends. */
  readonly month: Month
  /** Of the key's budget: a month, or `total`; null where it has none. */
  readonly period: string | null
  /** What it holds of the budgets. */
  readonly amount: Nano
  /** What it holds of the balance: nothing where the plan deducts nothing. */
  readonly reserved: Nano
  /** True once its time was over and everything was given back. It is kept for a late settlement. */
  readonly lapsed: boolean
  /** When it lapses, or, once it has, when it is forgotten. */
  readonly expiresAt: Instant.Instant
}

export interface Spend {
  readonly spent: Nano
  readonly alerted: boolean
  readonly exceeded: boolean
}

/** What is told once for each budget and period. */
export type Mark = "alerted" | "exceeded"

/** A place in the usage log, which is read from the newest row on: rows before it are those still to come. */
export interface UsagePlace {
  readonly createdAt: Instant.Instant
  readonly id: Ids.UsageId
}

/** Rows that were written between `since` and the place, both as far as they go. */
export interface UsageQuery extends Pick<UsageFilter, "service" | "model" | "keyId" | "sessionId" | "traceId"> {
  readonly tenantId: Ids.AccountId
  readonly since: Instant.Instant
  readonly before: UsagePlace
}

export class UsageStore extends Context.Service<
  UsageStore,
  {
    /** Adds a running call to a month, in one statement: false, and nothing changed, when its cap is reached. */
    readonly beginCall: (
      tenantId: Ids.AccountId,
      service: Service,
      month: Month,
      cap: number | null
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Calls of a month: those that count, and those that run. */
    readonly calls: (
      tenantId: Ids.AccountId,
      service: Service,
      month: Month
    ) => Effect.Effect<{ readonly used: number; readonly pending: number }, StorageError, Read>
    /** Takes calls from those that run, and adds to those that count. */
    readonly endCall: (
      tenantId: Ids.AccountId,
      service: Service,
      month: Month,
      ended: { readonly pending: number; readonly used: number }
    ) => Effect.Effect<void, StorageError, Tx>
    /** Holds an amount of a budget, in one statement: false, and nothing changed, when it does not fit. Null: no bound. */
    readonly holdSpend: (
      ownerId: string,
      period: string,
      amount: Nano,
      budget: Nano | null
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** What was spent of a budget, and what running requests hold of it. */
    readonly spend: (
      ownerId: string,
      period: string
    ) => Effect.Effect<{ readonly spent: Nano; readonly pending: Nano }, StorageError, Read>
    /** What was spent by each of these owners in each of these periods; an owner that spent nothing may have no entry. */
    readonly spends: (
      ownerIds: ReadonlyArray<string>,
      periods: ReadonlyArray<string>
    ) => Effect.Effect<
      ReadonlyArray<{ readonly ownerId: string; readonly period: string; readonly spent: Nano }>,
      StorageError,
      Read
    >
    /** Gives `held` back and adds what was spent; tells how the period stands after it. */
    readonly endSpend: (
      ownerId: string,
      period: string,
      held: Nano,
      spent: Nano
    ) => Effect.Effect<Spend | null, StorageError, Tx>
    /** Sets a mark, and tells what was spent; null when it stands already. */
    readonly mark: (ownerId: string, period: string, mark: Mark) => Effect.Effect<Nano | null, StorageError, Tx>
    readonly addHold: (hold: UsageHold) => Effect.Effect<void, StorageError, Tx>
    /** Removes a hold and tells it; null when there is none (any more). */
    readonly takeHold: (id: Ids.UsageId) => Effect.Effect<UsageHold | null, StorageError, Tx>
    /** Holds whose time is over and that have not lapsed, the oldest first; of one account, or of all. */
    readonly expired: (
      tenantId: Ids.AccountId | null,
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Pick<UsageHold, "id" | "tenantId">>, StorageError, Read>
    /** Marks a hold as lapsed if its time is over, and tells it; null when it has ended or lapsed already. */
    readonly lapse: (
      id: Ids.UsageId,
      at: Instant.Instant,
      forgetAt: Instant.Instant
    ) => Effect.Effect<UsageHold | null, StorageError, Tx>
    /** Removes lapsed holds that nobody settles any more; tells how many. */
    readonly forget: (at: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
    readonly addRow: (row: UsageRow) => Effect.Effect<void, StorageError, Tx>
    readonly place: (tenantId: Ids.AccountId, id: Ids.UsageId) => Effect.Effect<UsagePlace | null, StorageError, Read>
    /** Newest first. */
    readonly list: (
      query: UsageQuery,
      limit: number,
      offset: number
    ) => Effect.Effect<ReadonlyArray<UsageRow>, StorageError, Read>
    readonly count: (query: UsageQuery) => Effect.Effect<number, StorageError, Read>
    readonly totals: (query: UsageQuery) => Effect.Effect<ReadonlyArray<ServiceTotals>, StorageError, Read>
    /** Books a bonus in name only: false when it was booked before. */
    readonly bookBonus: (tenantId: Ids.AccountId, month: Month, plan: Plan) => Effect.Effect<boolean, StorageError, Tx>
    /** Active accounts after an id whose plan has a bonus, in the order of their ids. */
    readonly bonusAccounts: (
      after: Ids.AccountId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly id: Ids.AccountId; readonly plan: Plan }>, StorageError, Read>
  }
>()("@trunkline/core/billing/UsageStore") {}
