/** Somebody's wish to hear of events at an address. Pure. */
import type { Ids, Instant } from "../kernel/index.ts"

/** The two kinds of subscriptions, which share everything but their rules. Source: docs/webhooks.md#surfaces. */
export type Surface = "platform" | "email"

/** How long an endpoint is tried again. Source: docs/webhooks.md#retries. */
export type RetrySchedule = "standard" | "long"

export interface Subscription {
  readonly id: Ids.WebhookId
  readonly tenantId: Ids.AccountId
  readonly surface: Surface
  readonly url: string
  readonly description: string | null
  /** Empty: every event of the surface. */
  readonly events: ReadonlyArray<string>
  /** As the vault sealed it. */
  readonly secret: string
  /** The first and last characters of the secret, to recognise it by. */
  readonly secretHint: string
  /** Signs beside the present one until `previousUntil`. */
  readonly previousSecret: string | null
  readonly previousUntil: Instant.Instant | null
  readonly isActive: boolean
  /** Limits it to events about one agent. */
  readonly botId: Ids.BotId | null
  readonly retrySchedule: RetrySchedule
  /** Turns itself off after so many days without a delivery that succeeded; null: never. */
  readonly pauseAfterDays: number | null
  /** Since when every delivery has ended as failed; null: the last one that ended succeeded. */
  readonly failingSince: Instant.Instant | null
  readonly createdAt: Instant.Instant
  readonly updatedAt: Instant.Instant
}

/** The secrets that sign at an instant, the present one first, as sealed. */
export const signing = (
  { previousSecret, previousUntil, secret }: Pick<Subscription, "secret" | "previousSecret" | "previousUntil">,
  at: Instant.Instant
): ReadonlyArray<string> =>
  previousSecret !== null && previousUntil !== null && at < previousUntil ? [secret, previousSecret] : [secret]
