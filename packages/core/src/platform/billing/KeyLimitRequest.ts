/** A request as the limits of its key see it: one of a sliding minute, and one of those that run at once. Source: docs/reference/plans.md#rate. */
import * as Schema from "effect/Schema"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"

export interface KeyLimitRequest {
  /** Of the slot that is acquired, by which it is released. */
  readonly id: Ids.UsageId
  /** Whose key it is. */
  readonly tenantId: Ids.AccountId
  readonly keyId: Ids.KeyId
  /** Requests in any 60 seconds; null for no limit. */
  readonly perMinute: number | null
  readonly concurrency: number
  /** The version at which the key and its account were remembered. Null or absent: they were read for this request. */
  readonly version?: number | null
}

/** A slot that was acquired. */
export interface ConcurrencySlot extends Pick<KeyLimitRequest, "id" | "tenantId" | "keyId"> {
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

/** The key or its account has changed since it was remembered: who asks must be judged again before it is admitted. */
export class AccessChanged extends Schema.TaggedError<AccessChanged>()("AccessChanged", {}) {}

/** The length of the window. */
export const windowMs = Instant.minute

export const allowanceOf = ({
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
export const untilLeft = (at: Instant.Instant, now: Instant.Instant): number =>
  Math.ceil((at + windowMs - now) / Instant.second)
