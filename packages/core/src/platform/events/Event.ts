/** Events before and after they are written. Data of the product's own events are checked by the compiler against their entries. */
import type { EventDataOf, EventName } from "@trunkline/client/webhooks"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { EventEntry } from "../room/index.ts"

export type { EventName }

/** The names of the events that webhooks of the platform receive. */
export type PlatformEventName = Exclude<EventName, `email.${string}`>

interface About {
  readonly tenantId: Ids.AccountId
  /** The agent that the event is about, or null. */
  readonly botId: Ids.BotId | null
}

/** An event that the product emits, under neutral names. `EventOf` says what it carries. */
export interface NewEvent extends About {
  readonly event: string
  readonly data: object
}

/** An event of one of these entries: its data are those of the entry. */
export type EventOf<Entry> =
  Entry extends EventEntry<infer Name, infer Data>
    ? About & { readonly event: Name; readonly data: Data["Type"] }
    : never

/** An event that a host publishes: its data go out as they were given. */
export interface PublishedEvent extends About {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
  readonly id: Ids.EventId
}

/** An event that was read or heard: its name decides the type of its data, under wire names. A brand may rename two of them. */
export type TypedEvent<Name extends EventName = EventName> = {
  readonly [N in Name]: Omit<Event, "event" | "data"> & { readonly event: N; readonly data: EventDataOf[N] }
}[Name]

export interface Event extends About {
  readonly id: Ids.EventId
  readonly event: string
  /** Under wire names, as receivers see it. */
  readonly data: Readonly<Record<string, unknown>>
  readonly at: Instant.Instant
}
