/** Port: the keys under which requests ran, and what was answered. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { KeptAnswer } from "./Idempotency.ts"

/** A key of an account, and the request that has it. */
export interface KeyedRun {
  readonly tenantId: Ids.AccountId
  readonly key: string
  readonly fingerprint: string
  /** Proves the run that is under way; null when it has ended. */
  readonly claim: string | null
  readonly leaseUntil: Instant.Instant | null
  /** Null while it runs. */
  readonly answer: KeptAnswer | null
  readonly expiresAt: Instant.Instant
}

/** Which run of a key is meant: one that has ended, or that another has replaced, has no such claim any more. */
export interface ClaimedRun {
  readonly tenantId: Ids.AccountId
  readonly key: string
  readonly claim: string
}

export class IdempotencyStore extends Context.Service<
  IdempotencyStore,
  {
    /**
     * Writes the run where nothing stands, where what stands has expired by `at`, or where the same request's lease has
     * ended by then without an answer; else writes nothing. Of any number of callers at once one writes.
     */
    readonly take: (run: KeyedRun, at: Instant.Instant) => Effect.Effect<boolean, StorageError, Tx>
    /** What stands under a key, expired or not. After a `take` that wrote nothing, in its transaction: what stood in its way. */
    readonly find: (tenantId: Ids.AccountId, key: string) => Effect.Effect<KeyedRun | null, StorageError, Read>
    /** Ends the claimed run with its answer, which is kept until `expiresAt`; false, and nothing changed, without its claim. */
    readonly keep: (
      run: ClaimedRun,
      answer: KeptAnswer,
      expiresAt: Instant.Instant
    ) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes the claimed run: the key is free. */
    readonly forget: (run: ClaimedRun) => Effect.Effect<void, StorageError, Tx>
    /** Removes up to `limit` of what has expired by `at`, the oldest first; tells how many. */
    readonly sweep: (at: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
  }
>()("@trunkline/core/inference/IdempotencyStore") {}
