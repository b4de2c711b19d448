/** How often, and how many at a time, a key may ask: taken together or not at all. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../storage/index.ts"
import { LimitStore } from "./LimitStore.ts"

export interface Asked {
  /** Names the place that is taken, so that it can be given back. */
  readonly id: Ids.UsageId
  readonly keyId: Ids.KeyId
  /** Requests in any 60 seconds; null for no limit. */
  readonly perMinute: number | null
  readonly concurrency: number
  /** After so long the place is free again by itself: longer than a request may take. */
  readonly leaseMs: number
}

/** A place that was taken. */
export interface Place extends Pick<Asked, "id" | "keyId"> {
  /** True once somebody has given it back, so that nobody else needs to. */
  isLeft: boolean
}

/** What the rate-limit headers say. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Until the oldest request of the window leaves it. */
  readonly resetSeconds: number
}

export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  limit: Schema.Int,
  /** Until the request that stands in the way leaves the window. */
  retryAfterSeconds: Schema.Int
}) {}

export class TooManyAtOnce extends Schema.TaggedError<TooManyAtOnce>()("TooManyAtOnce", { limit: Schema.Int }) {}

/** The length of the window. */
const windowMs = Instant.minute

/** Each so many requests so many of the old ones are removed: more than came, so that they never pile up. */
const dropEvery = 16
const dropped = 64

/** Places that go in one transaction. */
const sweptTogether = 500

const allowance = (limit: number, used: number, oldest: Instant.Instant, now: Instant.Instant): Allowance => ({
  limit,
  // More than the limit were let in before it was lowered.
  remaining: Math.max(0, limit - used),
  resetSeconds: used === 0 ? 0 : untilLeft(oldest, now)
})

/** Seconds until an instant's window is over, rounded up: whoever waits for as long is past it. */
const untilLeft = (at: Instant.Instant, now: Instant.Instant) => Math.ceil((at + windowMs - now) / Instant.second)

export class KeyLimits extends Context.Service<
  KeyLimits,
  {
    /**
     * Takes one request of the sliding minute and one place, or neither. Exact over any number of processes. Null where
     * the key has no limit a minute. Source: docs/plans.md#rate.
     */
    readonly take: (asked: Asked) => Effect.Effect<Allowance | null, RateLimited | TooManyAtOnce | StorageError>
    /**
     * What `take` would leave the headers to say, without taking anything: for answers to requests that are refused before
     * or by it. Null where the key has no limit a minute.
     */
    readonly look: (asked: Pick<Asked, "keyId" | "perMinute">) => Effect.Effect<Allowance | null, StorageError>
    /** Gives the place back; a second time does nothing. */
    readonly giveBack: (place: Place) => Effect.Effect<void, StorageError>
    /** The same as a part of a transaction that is made anyway. Whoever commits it notes that the place is left. */
    readonly leave: (place: Place) => Effect.Effect<void, StorageError, Tx>
    /** Removes places whose time is over, those of processes that died: returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/billing/KeyLimits") {
  static readonly layer = Layer.effect(
    KeyLimits,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* LimitStore

      const relaxed = storage.transactWith({ durability: "relaxed" })

      const take = Effect.fn("KeyLimits.take")(function* ({ concurrency, id, keyId, leaseMs, perMinute }: Asked) {
        const seq = yield* store.enter(keyId, perMinute === null ? 0 : 1)
        // Told only now: whoever had to wait for the row would else write an instant before that of its predecessor.
        const now = yield* Instant.now
        const left = Instant.plus(now, -windowMs)
        const oldest = perMinute === null ? null : yield* store.oldestAfter(keyId, left)
        const before = oldest === null ? 0 : seq - oldest.seq
        if (perMinute !== null && before >= perMinute) {
          const blocking = yield* store.requestAt(keyId, seq - perMinute, left)
          return yield* new RateLimited({ limit: perMinute, retryAfterSeconds: untilLeft(blocking ?? now, now) })
        }
        const places = yield* store.places(keyId)
        const taken = places.filter((until) => until > now).length
        if (taken >= concurrency) return yield* new TooManyAtOnce({ limit: concurrency })
        if (taken < places.length) yield* store.dropPlaces(keyId, now)
        yield* store.addPlace(id, keyId, Instant.plus(now, leaseMs))
        if (perMinute === null) return null
        if (seq % dropEvery === 0) yield* store.dropRequests(keyId, left, dropped)
        yield* store.addRequest(keyId, { seq, at: now })
        return allowance(perMinute, before + 1, oldest?.at ?? now, now)
        // A request that a power cut ends needs no place any more.
      }, relaxed)

      const look = Effect.fn("KeyLimits.look")(function* ({ keyId, perMinute }: Pick<Asked, "keyId" | "perMinute">) {
        if (perMinute === null) return null
        const now = yield* Instant.now
        const { oldest, used } = yield* store.window(keyId, Instant.plus(now, -windowMs))
        return allowance(perMinute, used, oldest ?? now, now)
      }, storage.read)

      const leave = ({ id, keyId }: Place) => store.removePlace(keyId, id)

      const sweep = Effect.gen(function* () {
        for (let removed = 0; ; ) {
          const some = yield* relaxed(store.sweepPlaces(yield* Instant.now, sweptTogether))
          removed += some
          if (some < sweptTogether) return removed
        }
      })

      return KeyLimits.of({
        sweep,
        take,
        look,
        giveBack: (place) => (place.isLeft ? Effect.void : relaxed(leave(place))),
        leave
      })
    })
  )
}
