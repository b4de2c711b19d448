/** Port: the requests of a key in the last minute, and its concurrency slots, beside what the ledger reads and writes of them. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

/**
 * The n-th request of a key. It stands for those after it up to the next one that is stored: they were admitted at the same instant.
 * Numbers have no gaps: a request that is refused has none.
 */
export interface KeyRequest {
  readonly seq: number
  readonly at: Instant.Instant
}

/** A slot of a key, which expires by itself. */
export interface KeySlot {
  readonly id: Ids.UsageId
  readonly keyId: Ids.KeyId
  readonly until: Instant.Instant
}

export class LimitStore extends Context.Service<
  LimitStore,
  {
    /** How many requests there are after an instant, and when the oldest of them was. */
    readonly window: (
      keyId: Ids.KeyId,
      after: Instant.Instant
    ) => Effect.Effect<{ readonly used: number; readonly oldest: Instant.Instant | null }, StorageError, Read>
    /** When the n-th request was; null where it was not after an instant. */
    readonly requestAt: (
      keyId: Ids.KeyId,
      seq: number,
      after: Instant.Instant
    ) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    /** Removes the oldest stored requests up to an instant, at most `limit` of them. */
    readonly trimRequests: (
      keyId: Ids.KeyId,
      until: Instant.Instant,
      limit: number
    ) => Effect.Effect<void, StorageError, Tx>
    /** Removes slots of a key that have expired. */
    readonly removeExpiredSlots: (keyId: Ids.KeyId, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** Removes up to `limit` slots of all keys that have expired, the oldest first; returns how many. */
    readonly sweepSlots: (at: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
    /** Makes a slot last until then; one that has expired and was removed stays removed. */
    readonly renewSlot: (slot: KeySlot) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/LimitStore") {}
