/** Port: spending of accounts and keys in a budget period, as single conditional statements. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Nano } from "./Money.ts"

export interface BudgetPeriod {
  /** An account or a key. */
  readonly ownerId: string
  /** A calendar month, or `total`. */
  readonly period: string
}

/** A threshold of a budget, which is reported once for each period. */
export type BudgetThreshold = "alerted" | "exceeded"

/** Spending after a settlement, and which thresholds have been reported. */
export interface BudgetState extends Readonly<Record<BudgetThreshold, boolean>> {
  readonly spent: Nano
}

export class BudgetStore extends Context.Service<
  BudgetStore,
  {
    /** Reserves an amount, in one statement: false, and nothing changed, when it does not fit into the limit. Null: no limit. */
    readonly reserve: (
      period: BudgetPeriod,
      wanted: { readonly amount: Nano; readonly limit: Nano | null }
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** What was spent, and what running requests have reserved. */
    readonly spending: (
      period: BudgetPeriod
    ) => Effect.Effect<{ readonly spent: Nano; readonly pending: Nano }, StorageError, Read>
    /** What each of these owners spent in each of these periods; one that spent nothing may have no entry. */
    readonly spendingOf: (
      owners: ReadonlyArray<string>,
      periods: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<BudgetPeriod & { readonly spent: Nano }>, StorageError, Read>
    /** Releases `reserved` and adds `spent`; returns the period as it is afterwards. */
    readonly settle: (
      period: BudgetPeriod,
      ended: { readonly reserved: Nano; readonly spent: Nano }
    ) => Effect.Effect<BudgetState | null, StorageError, Tx>
    /** Marks a threshold as reported, and returns what was spent; null when it was reported already. */
    readonly markReported: (
      period: BudgetPeriod,
      threshold: BudgetThreshold
    ) => Effect.Effect<Nano | null, StorageError, Tx>
    /** Forgets which thresholds of an owner were reported, in all periods. */
    readonly forgetReports: (ownerId: string) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/BudgetStore") {}
