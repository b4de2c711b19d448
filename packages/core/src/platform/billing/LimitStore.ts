/** Port: the requests of a key in the last minute, beside what the ledger reads and writes of them. */
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
  }
>()("@trunkline/core/platform/billing/LimitStore") {}
