/** An endpoint of an account with the events that it wants. Pure. */
import type { Ids, Instant } from "../kernel/index.ts"

/** The two kinds of subscriptions, which differ in their rules alone. Source: docs/webhooks.md#surfaces. */
export type Surface = "platform" | "email"

/** How long deliveries to an endpoint are retried. Source: docs/webhooks.md#retries. */
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
