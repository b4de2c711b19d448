/** Rate limit and concurrency limit of a key: a request acquires both or neither. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Instant, tracedFn } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { Storage, type StorageError, type Tx } from "../storage/index.ts"
import { LimitStore } from "./LimitStore.ts"

export interface KeyLimitRequest {
  /** Of the slot that is acquired, by which it is released. */
  readonly id: Ids.UsageId
  readonly keyId: Ids.KeyId
  /** Requests in any 60 seconds; null for no limit. */
  readonly perMinute: number | null
  readonly concurrency: number
  /** A slot that was neither released nor renewed expires after this time. */
  readonly leaseMs: number
}

/** A slot that was acquired. */
export interface ConcurrencySlot extends Pick<KeyLimitRequest, "id" | "keyId"> {
  /** True once it has been released: a second release does nothing. */
  isReleased: boolean
}

/** The values of the rate-limit headers. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Until the oldest request of the window leaves it. */
  readonly resetSeconds: number
}

export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  limit: Schema.Int,
  /** Until a request of the window leaves it. */
  retryAfterSeconds: Schema.Int
}) {}

export class TooManyAtOnce extends Schema.TaggedError<TooManyAtOnce>()("TooManyAtOnce", { limit: Schema.Int }) {}

/** The length of the window. */
const windowMs = Instant.minute

/** After every 16 requests up to 64 old ones are removed: more than were added, so that they never accumulate. */
const trimEvery = 16
const trimBatch = 64

/** Slots that are removed in one transaction. */
const sweepBatch = 500

const allowanceOf = ({
  limit,
  now,
  oldest,
  used
}: {
  readonly limit: number
  readonly used: number
  readonly oldest: Instant.Instant
  readonly now: Instant.Instant
}): Allowance => ({
  limit,
  // More requests than the limit may have passed before it was lowered.
  remaining: Math.max(0, limit - used),
  resetSeconds: used === 0 ? 0 : untilLeft(oldest, now)
})

/** Seconds until a request leaves the window, rounded up: a client that waits for this time is past it. */
const untilLeft = (at: Instant.Instant, now: Instant.Instant) => Math.ceil((at + windowMs - now) / Instant.second)

export class KeyLimits extends Context.Service<
  KeyLimits,
  {
    /**
     * Acquires one request of the sliding minute and one slot, or neither. Exact over any number of processes. Null where
     * the key has no limit a minute. Source: docs/reference/plans.md#rate.
     */
    readonly acquire: (
      request: KeyLimitRequest
    ) => Effect.Effect<Allowance | null, RateLimited | TooManyAtOnce | StorageError>
    /** The present allowance, without acquiring anything: for the headers of refused requests. Null where there is no limit. */
    readonly allowance: (
      request: Pick<KeyLimitRequest, "keyId" | "perMinute">
    ) => Effect.Effect<Allowance | null, StorageError>
    /** Makes the slot last until then, as a part of a transaction that is made anyway. */
    readonly renew: (
      slot: Pick<KeyLimitRequest, "id" | "keyId">,
      until: Instant.Instant
    ) => Effect.Effect<void, StorageError, Tx>
    /** Releases the slot as a part of a transaction that is made anyway. Its caller sets `isReleased` after the commit. */
    readonly release: (slot: ConcurrencySlot) => Effect.Effect<void, StorageError, Tx>
    /** Releases the slot in a transaction of its own, unless it was released already. */
    readonly releaseUnlessReleased: (slot: ConcurrencySlot) => Effect.Effect<void, StorageError>
    /** Removes expired slots, those of processes that died; returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/platform/billing/KeyLimits") {
  static readonly layer = Layer.effect(
    KeyLimits,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* LimitStore
      const relaxed = storage.transactWith({ durability: "relaxed" })

      const acquire = tracedFn("KeyLimits.acquire")(function* (request: KeyLimitRequest) {
        const { concurrency, id, keyId, leaseMs, perMinute } = request
        const seq = yield* store.advanceSequence(keyId, perMinute === null ? 0 : 1)
        // Read only now: a caller that waited for the row would otherwise write an instant before that of its predecessor.
        const now = yield* Instant.now
        const windowStart = Instant.plus(now, -windowMs)
        const oldest = perMinute === null ? null : yield* store.oldestAfter(keyId, windowStart)
        const before = oldest === null ? 0 : seq - oldest.seq
        if (perMinute !== null && before >= perMinute) {
          const blocking = yield* store.requestAt(keyId, seq - perMinute, windowStart)
          return yield* new RateLimited({ limit: perMinute, retryAfterSeconds: untilLeft(blocking ?? now, now) })
        }
        const slots = yield* store.slots(keyId)
        const acquired = slots.filter((until) => until > now).length
        if (acquired >= concurrency) return yield* new TooManyAtOnce({ limit: concurrency })
        if (acquired < slots.length) yield* store.removeExpiredSlots(keyId, now)
        yield* store.addSlot({ id, keyId, until: Instant.plus(now, leaseMs) })
        if (perMinute === null) return null
        if (seq % trimEvery === 0) yield* store.trimRequests(keyId, windowStart, trimBatch)
        yield* store.addRequest(keyId, { seq, at: now })
        return allowanceOf({ limit: perMinute, used: before + 1, oldest: oldest?.at ?? now, now })
        // A request that a power cut ends no longer needs its slot.
      }, relaxed)

      const allowance = tracedFn("KeyLimits.allowance")(function* ({
        keyId,
        perMinute
      }: Pick<KeyLimitRequest, "keyId" | "perMinute">) {
        if (perMinute === null) return null
        const now = yield* Instant.now
        const { oldest, used } = yield* store.window(keyId, Instant.plus(now, -windowMs))
        return allowanceOf({ limit: perMinute, used, oldest: oldest ?? now, now })
      }, storage.read)

      const renew: KeyLimits["Service"]["renew"] = ({ id, keyId }, until) => store.renewSlot({ id, keyId, until })

      const release = ({ id, keyId }: ConcurrencySlot) => store.removeSlot(keyId, id)

      const releaseUnlessReleased = (slot: ConcurrencySlot) => (slot.isReleased ? Effect.void : relaxed(release(slot)))

      const sweep = Effect.gen(function* () {
        for (let removed = 0; ; ) {
          const some = yield* relaxed(store.sweepSlots(yield* Instant.now, sweepBatch))
          removed += some
          if (some < sweepBatch) return removed
        }
      })

      return KeyLimits.of({ acquire, allowance, renew, release, releaseUnlessReleased, sweep })
    })
  )
}
