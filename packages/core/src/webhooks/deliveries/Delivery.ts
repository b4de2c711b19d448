/** The life of one delivery: what an attempt changes, and when the next one is made. Pure. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import type { RetrySchedule, Surface } from "../subscriptions/Subscription.ts"
import * as Ids from "../WebhooksIds.ts"

export const deliveryStatuses = ["pending", "delivered", "failed", "blocked"] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface Delivery {
  readonly id: Ids.DeliveryId
  readonly tenantId: Ids.AccountId
  readonly webhookId: Ids.WebhookId
  readonly surface: Surface
  readonly event: string
  /** The JSON text of the body, which is signed and sent; a team chat gets another body. */
  readonly payload: string
  readonly status: DeliveryStatus
  /** Attempts that were begun, and claims whose process died or stood still until they expired. */
  readonly attempts: number
  readonly statusCode: number | null
  readonly error: string | null
  /** Email: the send that the event is about, if it is known. */
  readonly sendId: string | null
  readonly createdAt: Instant.Instant
  readonly lastAttemptAt: Instant.Instant | null
  readonly deliveredAt: Instant.Instant | null
  /** When the next attempt is due, or the present claim expires. Null: it has ended. */
  readonly nextAt: Instant.Instant | null
  /** The token of the present claim: an end under another token is not written. */
  readonly claim: string | null
}

/** Its row. */
export const deliveryEntity = Schema.Struct({
  id: Ids.schema<"Delivery">(),
  tenantId: Ids.schema<"Account">(),
  webhookId: Ids.schema<"Webhook">(),
  surface: Schema.Literals(["platform", "email"]),
  event: Schema.String,
  payload: Schema.String,
  status: Schema.Literals(deliveryStatuses),
  attempts: Schema.Int,
  statusCode: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  sendId: Schema.NullOr(Schema.String),
  createdAt: Instant.Iso,
  lastAttemptAt: Schema.NullOr(Instant.Iso),
  deliveredAt: Schema.NullOr(Instant.Iso),
  nextAt: Schema.NullOr(Instant.Iso),
  claim: Schema.NullOr(Schema.String)
})

const shown = Schema.Struct({
  ...deliveryEntity.fields,
  success: Schema.Boolean,
  nextAttemptAt: Schema.NullOr(Instant.Iso)
})

/** How a delivery of a platform event is shown in a list. */
export const DeliveryRecord = Entity.recordOf(shown, [
  "id",
  "webhookId",
  "event",
  "status",
  "statusCode",
  "attempts",
  "success",
  "error",
  "createdAt",
  "deliveredAt",
  "nextAttemptAt"
])

/** When the next attempt is made; null while one is under way, and when none follows. */
export const nextAttemptAt = ({ claim, nextAt }: Pick<Delivery, "claim" | "nextAt">): Instant.Instant | null =>
  claim === null ? nextAt : null

/** How one attempt ended. Its sentence is for the owner of the endpoint. */
export type Outcome =
  | { readonly _tag: "Answered"; readonly status: number }
  | { readonly _tag: "Failed"; readonly error: string }
  /** Nothing may be sent to the address: no request was made. */
  | { readonly _tag: "Blocked"; readonly error: string }

/** How an attempt ends at its deadline. */
export const late = (timeoutMs: number): Outcome => ({
  _tag: "Failed",
  error: `No answer within ${timeoutMs / 1000} seconds.`
})

/** What an attempt changes of its row. */
export type AttemptResult = Pick<
  Delivery,
  "status" | "attempts" | "statusCode" | "error" | "lastAttemptAt" | "deliveredAt" | "nextAt"
>

const seconds = (values: ReadonlyArray<number>) => values.map((value) => value * Instant.second)

/** The wait after each failed attempt of the standard schedules. Source: docs/reference/webhooks.md#retries. */
const standard: Record<Surface, ReadonlyArray<number>> = {
  platform: seconds([2, 4, 8, 16]),
  email: seconds([5, 25])
}

/** What the long schedule adds: 5 and 30 minutes, then hours, three days in all. */
const long = [5 * Instant.minute, 30 * Instant.minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * Instant.hour)]

const waits = (surface: Surface, schedule: RetrySchedule): ReadonlyArray<number> =>
  schedule === "long" ? [...standard[surface], ...long] : standard[surface]

/** How many attempts one delivery gets. */
export const maxAttempts = (surface: Surface, schedule: RetrySchedule): number => waits(surface, schedule).length + 1

/** Email attempts spread by a fifth to either side; `chance` lies between 0 and 1. */
const spread = 0.2
const spreadOf = (surface: Surface, chance: number): number => (surface === "email" ? 1 + spread * (2 * chance - 1) : 1)

/** Source: docs/reference/webhooks.md#retries. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/**
 * A delivery after its attempt number `attempt` (from 1) has ended at `at`. An attempt is never early: its wait begins when
 * the one before has ended. Source: docs/reference/webhooks.md#retries.
 */
export const afterAttempt = (
  {
    attempt,
    schedule,
    surface
  }: { readonly attempt: number; readonly surface: Surface; readonly schedule: RetrySchedule },
  outcome: Outcome,
  at: Instant.Instant,
  chance: number
): AttemptResult => {
  const made = { attempts: attempt, lastAttemptAt: at, deliveredAt: null, statusCode: null }
  if (outcome._tag === "Answered" && isSuccess(outcome.status)) {
    return { ...made, status: "delivered", statusCode: outcome.status, error: null, deliveredAt: at, nextAt: null }
  }
  if (outcome._tag === "Blocked" && surface === "email") {
    return { ...made, status: "blocked", attempts: attempt - 1, error: outcome.error, nextAt: null }
  }
  const failure =
    outcome._tag === "Answered"
      ? { ...made, statusCode: outcome.status, error: sentenceOf(outcome.status) }
      : { ...made, error: outcome.error }
  const wait = waits(surface, schedule)[attempt - 1]
  return wait === undefined
    ? { ...failure, status: "failed", nextAt: null }
    : { ...failure, status: "pending", nextAt: Instant.plus(at, Math.ceil(wait * spreadOf(surface, chance))) }
}

const sentenceOf = (status: number): string =>
  status >= 300 && status < 400
    ? `The endpoint answered ${status}: redirects are not followed, so enter the address that it leads to.`
    : `The endpoint answered ${status}; a delivery succeeds with a status from 200 to 299.`

/** A delivery whose process died during its last attempt. */
export const lost = (attempts: number): Pick<Delivery, "status" | "error" | "nextAt"> => ({
  status: "failed",
  nextAt: null,
  error: `The server ended during attempt ${attempts}, which was the last: whether it arrived is not known.`
})
