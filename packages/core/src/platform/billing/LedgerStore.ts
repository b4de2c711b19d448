/** Port: what a flush of the ledger reads and writes, for any number of requests at once. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ClaimedRun, KeyedRun } from "../idempotency/index.ts"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { BudgetPeriod, BudgetThreshold } from "./BudgetStore.ts"
import type { CreditBalance, LedgerEntry } from "./CreditStore.ts"
import type { RunChanges, RunRows } from "./LedgerRuns.ts"
import type { KeyRequest } from "./LimitStore.ts"
import type { Nano } from "./Money.ts"
import type { Month } from "./Month.ts"
import type { Service } from "./Plans.ts"
import type { CallCounts, QuotaPeriod } from "./QuotaStore.ts"
import type { ComparedRows, ProcessHold, SlotKey } from "./RunningRequests.ts"
import type { UsageRow } from "./UsageRow.ts"

/** What the requests of a flush name. Each list has an entry once; an empty one is not asked for. */
export interface LedgerQuery extends ComparedRows {
  /** Whose rows of `holds` and `slots` are compared. */
  readonly processId: Ids.ProcessId
  /** Accounts, in their order: no other flush or change of their counters runs until the end of the transaction. */
  readonly locked: ReadonlyArray<Ids.AccountId>
  readonly at: Instant.Instant
  /** Since when requests count in the minute of their key. */
  readonly windowStart: Instant.Instant
  readonly accounts: ReadonlyArray<Ids.AccountId>
  /** Accounts, and keys that have a budget. */
  readonly owners: ReadonlyArray<string>
  readonly services: ReadonlyArray<Service>
  readonly months: ReadonlyArray<Month>
  /** Months, and `total`. */
  readonly periods: ReadonlyArray<string>
  /** Accounts of which keys ask that were remembered. */
  readonly remembered: ReadonlyArray<Ids.AccountId>
  /** Keys that ask for a request of their minute. */
  readonly keys: ReadonlyArray<Ids.KeyId>
  /** Accounts of which is removed what processes hold that have not renewed their lease. */
  readonly lapsing: ReadonlyArray<Ids.AccountId>
  /** Requests whose end has failed before: whether they have their row of the usage log is read. */
  readonly doubted: ReadonlyArray<Ids.UsageId>
  /** One claim of each Idempotency-Key that is asked for: it is written where no run prevents it. */
  readonly claims: ReadonlyArray<KeyedRun>
  /** Runs that end with an answer: their rows are locked. */
  readonly answering: ReadonlyArray<ClaimedRun>
  /** Accounts of which the bytes of kept answers are read. */
  readonly keptBytesOf: ReadonlyArray<Ids.AccountId>
}

/** Spending of an account or a key in a period, and which thresholds have been reported. */
export interface PeriodSpending extends BudgetPeriod, Readonly<Record<BudgetThreshold, boolean>> {
  readonly spent: Nano
  readonly pending: Nano
}

/** Calls of an account's service in a month. */
export interface ServiceCounts extends CallCounts, QuotaPeriod {}

/** The last number of a key's requests. Numbers have no gaps: a request that is refused has none. */
export interface KeyWindow {
  readonly keyId: Ids.KeyId
  readonly tenantId: Ids.AccountId
  readonly seq: number
}

/** Another number after each change of an account or its keys; none before the first. */
export interface AccessVersion {
  readonly tenantId: Ids.AccountId
  readonly version: number
}

/** Slots of a key that are acquired. */
export interface SlotCounts extends SlotKey {
  /** By this process; null where it has no row. */
  readonly own: number | null
  /** By other processes. */
  readonly others: number
}

/** The lease of a process. What it holds lapses when this instant has passed. */
export interface ProcessLease {
  readonly id: Ids.ProcessId
  readonly until: Instant.Instant
}

/** Where something has never been counted there is no entry. */
export interface LedgerRows extends RunRows {
  /** The holds of this process, as they are stored. */
  readonly holds: ReadonlyArray<ProcessHold>
  /** What was removed of processes that have not renewed their lease. */
  readonly lapsed: ReadonlyArray<ProcessHold>
  readonly lapsedSlots: LedgerChanges["slots"]
  /** Those of the doubted requests that have their row of the usage log. */
  readonly billed: ReadonlyArray<Ids.UsageId>
  readonly balances: ReadonlyArray<CreditBalance>
  readonly counts: ReadonlyArray<ServiceCounts>
  readonly spending: ReadonlyArray<PeriodSpending>
  readonly windows: ReadonlyArray<KeyWindow>
  /** The oldest request of each key since the window began. */
  readonly oldest: ReadonlyArray<KeyRequest & { readonly keyId: Ids.KeyId }>
  readonly slots: ReadonlyArray<SlotCounts>
  readonly versions: ReadonlyArray<AccessVersion>
}

/** Counters as they are from now on, each with its whole row, and rows that are added. */
export interface LedgerChanges extends RunChanges {
  readonly balances: ReadonlyArray<CreditBalance>
  readonly counts: ReadonlyArray<ServiceCounts>
  readonly spending: ReadonlyArray<PeriodSpending>
  readonly windows: ReadonlyArray<KeyWindow>
  /** The first request of each key. */
  readonly requests: ReadonlyArray<KeyWindow & KeyRequest>
  readonly holds: ReadonlyArray<ProcessHold>
  readonly slots: ReadonlyArray<SlotKey & { readonly acquired: number }>
  /** Whose these holds and slots are. */
  readonly processId: Ids.ProcessId
  /** Where the process must renew its lease. */
  readonly lease: ProcessLease | null
  readonly usage: ReadonlyArray<UsageRow>
  readonly entries: ReadonlyArray<LedgerEntry>
}

export class LedgerStore extends Context.Service<
  LedgerStore,
  {
    /**
     * Locks the accounts, removes what lapses, writes claims, and reads the counters as they are then. Balances and windows are locked too.
     * A claim is written by the rule of `IdempotencyStore.claim`; one that a load before it has written stands.
     */
    readonly load: (query: LedgerQuery) => Effect.Effect<LedgerRows, StorageError, Tx>
    /** Writes what a flush has decided, as the last part of its transaction. */
    readonly save: (changes: LedgerChanges) => Effect.Effect<void, StorageError, Tx>
    readonly renew: (lease: ProcessLease) => Effect.Effect<void, StorageError, Tx>
    /** Accounts of which something is held by processes other than this one that have not renewed their lease. */
    readonly lapsing: (of: {
      readonly processId: Ids.ProcessId
      readonly at: Instant.Instant
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Ids.AccountId>, StorageError, Read>
    /** Removes the leases that were over at an instant. What their processes have held is released before. */
    readonly removeLeases: (at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/LedgerStore") {}
