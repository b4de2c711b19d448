/** Writes events in the transaction of the change that caused them, and publishes them in this process after the commit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ids, Instant } from "../kernel/index.ts"
import { type Read, read, Storage, type StorageError, type Tx } from "../storage/index.ts"
import type { Event, NewEvent, PublishedEvent } from "./Event.ts"
import { EventFanOut } from "./EventFanOut.ts"
import { type FieldNames, neutralFieldNames, toWireNames } from "./FieldNames.ts"
import { OutboxStore, type Recorded } from "./OutboxStore.ts"

/** What the installation's brand calls the fields of its events. */
export const EventFieldNames = Context.Reference<FieldNames>("@trunkline/core/platform/events/EventFieldNames", {
  defaultValue: () => neutralFieldNames
})

export type Handler = (event: Event) => Effect.Effect<void>

export class Outbox extends Context.Service<
  Outbox,
  {
    /** Writes events under the brand's field names. Pass them to `publish` once the transaction is committed. */
    readonly append: (events: ReadonlyArray<NewEvent>) => Effect.Effect<ReadonlyArray<Event>, StorageError, Tx>
    /** Writes an event of the host's with its data unchanged. Pass it to `publish` as well. */
    readonly appendPublished: (event: PublishedEvent) => Effect.Effect<ReadonlyArray<Event>, StorageError, Tx>
    /** Starts the deliveries of committed events and calls this process's listeners. The failure of a listener is logged and stops no other. */
    readonly publish: (events: ReadonlyArray<Event>) => Effect.Effect<void>
    /** Calls `handler` for events of this name, `*` for all, of this process after their commit; the returned function stops it. */
    readonly on: (name: string, handler: Handler) => () => void
    /** Reads committed events of all processes after a cursor. */
    readonly read: (cursor: string | null, limit: number) => Effect.Effect<ReadonlyArray<Recorded>, StorageError>
  }
>()("@trunkline/core/platform/events/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const fanOut = yield* EventFanOut
      const names = yield* EventFieldNames
      const store = yield* OutboxStore
      const storage = yield* Storage
      const handlers = new Set<{ readonly name: string; readonly handler: Handler }>()

      const written = Effect.fnUntraced(function* (events: ReadonlyArray<Event>) {
        yield* store.append(events)
        yield* fanOut.enqueue(events)
        return events
      })

      const append = Effect.fnUntraced(function* (added: ReadonlyArray<NewEvent>) {
        if (added.length === 0) return []
        const at = yield* Instant.now
        const next = yield* Ids.source
        return yield* written(
          added.map(
            (event): Event => ({
              ...event,
              data: toWireNames(event.data as Event["data"], names),
              id: Ids.as(next()),
              at
            })
          )
        )
      })

      const appendPublished = Effect.fnUntraced(function* (event: PublishedEvent) {
        return yield* written([{ ...event, at: yield* Instant.now }])
      })

      const callListeners = (events: ReadonlyArray<Event>) =>
        handlers.size === 0
          ? Effect.void
          : Effect.forEach(
              events,
              (event) =>
                Effect.forEach(
                  [...handlers].filter(({ name }) => name === "*" || name === event.event),
                  ({ handler }) =>
                    Effect.catchCause(handler(event), (cause) =>
                      Effect.logError("an event listener failed", event.event, cause)
                    ),
                  { discard: true }
                ),
              { discard: true }
            )

      const publish = (events: ReadonlyArray<Event>) =>
        events.length === 0 ? Effect.void : Effect.andThen(fanOut.dispatch(events), callListeners(events))

      return Outbox.of({
        append,
        appendPublished,
        publish,
        on: (name, handler) => {
          const entry = { name, handler }
          handlers.add(entry)
          return () => void handlers.delete(entry)
        },
        read: (cursor, limit) =>
          Effect.provideService(
            read(store.after(cursor, limit) as Effect.Effect<ReadonlyArray<Recorded>, StorageError, Read>),
            Storage,
            storage
          )
      })
    })
  )
}
