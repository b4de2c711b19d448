/** Ids as webhooks name them: those of the platform, and those of their records. Pure. */
import type { Id } from "../platform/PlatformIds.ts"

export * from "../platform/PlatformIds.ts"

export type WebhookId = Id<"Webhook">
export type DeliveryId = Id<"Delivery">
export type EmailEntryId = Id<"EmailSuppression">
