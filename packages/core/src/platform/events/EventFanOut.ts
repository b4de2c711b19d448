/** Port of the outbox to the room that carries events outside: a part of the same transaction, and a notice after its commit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StorageError, Tx } from "../storage/index.ts"
import type { Event } from "./Event.ts"

export interface EventFanOut {
  /** Queues a delivery of each event for each of its receivers, in the transaction of the events. */
  readonly enqueue: (events: ReadonlyArray<Event>) => Effect.Effect<void, StorageError, Tx>
  /** Starts the deliveries of these events once their transaction is committed. */
  readonly dispatch: (events: ReadonlyArray<Event>) => Effect.Effect<void>
}

/** Without webhooks an event has no receiver outside of the process. */
export const EventFanOut = Context.Reference<EventFanOut>("@trunkline/core/platform/events/EventFanOut", {
  defaultValue: () => ({ enqueue: () => Effect.void, dispatch: () => Effect.void })
})
