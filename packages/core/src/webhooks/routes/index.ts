/**
 * Gives webhooks for platform events their routes: subscriptions, their log, tests, replays and new secrets.
 *
 * Needs     Subscriptions, SecretRotation, Deliveries, TestSend, EventCatalogue.   Emits  nothing.
 * Not here  what a route decides (webhooks/subscriptions, webhooks/deliveries); the routes of the email surface (webhooks/email).
 *           Promise HOOK-8 stands in the area.
 * Read      WebhooksApi.ts, then WebhooksHttp.ts. Source: docs/reference/webhooks.md#routes.
 */
export { webhooksApi } from "./WebhooksApi.ts"
export * as WebhooksHttp from "./WebhooksHttp.ts"
