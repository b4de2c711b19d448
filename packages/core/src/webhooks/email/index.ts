/**
 * Keeps the subscriptions of the email surface, and the addresses that must not be written to.
 *
 * Needs     EmailSuppressionStore, SubscriptionStore, DeliveryStore.   Emits  nothing.
 * Not here  how a delivery is made: webhooks/deliveries.
 * Read      EmailReports.ts, then EmailWebhooksHttp.ts. Source: docs/reference/webhooks.md.
 */
export { EmailEntryNotFound, EmailReportRefused } from "../WebhookErrors.ts"
export { type EmailReport, EmailReports } from "./EmailReports.ts"
export {
  type EmailReason,
  type EmailSuppression,
  EmailSuppressionStore,
  emailSuppressionEntity
} from "./EmailSuppressionStore.ts"
