/** Writes a delivery for every subscription that an event concerns, in the transaction of the event. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Audience, type Event } from "../events/index.ts"
import { Ids, type Instant } from "../kernel/index.ts"
import type { Delivery } from "./Delivery.ts"
import { DeliveryWake } from "./DeliveryWake.ts"
import * as Payload from "./Payload.ts"
import { hears, type Interest, type Surface } from "./Subscription.ts"
import { WebhookStore } from "./WebhookStore.ts"

/** A row that waits for its first attempt. */
export const fresh = (
  given: Pick<Delivery, "id" | "tenantId" | "webhookId" | "surface" | "event" | "payload" | "sendId"> & {
    readonly at: Instant.Instant
  }
): Delivery => {
  const { at, ...known } = given
  return {
    ...known,
    status: "pending",
    attempts: 0,
    statusCode: null,
    error: null,
    createdAt: at,
    lastAttemptAt: null,
    deliveredAt: null,
    nextAt: at,
    claim: null
  }
}

/** What is written of one happening: its account, its name and what is sent of it. */
interface Happening {
  readonly tenantId: Ids.AccountId
  readonly surface: Surface
  readonly event: string
  readonly botId: Ids.BotId | null
  readonly payload: string
  readonly sendId: string | null
  readonly at: Instant.Instant
}

/** Writes the deliveries of one happening to those of `interests` that are to hear of it. */
export const expect = Effect.fnUntraced(function* (interests: ReadonlyArray<Interest>, happening: Happening) {
  const { botId, ...row } = happening
  const next = yield* Ids.source
  const deliveries = interests
    .filter((interest) => hears(interest, happening.event, botId))
    .map(({ id }) => fresh({ ...row, id: Ids.as(next()), webhookId: id }))
  if (deliveries.length > 0) yield* WebhookStore.use((store) => store.addDeliveries(deliveries))
})

export const layer = Layer.effect(
  Audience,
  Effect.gen(function* () {
    const store = yield* WebhookStore
    const { wake } = yield* DeliveryWake
    /** Events that somebody may have to be told of. */
    const awaited = new WeakSet<Event>()

    const expectAll = Effect.fnUntraced(function* (events: ReadonlyArray<Event>) {
      const known = new Map<Ids.AccountId, ReadonlyArray<Interest>>()
      for (const one of events) {
        const { at, botId, data, event, tenantId } = one
        const interests = known.get(tenantId) ?? (yield* store.interests(tenantId, "platform"))
        known.set(tenantId, interests)
        if (interests.length === 0) continue
        awaited.add(one)
        const payload = Payload.ofEvent(event, data, at)
        yield* Effect.provideService(
          expect(interests, { tenantId, surface: "platform", event, botId, payload, sendId: null, at }),
          WebhookStore,
          store
        )
      }
    })

    return Audience.of({
      expect: expectAll,
      committed: (events) => (events.some((one) => awaited.has(one)) ? wake : Effect.void)
    })
  })
)
