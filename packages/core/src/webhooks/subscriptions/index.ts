/**
 * Decides which endpoints an account has, which events each receives, and what its secrets are.
 *
 * Needs     SubscriptionStore, Vault, Bots, Accounts, Outbound.   Emits  nothing.
 * Not here  what is sent to an endpoint: webhooks/deliveries. Promises HOOK-6 and HOOK-8 stand in the area.
 * Read      Subscription.ts, then Subscriptions.ts. Source: docs/reference/webhooks.md.
 */
export { type Rotation, SecretRotation } from "./SecretRotation.ts"
export {
  type HealthChange,
  type RetrySchedule,
  type Subscription,
  type SubscriptionKey,
  type Surface,
  subscriptionEntity
} from "./Subscription.ts"
export type { SubscriptionFilter } from "./SubscriptionFilter.ts"
export { SubscriptionStore } from "./SubscriptionStore.ts"
export {
  makeEmailSubscriptions,
  type NewSubscription,
  type SubscriptionChange,
  Subscriptions
} from "./Subscriptions.ts"
export type { CreatedSubscription } from "./WebhookSecret.ts"
