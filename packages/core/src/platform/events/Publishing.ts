/** Events whose source is the host: payments, invoices, alerts. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Instant, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import { Storage, type StorageError, type Tx } from "../storage/index.ts"
import { EventCatalogue } from "./EventCatalogue.ts"
import { EventRefused } from "./EventErrors.ts"
import { toCatalogueNames } from "./FieldNames.ts"
import { EventFieldNames, Outbox } from "./Outbox.ts"
import { OutboxStore } from "./OutboxStore.ts"
import { eventFaults, readEvent } from "./ReadEvent.ts"

const isJsonObject = Schema.is(Schema.JsonObject)

export interface Publication {
  readonly event: string
  readonly data: unknown
  /** The agent that the event is about. */
  readonly botId?: Ids.BotId | null
  /** The same key of one account publishes once; another call returns the id of the first event. */
  readonly idempotencyKey?: string | null
}

export class Publishing extends Context.Service<
  Publishing,
  {
    /** Writes an event and returns its id. Source: docs/reference/events.md#publishing. */
    readonly publish: (
      tenantId: Ids.AccountId,
      publication: Publication
    ) => Effect.Effect<Ids.EventId, EventRefused | StorageError>
    /** Claims an idempotency key of the host's for all time, in the transaction of what is done under it; false: it is used already. */
    readonly claimKey: (tenantId: Ids.AccountId, key: string) => Effect.Effect<boolean, StorageError, Tx>
  }
>()("@trunkline/core/platform/events/Publishing") {
  static readonly layer = Layer.effect(
    Publishing,
    Effect.gen(function* () {
      const catalogue = yield* EventCatalogue
      const names = yield* EventFieldNames
      const outbox = yield* Outbox
      const storage = yield* Storage
      const store = yield* OutboxStore

      const publish = tracedFn("Publishing.publish")(function* (
        tenantId: Ids.AccountId,
        { botId = null, data, event, idempotencyKey = null }: Publication
      ) {
        if (catalogue.find(event)?.surface !== "platform") {
          return yield* new EventRefused({
            detail: `There is no event ${event}; the events are ${catalogue.platformNames.join(", ")}`
          })
        }
        if (!isJsonObject(data)) return yield* new EventRefused({ detail: "data must be a JSON object" })
        const read = readEvent(catalogue, event, toCatalogueNames(data, names))
        // Choice: a host's receivers may know more of its own events than we do, so its data go out as they are.
        if (Result.isFailure(read)) {
          const faults = eventFaults(read.failure)
          yield* Effect.logWarning(`${event} is published with data that the reference does not know: ${faults}`)
        }
        const { id, written } = yield* storage.transact(
          Effect.gen(function* () {
            const key = idempotencyKey === null ? null : `event ${idempotencyKey}`
            const eventId = yield* Ids.fresh<"Event">()
            if (key !== null && !(yield* store.claimKey({ tenantId, key, eventId, createdAt: yield* Instant.now }))) {
              return { id: (yield* store.byKey(tenantId, key)) ?? eventId, written: [] }
            }
            const written = yield* outbox.appendPublished({ event, tenantId, botId, data, id: eventId })
            return { id: eventId, written }
          })
        )
        yield* outbox.publish(written)
        return id
      })

      const claimKey = Effect.fnUntraced(function* (tenantId: Ids.AccountId, key: string) {
        return yield* store.claimKey({
          tenantId,
          key,
          eventId: yield* Ids.fresh<"Event">(),
          createdAt: yield* Instant.now
        })
      })

      return Publishing.of({ publish, claimKey })
    })
  )
}
