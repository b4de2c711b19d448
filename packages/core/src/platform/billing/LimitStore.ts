/** Port: the requests of a key in the last minute, and its concurrency slots, serialized by one row for each key. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

/** The n-th request of a key. Numbers have no gaps: a request that is refused has none. */
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
    /**
     * Locks the key until the end of the transaction. Returns the number of its last request, with `step` added to it.
     */
    readonly advanceSequence: (keyId: Ids.KeyId, step: 0 | 1) => Effect.Effect<number, StorageError, Tx>
    /** The oldest request after an instant. */
    readonly oldestAfter: (
      keyId: Ids.KeyId,
      after: Instant.Instant
    ) => Effect.Effect<KeyRequest | null, StorageError, Read>
    /** How many requests there are after an instant, and when the oldest of them was. */
    readonly window: (
      keyId: Ids.KeyId,
      after: Instant.Instant
    ) => Effect.Effect<{ readonly used: number; readonly oldest: Instant.Instant | null }, StorageError, Read>
    /** When the n-th request was, or the next one that there is: one of those after an instant. */
    readonly requestAt: (
      keyId: Ids.KeyId,
      seq: number,
      after: Instant.Instant
    ) => Effect.Effect<Instant.Instant | null, StorageError, Read>
    readonly addRequest: (keyId: Ids.KeyId, request: KeyRequest) => Effect.Effect<void, StorageError, Tx>
    /** Removes the oldest requests up to an instant, at most `limit` of them. */
    readonly trimRequests: (
      keyId: Ids.KeyId,
      until: Instant.Instant,
      limit: number
    ) => Effect.Effect<void, StorageError, Tx>
    /** Until when each slot of a key is acquired. */
    readonly slots: (keyId: Ids.KeyId) => Effect.Effect<ReadonlyArray<Instant.Instant>, StorageError, Read>
    readonly addSlot: (slot: KeySlot) => Effect.Effect<void, StorageError, Tx>
    /** Removes slots of a key that have expired. */
    readonly removeExpiredSlots: (keyId: Ids.KeyId, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** Removes up to `limit` slots of all keys that have expired, the oldest first; returns how many. */
    readonly sweepSlots: (at: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
    /** Makes a slot last until then; one that has expired and was removed stays removed. */
    readonly renewSlot: (slot: KeySlot) => Effect.Effect<void, StorageError, Tx>
    readonly removeSlot: (keyId: Ids.KeyId, id: Ids.UsageId) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/billing/LimitStore") {}
