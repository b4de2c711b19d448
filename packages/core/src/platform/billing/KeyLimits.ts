/** Rate limit and concurrency limit of a key: a request acquires both or neither. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Instant, tracedFn } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import {
  type AccessChanged,
  type Allowance,
  allowanceOf,
  type ConcurrencySlot,
  type KeyLimitRequest,
  type RateLimited,
  type TooManyAtOnce,
  windowMs
} from "./KeyLimitRequest.ts"
import { Ledger } from "./Ledger.ts"
import { LimitStore } from "./LimitStore.ts"

export class KeyLimits extends Context.Service<
  KeyLimits,
  {
    /**
     * Acquires one request of the sliding minute and one slot, or neither. Exact over any number of processes. Null where
     * the key has no limit a minute. Fails with `AccessChanged` where a remembered key or account has changed. Source: docs/reference/plans.md#rate.
     */
    readonly acquire: (
      request: KeyLimitRequest
    ) => Effect.Effect<Allowance | null, AccessChanged | RateLimited | TooManyAtOnce | StorageError>
    /** The present allowance, without acquiring anything: for the headers of refused requests. Null where there is no limit. */
    readonly allowance: (
      request: Pick<KeyLimitRequest, "keyId" | "perMinute">
    ) => Effect.Effect<Allowance | null, StorageError>
    /** Releases the slot, unless it was released already. */
    readonly release: (slot: ConcurrencySlot) => Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/platform/billing/KeyLimits") {
  static readonly layer = Layer.effect(
    KeyLimits,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const storage = yield* Storage
      const store = yield* LimitStore

      const allowance = tracedFn("KeyLimits.allowance")(function* ({
        keyId,
        perMinute
      }: Pick<KeyLimitRequest, "keyId" | "perMinute">) {
        if (perMinute === null) return null
        const now = yield* Instant.now
        const { oldest, used } = yield* store.window(keyId, Instant.plus(now, -windowMs))
        return allowanceOf({ limit: perMinute, used, oldest: oldest ?? now, now })
      }, storage.read)

      const release = (slot: ConcurrencySlot) => (slot.isReleased ? Effect.void : ledger.releaseSlot(slot))

      return KeyLimits.of({ acquire: ledger.acquire, allowance, release })
    })
  )
}
