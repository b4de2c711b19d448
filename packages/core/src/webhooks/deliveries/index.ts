/**
 * Decides which delivery is attempted when, makes the attempt, and stores how it ended.
 *
 * Needs     DeliveryStore, SubscriptionStore, Outbound, Vault.   Emits  nothing.
 * Not here  the catalogue of events: platform/events. Promises HOOK-1 to HOOK-4 and HOOK-7 stand in the area.
 * Read      Delivery.ts, then FairScheduler.ts and Deliverer.ts. Source: docs/reference/webhooks.md.
 */
export { Deliverer } from "./Deliverer.ts"
export { Deliveries, type DeliveryKey, type EmailDeliveries, makeEmailDeliveries, type Recovery } from "./Deliveries.ts"
export { type AttemptResult, type Delivery, type DeliveryStatus, deliveryEntity, type Outcome } from "./Delivery.ts"
export {
  type ClaimedDelivery,
  type DeliveryEnd,
  type DeliveryEntry,
  DeliveryStore,
  type LogFilter
} from "./DeliveryStore.ts"
export { type TestResult, TestSend } from "./TestSend.ts"
export * as WebhookFanOut from "./WebhookFanOut.ts"
export { WebhookSender } from "./WebhookSender.ts"
