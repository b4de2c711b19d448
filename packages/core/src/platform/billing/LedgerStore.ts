/** Port: what a flush of the ledger reads and writes, for any number of requests at once. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { StorageError, Tx } from "../storage/index.ts"
import type { BudgetPeriod, BudgetThreshold } from "./BudgetStore.ts"
import type { CreditBalance, LedgerEntry } from "./CreditStore.ts"
import type { KeyRequest, KeySlot } from "./LimitStore.ts"
import type { Nano } from "./Money.ts"
import type { Month } from "./Month.ts"
import type { Service } from "./Plans.ts"
import type { CallCounts, QuotaPeriod } from "./QuotaStore.ts"
import type { Reservation } from "./ReservationStore.ts"
import type { UsageRow } from "./UsageRow.ts"

/** What the requests of a flush name. Each list has an entry once; an empty one is not asked for. */
export interface LedgerQuery {
  /** Accounts, in their order: no other flush or change of their counters runs until the end of the transaction. */
  readonly locked: ReadonlyArray<Ids.AccountId>
  /** When slots have expired that count no longer. */
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
  /** Keys that ask for a slot. */
  readonly keys: ReadonlyArray<Ids.KeyId>
  /** Reservations that end, and slots that are released: both are removed. */
  readonly ending: ReadonlyArray<Ids.UsageId>
  readonly released: ReadonlyArray<Pick<KeySlot, "id" | "keyId">>
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

/** Slots of a key that are not expired, and all of them. */
export interface SlotCounts {
  readonly keyId: Ids.KeyId
  readonly acquired: number
  readonly stored: number
}

/** Where something has never been counted there is no entry. */
export interface LedgerRows {
  /** The reservations that were removed; one that has ended is not among them. */
  readonly ended: ReadonlyArray<Reservation>
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
export interface LedgerChanges {
  readonly balances: ReadonlyArray<CreditBalance>
  readonly counts: ReadonlyArray<ServiceCounts>
  readonly spending: ReadonlyArray<PeriodSpending>
  readonly windows: ReadonlyArray<KeyWindow>
  /** The first request of each key. */
  readonly requests: ReadonlyArray<KeyWindow & KeyRequest>
  readonly slots: ReadonlyArray<KeySlot & Pick<KeyWindow, "tenantId">>
  readonly reservations: ReadonlyArray<Reservation>
  readonly usage: ReadonlyArray<UsageRow>
  readonly entries: ReadonlyArray<LedgerEntry>
}

export class LedgerStore extends Context.Service<
  LedgerStore,
  {
    /**
     * Locks the accounts, removes what ends, and reads the counters as they are then. Balances and windows are locked too.
     */
    readonly load: (query: LedgerQuery) => Effect.Effect<LedgerRows, StorageError, Tx>
    /** Writes what a flush has decided, as the last part of its transaction. */
    readonly save: (changes: LedgerChanges) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/LedgerStore") {}
