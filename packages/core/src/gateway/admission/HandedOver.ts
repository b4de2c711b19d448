/**
 * Requests that a relay has admitted and hands over to their route: what has been done for one is not done again. By the host's request
 * object.
 */
import type * as Effect from "effect/Effect"
import type { Principal } from "../../platform/accounts/index.ts"
import type { Allowance, ConcurrencySlot } from "../../platform/billing/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import type * as Ids from "../GatewayIds.ts"
import type { UpstreamFailed } from "../upstreams/Upstream.ts"

/** The first attempt of a request, which has failed. */
export interface FailedAttempt {
  /** Proves its run under its Idempotency-Key; null without one. */
  readonly claim: string | null
  /** Releases the reservation and the Idempotency-Key of a request whose run does not begin. */
  readonly release: Effect.Effect<void>
  readonly failure: UpstreamFailed
  readonly endedAt: Instant.Instant
  /** True once its run goes on with it, which ends the reservation. */
  isTaken: boolean
}

export interface HandedOver {
  readonly principal: Principal
  readonly usageId: Ids.UsageId
  readonly startedAt: Instant.Instant
  readonly slot: ConcurrencySlot
  readonly allowance: Allowance | null
  /** Null where no upstream was asked, and nothing is reserved. */
  readonly attempt: FailedAttempt | null
}

export const handedOver = new WeakMap<object, HandedOver>()
