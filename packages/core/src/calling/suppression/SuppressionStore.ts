/** Port: the do-not-call list. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Page } from "../../platform/kernel/index.ts"
import type { KeyRange, MatchKey } from "../../platform/numbers/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { SuppressionEntry } from "./SuppressionEntry.ts"

export class SuppressionStore extends Context.Service<
  SuppressionStore,
  {
    /** Adds an entry unless one with the same key exists: false then. */
    readonly add: (entry: SuppressionEntry) => Effect.Effect<boolean, StorageError, Tx>
    readonly remove: (tenantId: Ids.AccountId, id: Ids.EntryId) => Effect.Effect<boolean, StorageError, Tx>
    /** Keys of the list in a half-open range, at most 1,111: one seek, at any size of the list. */
    readonly keysBetween: (
      tenantId: Ids.AccountId,
      from: string,
      to: string
    ) => Effect.Effect<ReadonlyArray<MatchKey>, StorageError, Read>
    /** Keys of the list in several ranges, which do not overlap, in no order. */
    readonly keysNear: (
      tenantId: Ids.AccountId,
      ranges: ReadonlyArray<KeyRange>
    ) => Effect.Effect<ReadonlyArray<MatchKey>, StorageError, Read>
    // A `reason` leaves entries alone whose reason has this text in it, in any case; null leaves all.
    /** Entries whose keys are in a half-open range, newest first: at most 1,111 but for those of the upgrade. */
    readonly near: (
      tenantId: Ids.AccountId,
      range: KeyRange,
      reason: string | null
    ) => Effect.Effect<ReadonlyArray<SuppressionEntry>, StorageError, Read>
    /** Newest first. */
    readonly list: (
      tenantId: Ids.AccountId,
      reason: string | null,
      page: Page
    ) => Effect.Effect<ReadonlyArray<SuppressionEntry>, StorageError, Read>
    /** The newest of those before an entry; null: of all. There are more unless none is returned. */
    readonly before: (
      tenantId: Ids.AccountId,
      reason: string | null,
      before: Ids.EntryId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SuppressionEntry>, StorageError, Read>
    readonly count: (tenantId: Ids.AccountId, reason: string | null) => Effect.Effect<number, StorageError, Read>
  }
>()("@trunkline/core/calling/suppression/SuppressionStore") {}
