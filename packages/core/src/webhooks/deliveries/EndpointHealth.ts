/** Since when an endpoint fails, and when that pauses its subscription. Pure. Source: docs/reference/webhooks.md#retries. */
import { Instant } from "../../platform/kernel/index.ts"
import type { HealthChange, Subscription } from "../subscriptions/Subscription.ts"
import type { DeliveryStatus } from "./Delivery.ts"

/** The change that a delivery's end makes; null for most: only a first failure, a recovery and the pause are written. */
export const healthChange = (
  { failingSince, pauseAfterDays }: Pick<Subscription, "failingSince" | "pauseAfterDays">,
  status: DeliveryStatus,
  at: Instant.Instant
): HealthChange | null => {
  if (status === "delivered") {
    return failingSince === null ? null : { previous: failingSince, failingSince: null, pauses: false }
  }
  if (status !== "failed") return null
  const pauses = pauseAfterDays !== null && failingSince !== null && at - failingSince >= pauseAfterDays * Instant.day
  return failingSince !== null && !pauses ? null : { previous: failingSince, failingSince: failingSince ?? at, pauses }
}
