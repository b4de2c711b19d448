/** Port: the outbox table. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Event } from "./Event.ts"

export interface Recorded extends Event {
  /** Where reading goes on after this event. Opaque; ascends in the order in which events become readable. */
  readonly cursor: string
}

export class OutboxStore extends Context.Service<
  OutboxStore,
  {
    readonly append: (events: ReadonlyArray<Event>) => Effect.Effect<void, StorageError, Tx>
    /**
     * Committed events after a cursor (null: from the first), in one fixed order. An event never appears before a place
     * that a reader has already passed, also when its transaction was open for long.
     */
    readonly after: (cursor: string | null, limit: number) => Effect.Effect<ReadonlyArray<Recorded>, StorageError, Read>
  }
>()("@trunkline/core/events/OutboxStore") {}
