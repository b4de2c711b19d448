/** How often, and how many at a time, a key may ask: taken together or not at all. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Ids } from "../kernel/index.ts"
import type { StorageError } from "../storage/index.ts"

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

/** What the rate-limit headers say. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** Until the oldest request of the window leaves it. */
  readonly resetSeconds: number
}

export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  limit: Schema.Int,
  retryAfterSeconds: Schema.Int
}) {}

export class TooManyAtOnce extends Schema.TaggedError<TooManyAtOnce>()("TooManyAtOnce", { limit: Schema.Int }) {}

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
    readonly giveBack: (id: Ids.UsageId) => Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/billing/KeyLimits") {}
