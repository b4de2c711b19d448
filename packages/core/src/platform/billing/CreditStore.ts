/** Port: balances, reservations and the ledger, as single conditional statements. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Nano } from "./Money.ts"

export interface CreditBalance {
  readonly tenantId: Ids.AccountId
  /** The sum of the ledger. */
  readonly balance: Nano
  /** What running work has reserved; `balance - reserved` is free. Never more than the balance. */
  readonly reserved: Nano
}

/** What running work has reserved, by its id. */
export interface ReservedCredit {
  readonly id: string
  readonly tenantId: Ids.AccountId
  /** Of the balance: nothing where the plan deducts nothing. */
  readonly amount: Nano
  /** Of the account's budget of the month in which the reservation was made. */
  readonly budgeted: Nano
  readonly createdAt: Instant.Instant
}

export interface LedgerEntry {
  readonly id: string
  readonly tenantId: Ids.AccountId
  /** Signed: what it added to the balance. */
  readonly amount: Nano
  readonly kind: "grant" | "call" | "inference"
  readonly ref: string | null
  readonly createdAt: Instant.Instant
}

export class CreditStore extends Context.Service<
  CreditStore,
  {
    readonly open: (tenantId: Ids.AccountId) => Effect.Effect<void, StorageError, Tx>
    readonly balance: (tenantId: Ids.AccountId) => Effect.Effect<CreditBalance | null, StorageError, Read>
    /** Balances of these accounts, in no order; an account that was never opened has none. */
    readonly balances: (
      tenantIds: ReadonlyArray<Ids.AccountId>
    ) => Effect.Effect<ReadonlyArray<CreditBalance>, StorageError, Read>
    /** Moves free credit into reserve, all or nothing, in one statement: true when it fitted. */
    readonly reserve: (tenantId: Ids.AccountId, amount: Nano) => Effect.Effect<boolean, StorageError, Tx>
    /** Adds both amounts to a reservation, and creates it when there is none. */
    readonly addToReservation: (reservation: ReservedCredit) => Effect.Effect<void, StorageError, Tx>
    readonly findReservation: (id: string) => Effect.Effect<ReservedCredit | null, StorageError, Read>
    /** Removes a reservation and returns it; null when there is none (any more). */
    readonly removeReservation: (id: string) => Effect.Effect<ReservedCredit | null, StorageError, Tx>
    /**
     * Releases `reserved` and subtracts `charge` from the balance, or as much of it as is free: the balance never falls below
     * what is reserved for others. Returns what was charged, and the balance after it.
     */
    readonly settle: (
      tenantId: Ids.AccountId,
      ended: { readonly reserved: Nano; readonly charge: Nano }
    ) => Effect.Effect<{ readonly charged: Nano; readonly balance: Nano }, StorageError, Tx>
    readonly add: (tenantId: Ids.AccountId, amount: Nano) => Effect.Effect<void, StorageError, Tx>
    /** The sum of an account's entries, which is its balance unless something is wrong. */
    readonly ledgerSum: (tenantId: Ids.AccountId) => Effect.Effect<Nano, StorageError, Read>
    readonly log: (entry: LedgerEntry) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/CreditStore") {}
