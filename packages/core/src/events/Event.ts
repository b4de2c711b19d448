/** What the product tells others, and under which names. */
import type { Ids, Instant } from "../kernel/index.ts"
import type { EventName } from "./EventNames.ts"

export interface NewEvent {
  readonly event: EventName
  readonly tenantId: Ids.AccountId
  /** The agent that the event is about, or null. */
  readonly botId: Ids.BotId | null
  /** Under wire names, as receivers see it. */
  readonly data: Readonly<Record<string, unknown>>
  /** Where it has to be known before it is written. */
  readonly id?: Ids.EventId
}

export interface Event extends NewEvent {
  readonly id: Ids.EventId
  readonly at: Instant.Instant
}
