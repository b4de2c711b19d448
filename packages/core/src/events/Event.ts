/** What the product tells others, and under which names. */
import type { Ids, Instant } from "../kernel/index.ts"

/** Events of the rooms that exist. Source: docs/events.md#catalogue. */
export type EventName =
  | "campaign.started"
  | "campaign.completed"
  | "campaign.failed"
  | "call.started"
  | "call.completed"
  | "call.failed"
  | "call.amd_detected"

export interface NewEvent {
  readonly event: EventName
  readonly tenantId: Ids.AccountId
  /** The agent that the event is about, or null. */
  readonly botId: Ids.BotId | null
  /** Under wire names, as receivers see it. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface Event extends NewEvent {
  readonly id: Ids.EventId
  readonly at: Instant.Instant
}
