/**
 * Decides who is told of an event outside, how, and how often.
 *
 * Promises  HOOK-1 an event that was committed is delivered or shows as failed, whichever process dies when.
 *           HOOK-2 no delivery is POSTed more often than its schedule says, none early, and none after one success.
 *           HOOK-3 at every attempt the address that is connected to has been judged.
 *           HOOK-4 an endpoint that is slow or dead holds up nobody else.
 *           HOOK-5 every POST is signed with the subscription's present secrets, over the bytes that are sent.
 *           HOOK-6 a paused subscription gets nothing; what was due goes on when it is active again.
 *           HOOK-7 what was sent is not sent again because its end could not be written.
 *           HOOK-8 a subscription's secret is told once, and kept sealed.
 * Needs     WebhookStore, EmailSuppressionStore, Outbound (node), Vault, Bots, Accounts.   Tells  nothing.
 * Not here  what events there are (events), and when they happen (every room).
 * Read      Subscription.ts, Delivery.ts, Lanes.ts, then Deliverer.ts. Source: docs/webhooks.md.
 */
export * as AddressPolicy from "./AddressPolicy.ts"
export { Deliverer } from "./Deliverer.ts"
export type { Delivery, DeliveryStatus, Ended, Outcome } from "./Delivery.ts"
export { DeliverySignal } from "./DeliverySignal.ts"
export { EmailEntryNotFound, type EmailReport, EmailReportRefused, EmailReports } from "./EmailReports.ts"
export { type EmailReason, type EmailSuppression, EmailSuppressionStore } from "./EmailSuppressionStore.ts"
export { Outbound, OutboundFailed, type OutboundPost } from "./Outbound.ts"
export { PortalPage } from "./PortalPage.ts"
export {
  frameAncestorFault,
  isFrameAncestor,
  type PortalSettings,
  type PortalTheme,
  themeFaults
} from "./PortalTheme.ts"
export { Sender } from "./Sender.ts"
export type { RetrySchedule, Subscription, Surface } from "./Subscription.ts"
export type { SubscriptionFilter } from "./SubscriptionFilter.ts"
export {
  DeliveryNotFound,
  TooManyWebhooks,
  WebhookNotFound,
  WebhookPaused,
  WebhookUrlRefused
} from "./WebhookErrors.ts"
export { webhookErrors } from "./WebhookErrorTable.ts"
export * as WebhookFanOut from "./WebhookFanOut.ts"
export { standardLimits, WebhookSettings } from "./WebhookSettings.ts"
export {
  type ClaimedDelivery,
  type DeliveryEnd,
  type DeliveryEntry,
  type HealthNote,
  WebhookStore
} from "./WebhookStore.ts"
export {
  type NewSubscription,
  type SubscriptionChange,
  type TestResult,
  Webhooks,
  type WithSecret
} from "./Webhooks.ts"
export { Room } from "./WebhooksRoom.ts"
