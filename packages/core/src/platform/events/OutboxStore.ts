/** Port: the outbox table. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Event } from "./Event.ts"

export interface Recorded extends Event {
  /** Reading continues here after this event. Opaque; ascends in the order in which events become readable. */
  readonly cursor: string
}

/** The form of a cursor: two numbers, whose meaning is the storage's own. */
export const cursorForm = /^(\d{1,18})\.(\d{1,18})$/

export interface PublishKey {
  readonly tenantId: Ids.AccountId
  readonly key: string
  readonly eventId: Ids.EventId
  readonly createdAt: Instant.Instant
}

export class OutboxStore extends Context.Service<
  OutboxStore,
  {
    readonly append: (events: ReadonlyArray<Event>) => Effect.Effect<void, StorageError, Tx>
    /** Claims a key under which an account publishes, once for all time; false when it is used already. */
    readonly claimKey: (key: PublishKey) => Effect.Effect<boolean, StorageError, Tx>
    /** The event that was published under a key, or null. */
    readonly byKey: (tenantId: Ids.AccountId, key: string) => Effect.Effect<Ids.EventId | null, StorageError, Read>
    /**
     * Committed events after a cursor (null: from the first), in one fixed order. An event never appears before a cursor
     * that has been returned, however long its transaction was open.
     */
    readonly after: (cursor: string | null, limit: number) => Effect.Effect<ReadonlyArray<Recorded>, StorageError, Read>
  }
>()("@trunkline/core/platform/events/OutboxStore") {}
