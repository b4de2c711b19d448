/**
 * Port: the queue of accounts with batches that have not ended. One process has an account at a time, so that the lines of all its
 * batches run side by side as their limit says.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../GatewayIds.ts"

/** An account, and what proves that it was claimed. */
export interface BatchClaim {
  readonly tenantId: Ids.AccountId
  readonly claim: string
}

export class BatchQueueStore extends Context.Service<
  BatchQueueStore,
  {
    /** Adds the account, due at once, or leaves it as it is. Until the end of the transaction nobody removes it. */
    readonly add: (tenantId: Ids.AccountId, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** How many batches of an account have not ended. Exact once the account has been added in the same transaction. */
    readonly countOpen: (tenantId: Ids.AccountId) => Effect.Effect<number, StorageError, Read>
    /**
     * Claims accounts that are due, the longest due first, until `until`; two processes never get the same one. An account whose
     * claim has run out is due again. Waits for no other transaction.
     */
    readonly claimDue: (wanted: {
      readonly at: Instant.Instant
      readonly until: Instant.Instant
      readonly claim: string
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Ids.AccountId>, StorageError, Tx>
    /**
     * Renews a claim; false where another process has the account. Once true, nobody else can claim it before the end of this
     * transaction: what a worker writes, it writes after this.
     */
    readonly renew: (claim: BatchClaim, until: Instant.Instant) => Effect.Effect<boolean, StorageError, Tx>
    /** Ends a claim: the account is due at `at`. */
    readonly release: (claim: BatchClaim, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** Removes an account that is claimed and has no open batch. */
    readonly remove: (claim: BatchClaim) => Effect.Effect<void, StorageError, Tx>
    /** When the next account is due, or its claim runs out. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError, Read>
  }
>()("@trunkline/core/gateway/batches/BatchQueueStore") {}
