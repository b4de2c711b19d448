/** Port: batches and their lines. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../GatewayIds.ts"
import type { Batch } from "./Batch.ts"
import type { BatchLine, LineOutcome, LineUsage } from "./BatchLine.ts"

/** The result of a line, and what it adds to the figures of its batch. */
export interface LineResult extends LineUsage {
  readonly batchId: Ids.BatchId
  readonly n: number
  readonly outcome: LineOutcome
  readonly result: string
}

export interface LinesAfter {
  readonly batchId: Ids.BatchId
  /** The number before the first; 0 for the beginning. */
  readonly after: number
  readonly limit: number
}

export class BatchStore extends Context.Service<
  BatchStore,
  {
    readonly add: (batch: Batch) => Effect.Effect<void, StorageError, Tx>
    readonly find: (tenantId: Ids.AccountId, id: Ids.BatchId) => Effect.Effect<Batch | null, StorageError, Read>
    /** Locks the batch until the end of the transaction, and returns it as it is then. */
    readonly lock: (tenantId: Ids.AccountId, id: Ids.BatchId) => Effect.Effect<Batch | null, StorageError, Tx>
    /** Writes a locked batch. */
    readonly save: (batch: Batch) => Effect.Effect<void, StorageError, Tx>
    /** Batches of an account, newest first, before an id; null for the first page. */
    readonly list: (
      tenantId: Ids.AccountId,
      page: { readonly after: Ids.BatchId | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Batch>, StorageError, Read>
    /** Batches of an account that have not ended, oldest first. */
    readonly open: (tenantId: Ids.AccountId) => Effect.Effect<ReadonlyArray<Batch>, StorageError, Read>
    readonly addLines: (lines: ReadonlyArray<BatchLine>) => Effect.Effect<void, StorageError, Tx>
    /** Lines in the order of the input. */
    readonly lines: (page: LinesAfter) => Effect.Effect<ReadonlyArray<BatchLine>, StorageError, Read>
    /** Lines without a result, in the order of the input. */
    readonly pending: (page: LinesAfter) => Effect.Effect<ReadonlyArray<BatchLine>, StorageError, Read>
    /** Writes the result of a line that has none, and adds to the figures of its batch; false, and nothing changed, where it has one. */
    readonly settleLine: (result: LineResult) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes up to `limit` lines of a batch; returns how many. */
    readonly removeLines: (batchId: Ids.BatchId, limit: number) => Effect.Effect<number, StorageError, Tx>
    /** Batches whose lines may be removed at an instant. */
    readonly swept: (at: Instant.Instant, limit: number) => Effect.Effect<ReadonlyArray<Batch>, StorageError, Read>
  }
>()("@trunkline/core/gateway/batches/BatchStore") {}
