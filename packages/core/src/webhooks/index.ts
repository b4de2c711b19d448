/**
 * Decides which endpoints receive an event, how, and how often it is tried.
 *
 * Promises  HOOK-1 a committed event is delivered or shows as failed, whichever process dies when.
 *           HOOK-2 no delivery is POSTed more often than its schedule says, none early, and none after one success.
 *           HOOK-3 at every attempt the address that is connected to has passed the address policy.
 *           HOOK-4 an endpoint that is slow or dead delays no other.
 *           HOOK-5 every POST is signed with the subscription's present secrets, over the bytes that are sent.
 *           HOOK-6 a paused subscription gets nothing; what was due continues when it is active again.
 *           HOOK-7 what was sent is not sent again because its end could not be written.
 *           HOOK-8 a subscription's secret is shown once, and stored encrypted.
 * Needs     SubscriptionStore, DeliveryStore, EmailSuppressionStore, Outbound (node), Vault, Bots, Accounts.   Emits  nothing.
 * Not here  the catalogue of events (events), and when they happen (every room).
 * Read      Subscription.ts, Delivery.ts, FairScheduler.ts, then Deliverer.ts. Source: docs/webhooks.md.
 */
export * as AddressPolicy from "./AddressPolicy.ts"
export { type CheckedTarget, checkedTargets } from "./CheckedTargets.ts"
export { Deliverer } from "./Deliverer.ts"
export { Deliveries, type DeliveryKey, EmailDeliveries, type Recovery } from "./Deliveries.ts"
export { type AttemptResult, type Delivery, type DeliveryStatus, deliveryEntity, type Outcome } from "./Delivery.ts"
export { DeliverySignal } from "./DeliverySignal.ts"
export {
  type ClaimedDelivery,
  type DeliveryEnd,
  type DeliveryEntry,
  DeliveryStore,
  type LogFilter
} from "./DeliveryStore.ts"
export { EmailEntryNotFound, type EmailReport, EmailReportRefused, EmailReports } from "./EmailReports.ts"
export {
  type EmailReason,
  type EmailSuppression,
  EmailSuppressionStore,
  emailSuppressionEntity
} from "./EmailSuppressionStore.ts"
export { Outbound, type OutboundAnswer, OutboundFailed, type OutboundPost, type OutboundRequest } from "./Outbound.ts"
export { OutboundSettings } from "./OutboundSettings.ts"
export { PortalPage } from "./PortalPage.ts"
export { frameAncestorFault, isFrameAncestor, type PortalSettings } from "./PortalSettings.ts"
export { languageOf, type WordFault, wordFaults } from "./PortalWords.ts"
export { type Rotation, SecretRotation } from "./SecretRotation.ts"
export { Sender } from "./Sender.ts"
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
  EmailSubscriptions,
  type NewSubscription,
  type SubscriptionChange,
  Subscriptions
} from "./Subscriptions.ts"
export { type TestResult, TestSend } from "./TestSend.ts"
export {
  DeliveryNotFound,
  WebhookNotFound,
  WebhookPaused,
  WebhookUrlRefused
} from "./WebhookErrors.ts"
export { webhookErrors } from "./WebhookErrorTable.ts"
export * as WebhookFanOut from "./WebhookFanOut.ts"
export type { CreatedSubscription } from "./WebhookSecret.ts"
export { standardLimits, WebhookSettings } from "./WebhookSettings.ts"
export { Room } from "./WebhooksRoom.ts"
