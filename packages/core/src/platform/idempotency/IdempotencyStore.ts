/** Port: the keys under which requests ran, and their answers. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { ClaimedRun, KeyedRun, StoredResponse } from "./IdempotentRequest.ts"

export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Writes the run where the key has none, where its run has expired by `at`, or where the lease of the same request has
     * ended by then without an answer and it has not acted; else writes nothing. Of any number of concurrent callers one writes.
     */
    readonly claim: (run: KeyedRun, at: Instant.Instant) => Effect.Effect<boolean, StorageError, Tx>
    /** The run of a key, expired or not. After a `claim` that wrote nothing, in its transaction: the run that prevented it. */
    readonly find: (tenantId: Ids.AccountId, key: string) => Effect.Effect<KeyedRun | null, StorageError, Read>
    /** Makes the lease of the claimed run last until then; without its claim nothing changes. */
    readonly renew: (run: ClaimedRun, leaseUntil: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /**
     * Notes that the claimed run acts, in the transaction of what it does: both are committed or neither is. False, and nothing
     * changed, without its claim.
     */
    readonly act: (run: ClaimedRun) => Effect.Effect<boolean, StorageError, Tx>
    /** Ends the claimed run without an answer: one that has acted loses its lease at `at` and keeps its key, any other is removed. */
    readonly abandon: (run: ClaimedRun, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** Ends the claimed run with its answer, which is stored until `expiresAt`; false, and nothing changed, without its claim. */
    readonly complete: (
      run: ClaimedRun,
      answer: StoredResponse,
      expiresAt: Instant.Instant
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes the claimed run: the key is free. */
    readonly forget: (run: ClaimedRun) => Effect.Effect<void, StorageError, Tx>
    /** Removes up to `limit` runs that have expired by `at`, the oldest first; returns how many. */
    readonly sweep: (at: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/platform/idempotency/IdempotencyStore") {}
