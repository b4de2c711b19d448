/**
 * Port: accounts that move, and the rows of any table, to be copied from one database to another. A table is known by its place in
 * `tables`, in which the rows that others belong to come first; rows are opaque but for their secrets.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { AccountMove } from "./AccountMove.ts"

export interface MovedTable {
  readonly name: string
  /** Fields with encrypted text, or null. */
  readonly secrets: ReadonlyArray<string>
  /** Its rows are of an account. The others are copied with a whole installation alone. */
  readonly isOfAccounts: boolean
  /** Its rows stay where an account has been: they say who it was. */
  readonly stays: boolean
}

export type MovedRow = Readonly<Record<string, unknown>>

/** Rows of one table: of one account, or of all and of nobody. */
export interface Rows {
  readonly place: number
  readonly tenantId: Ids.AccountId | null
}

/** What both databases must have alike. */
export interface Measure {
  readonly rows: number
  /** Of the table's amounts; 0 where it has none. */
  readonly sum: bigint
}

/** Something of an account that has not ended. */
export interface Unfinished {
  readonly what: string
  readonly n: number
}

export class MoveStore extends Context.Service<
  MoveStore,
  {
    readonly tables: ReadonlyArray<MovedTable>
    readonly find: (tenantId: Ids.AccountId) => Effect.Effect<AccountMove | null, StorageError, Read>
    readonly list: Effect.Effect<ReadonlyArray<AccountMove>, StorageError, Read>
    /** Adds or replaces the account's move. */
    readonly save: (move: AccountMove) => Effect.Effect<void, StorageError, Tx>
    readonly forget: (tenantId: Ids.AccountId) => Effect.Effect<void, StorageError, Tx>
    /** What runs, is due or is claimed, in sentences' words; empty when nothing is. */
    readonly underWay: (tenantId: Ids.AccountId) => Effect.Effect<ReadonlyArray<Unfinished>, StorageError, Read>
    /**
     * Puts off rows that are due, beyond any instant at which a worker looks, but for those that are claimed at `at`: up to `limit` rows;
     * returns how many. Rows are copied as they are then.
     */
    readonly putOff: (
      tenantId: Ids.AccountId,
      at: Instant.Instant,
      limit: number
    ) => Effect.Effect<number, StorageError, Tx>
    /** Makes it due again when it was; returns how many rows. */
    readonly putBack: (tenantId: Ids.AccountId, limit: number) => Effect.Effect<number, StorageError, Tx>
    /** Rows after a cursor (null: from the first on), and the cursor after them: null at the end. Reads a bounded number of rows. */
    readonly page: (
      of: Rows,
      cursor: string | null,
      limit: number
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<MovedRow>; readonly cursor: string | null }, StorageError, Read>
    /** Adds rows as they are; the database numbers anew what it numbers. */
    readonly add: (place: number, rows: ReadonlyArray<MovedRow>) => Effect.Effect<void, StorageError, Tx>
    readonly measure: (of: Rows) => Effect.Effect<Measure, StorageError, Read>
    /** Removes up to `limit` rows; returns how many. */
    readonly remove: (
      of: Rows & { readonly tenantId: Ids.AccountId },
      limit: number
    ) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/platform/moving/MoveStore") {}
