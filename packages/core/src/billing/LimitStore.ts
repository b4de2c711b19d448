/** Port: the requests of a key in the last minute, and its places, behind one row that writers queue at. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Ids, Instant } from "../kernel/index.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"

/** The n-th request of a key. Numbers have no gaps: a request that is refused has none. */
export interface KeyRequest {
  readonly seq: number
  readonly at: Instant.Instant
}

export class LimitStore extends Context.Service<
  LimitStore,
  {
    /**
     * Makes everybody else who asks for this key wait until the end of the transaction. Tells the number of its last
     * request, with `step` added to it.
     */
    readonly enter: (keyId: Ids.KeyId, step: 0 | 1) => Effect.Effect<number, StorageError, Tx>
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
    /** Removes the oldest requests up to an instant, at most so many. */
    readonly dropRequests: (
      keyId: Ids.KeyId,
      until: Instant.Instant,
      limit: number
    ) => Effect.Effect<void, StorageError, Tx>
    /** Until when each place of a key is taken. */
    readonly places: (keyId: Ids.KeyId) => Effect.Effect<ReadonlyArray<Instant.Instant>, StorageError, Read>
    readonly addPlace: (
      id: Ids.UsageId,
      keyId: Ids.KeyId,
      until: Instant.Instant
    ) => Effect.Effect<void, StorageError, Tx>
    /** Removes places whose time is over. */
    readonly dropPlaces: (keyId: Ids.KeyId, at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
    /** Removes up to `limit` places of all keys whose time is over at an instant, the oldest first; returns how many. */
    readonly sweepPlaces: (at: Instant.Instant, limit: number) => Effect.Effect<number, StorageError, Tx>
    readonly removePlace: (keyId: Ids.KeyId, id: Ids.UsageId) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/billing/LimitStore") {}
