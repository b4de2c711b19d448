/** New rows of the delivery log: one for each subscription whose filter matches an event. Pure. */
import { Ids, type Instant } from "../../platform/kernel/index.ts"
import { type FilteredEvent, matches, type SubscriptionFilter } from "../subscriptions/SubscriptionFilter.ts"
import type { Delivery } from "./Delivery.ts"

/** One event of one account, with the body that its receivers get. */
interface EventOccurrence extends FilteredEvent, Pick<Delivery, "tenantId" | "surface" | "payload" | "sendId"> {
  readonly at: Instant.Instant
}

/** A row that waits for its first attempt from `at` on. */
export const newDelivery = (
  known: Pick<Delivery, "id" | "tenantId" | "webhookId" | "surface" | "event" | "payload" | "sendId">,
  at: Instant.Instant
): Delivery => ({
  ...known,
  status: "pending",
  attempts: 0,
  statusCode: null,
  error: null,
  createdAt: at,
  lastAttemptAt: null,
  deliveredAt: null,
  nextAt: at,
  claim: null
})

export const deliveriesOf = (
  { at, botId, ...known }: EventOccurrence,
  filters: ReadonlyArray<SubscriptionFilter>,
  newId: () => string
): ReadonlyArray<Delivery> =>
  filters
    .filter((filter) => matches(filter, { event: known.event, botId }))
    .map(({ id }) => newDelivery({ ...known, id: Ids.as(newId()), webhookId: id }, at))
