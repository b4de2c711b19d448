/** One attempt of a claimed delivery as a value: how it ended, and its row. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Instant } from "../../platform/kernel/index.ts"
import type * as Ids from "../WebhooksIds.ts"
import { afterAttempt, lost, maxAttempts, type Outcome } from "./Delivery.ts"
import type { ClaimedDelivery, DeliveryEnd } from "./DeliveryStore.ts"

/** A defect or a stop must not leave the row without an end: it would be retried as if nothing had been sent. */
export const outcomeOf = (exit: Exit.Exit<Outcome>): Outcome => {
  if (Exit.isSuccess(exit)) return exit.value
  return {
    _tag: "Failed",
    error: isFault(exit) ? "The attempt failed inside the service." : "The server was stopped before an answer came."
  }
}

/** Writes a fault of ours to the log. */
export const logFault = (id: Ids.DeliveryId, exit: Exit.Exit<Outcome>): Effect.Effect<void> =>
  isFault(exit) ? Effect.logError("a delivery failed", id, exit.cause) : Effect.void

const isFault = (exit: Exit.Exit<Outcome>): exit is Exit.Failure<Outcome, never> =>
  Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)

/** `chance`, between 0 and 1, spreads the next attempt. */
export const endOf = (
  { attempts: attempt, id, retrySchedule: schedule, surface }: ClaimedDelivery,
  ended: { readonly claim: string; readonly outcome: Outcome; readonly at: Instant.Instant; readonly chance: number }
): DeliveryEnd => ({
  ...afterAttempt({ attempt, schedule, surface }, ended.outcome, ended.at, ended.chance),
  id,
  claim: ended.claim
})

/** True when the claim of the last attempt expired: the process that made it died before it could write the end. */
export const isLost = ({ attempts, retrySchedule, surface }: ClaimedDelivery): boolean =>
  attempts > maxAttempts(surface, retrySchedule)

/** The end of a lost row. The claim has counted an attempt that is not made. */
export const lostEnd = ({ attempts, id }: ClaimedDelivery, claim: string, at: Instant.Instant): DeliveryEnd => ({
  ...lost(attempts - 1),
  id,
  claim,
  attempts: attempts - 1,
  statusCode: null,
  lastAttemptAt: at,
  deliveredAt: null
})

/** A claim is released before its attempt has begun: the row is as it was, and due since the claim's instant. */
export const unbegunEnd = (
  { attempts, error, id, lastAttemptAt, statusCode }: ClaimedDelivery,
  claim: string,
  at: Instant.Instant
): DeliveryEnd => ({
  id,
  claim,
  status: "pending",
  attempts: attempts - 1,
  statusCode,
  error,
  lastAttemptAt,
  deliveredAt: null,
  nextAt: at
})
