/** A delivery as it is claimed, for tests of attempts. */
import { Ids, Instant } from "../../src/platform/kernel/index.ts"
import type { ClaimedDelivery } from "../../src/webhooks/deliveries/DeliveryStore.ts"

export const claimedRow = (id: string, webhookId: string, attempts: number): ClaimedDelivery => ({
  id: Ids.as<"Delivery">(id),
  webhookId: Ids.as<"Webhook">(webhookId),
  attempts,
  tenantId: Ids.as<"Account">("account"),
  surface: "platform",
  event: "e",
  payload: "{}",
  createdAt: Instant.make(0),
  statusCode: null,
  error: null,
  lastAttemptAt: null,
  url: "https://one.example/",
  secret: "s",
  previousSecret: null,
  previousUntil: null,
  retrySchedule: "standard",
  failingSince: null,
  pauseAfterDays: null
})
