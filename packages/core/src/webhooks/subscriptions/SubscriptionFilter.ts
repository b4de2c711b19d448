/** Which events a subscription wants. Pure. Source: docs/reference/webhooks.md#scope. */
import type * as Ids from "../WebhooksIds.ts"
import type { Subscription } from "./Subscription.ts"

export type SubscriptionFilter = Pick<Subscription, "id" | "events" | "botId">

/** What a filter looks at: the event's name, and the agent that the event is about. */
export interface FilteredEvent {
  readonly event: string
  readonly botId: Ids.BotId | null
}

export const matches = ({ botId, events }: SubscriptionFilter, occurrence: FilteredEvent): boolean =>
  (events.length === 0 || events.includes(occurrence.event)) && (botId === null || botId === occurrence.botId)
