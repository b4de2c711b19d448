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
 * Not here  the catalogue of events (platform/events), and when they happen (every room).
 * Rooms     signing, subscriptions, deliveries, routes, email, portal.
 * Read      subscriptions, then deliveries. Source: docs/reference/webhooks.md.
 */

export { DeliverySignal } from "./DeliverySignal.ts"
export { DeliveryNotFound, WebhookNotFound, WebhookPaused, WebhookUrlRefused, webhookErrors } from "./WebhookErrors.ts"
export { standardLimits, WebhookSettings } from "./WebhookSettings.ts"
export { webhooksArea } from "./WebhooksArea.ts"
