/** An endpoint of an account with the events that it wants. Pure. */
import * as Schema from "effect/Schema"
import { Entity, Instant } from "../../platform/kernel/index.ts"
import * as Ids from "../WebhooksIds.ts"

/** The two kinds of subscriptions, which differ in their rules alone. Source: docs/reference/webhooks.md#surfaces. */
export type Surface = "platform" | "email"

/** How long deliveries to an endpoint are retried. Source: docs/reference/webhooks.md#retries. */
export const retrySchedules = ["standard", "long"] as const
export type RetrySchedule = (typeof retrySchedules)[number]

export interface Subscription {
  readonly id: Ids.WebhookId
  readonly tenantId: Ids.AccountId
  readonly surface: Surface
  readonly url: string
  readonly description: string | null
  /** Empty: every event of the surface. */
  readonly events: ReadonlyArray<string>
  /** Encrypted by the vault. */
  readonly secret: string
  /** Some characters of the secret, by which its owner recognises it. */
  readonly secretHint: string
  /** Signs as well until `previousUntil`. */
  readonly previousSecret: string | null
  readonly previousUntil: Instant.Instant | null
  readonly isActive: boolean
  /** Limits it to events about one agent. */
  readonly botId: Ids.BotId | null
  readonly retrySchedule: RetrySchedule
  /** Pauses itself after this number of days without a successful delivery; null: never. */
  readonly pauseAfterDays: number | null
  /** Since when every delivery has failed; null: the last one succeeded. */
  readonly failingSince: Instant.Instant | null
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}

/** Its row. */
export const subscriptionEntity = Schema.Struct({
  id: Ids.schema<"Webhook">(),
  tenantId: Ids.schema<"Account">(),
  surface: Schema.Literals(["platform", "email"]),
  url: Schema.String,
  description: Schema.NullOr(Schema.String),
  events: Schema.Array(Schema.String),
  secret: Schema.String,
  secretHint: Schema.String,
  previousSecret: Schema.NullOr(Schema.String),
  previousUntil: Schema.NullOr(Instant.Iso),
  isActive: Schema.Boolean,
  botId: Schema.NullOr(Ids.schema<"Bot">()),
  retrySchedule: Schema.Literals(retrySchedules),
  pauseAfterDays: Schema.NullOr(Schema.Int),
  failingSince: Schema.NullOr(Instant.Iso),
  createdAt: Instant.Iso,
  updatedAt: Instant.Iso
})

const shown = Schema.Struct({ ...subscriptionEntity.fields, previousSecretUntil: Schema.NullOr(Instant.Iso) })

/**
 * How a subscription to platform events is shown. `secret` is the decrypted one in the answer that creates it, and its hint in every
 * other answer.
 */
export const SubscriptionRecord = Entity.recordOf(shown, [
  "id",
  "tenantId",
  "url",
  "secret",
  "events",
  "isActive",
  "botId",
  "retrySchedule",
  "pauseAfterDays",
  "failingSince",
  "previousSecretUntil",
  "createdAt"
])

/** Which subscription, of which account. */
export type SubscriptionKey = Pick<Subscription, "tenantId" | "surface" | "id">

/** What a delivery's end changes of its subscription, unless another process has changed it since `previous` was read. */
export interface HealthChange extends Pick<Subscription, "failingSince"> {
  readonly previous: Subscription["failingSince"]
  /** Turns the subscription off. Only its owner turns it on. */
  readonly pauses: boolean
}

/** The encrypted secrets that sign at an instant, the present one first. */
export const signingSecrets = (
  { previousSecret, previousUntil, secret }: Pick<Subscription, "secret" | "previousSecret" | "previousUntil">,
  at: Instant.Instant
): ReadonlyArray<string> =>
  previousSecret !== null && previousUntil !== null && at < previousUntil ? [secret, previousSecret] : [secret]
