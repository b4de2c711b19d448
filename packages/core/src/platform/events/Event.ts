/** Events before and after they are written. Data of the product's own events are checked by the compiler against the catalogue. */
import type { Ids, Instant } from "../kernel/index.ts"
import type { EventData, ProductEvent } from "./Catalogue.ts"
import type { EventName, PlatformEventName } from "./EventNames.ts"
import type { EventDataOf } from "./EventShapes.ts"

interface About {
  readonly tenantId: Ids.AccountId
  /** The agent that the event is about, or null. */
  readonly botId: Ids.BotId | null
}

/** An event that the product emits: its data are those of the catalogue, under neutral names. */
export type NewEvent<Name extends ProductEvent = ProductEvent> = {
  readonly [N in Name]: About & { readonly event: N; readonly data: EventData<N> }
}[Name]

/** An event that a host publishes: its data go out as they were given. */
export interface PublishedEvent extends About {
  readonly event: PlatformEventName
  readonly data: Readonly<Record<string, unknown>>
  readonly id: Ids.EventId
}

/** An event that was read or heard: its name decides the type of its data, under wire names. A brand may rename two of them. */
export type TypedEvent<Name extends EventName = EventName> = {
  readonly [N in Name]: Omit<Event, "event" | "data"> & { readonly event: N; readonly data: EventDataOf[N] }
}[Name]

export interface Event extends About {
  readonly id: Ids.EventId
  readonly event: EventName
  /** Under wire names, as receivers see it. */
  readonly data: Readonly<Record<string, unknown>>
  readonly at: Instant.Instant
}
