/** Implements the outbox's fan-out: writes a delivery for each subscription that wants an event, in the event's transaction. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Event, EventFanOut } from "../../platform/events/index.ts"
import { AccountLimits } from "../../platform/storage/index.ts"
import { DeliverySignal } from "../DeliverySignal.ts"
import type { SubscriptionFilter } from "../subscriptions/SubscriptionFilter.ts"
import { SubscriptionStore } from "../subscriptions/SubscriptionStore.ts"
import * as Ids from "../WebhooksIds.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { deliveriesOf } from "./NewDelivery.ts"
import * as Payload from "./Payload.ts"

/** 1,000 receivers of one event cost some 40 ms of the process, in which it serves nobody else; 100 cost 3 ms. */
const manyWebhooks = 500

const warnOfMany = (webhooks: number): Effect.Effect<void> =>
  webhooks <= manyWebhooks
    ? Effect.void
    : Effect.logWarning(
        `limits.webhooks is ${webhooks}: an event writes a delivery for each webhook of its account at once, and more than ${manyWebhooks} keep the others waiting`
      )

export const layer = Layer.effect(
  EventFanOut,
  Effect.gen(function* () {
    const deliveries = yield* DeliveryStore
    const subscriptions = yield* SubscriptionStore
    const { wake } = yield* DeliverySignal
    // It is never null.
    yield* warnOfMany((yield* AccountLimits).webhooks ?? 0)
    /** Events of accounts with subscriptions: their commit wakes the deliverer. */
    const queued = new WeakSet<Event>()

    const enqueue = Effect.fnUntraced(function* (events: ReadonlyArray<Event>) {
      const known = new Map<Ids.AccountId, ReadonlyArray<SubscriptionFilter>>()
      const newId = yield* Ids.source
      for (const one of events) {
        const { at, botId, data, event, tenantId } = one
        const filters = known.get(tenantId) ?? (yield* subscriptions.activeFilters({ tenantId, surface: "platform" }))
        known.set(tenantId, filters)
        if (filters.length === 0) continue
        queued.add(one)
        const payload = Payload.ofEvent(event, data, at)
        const occurrence = { tenantId, surface: "platform" as const, event, botId, payload, sendId: null, at }
        yield* deliveries.add(deliveriesOf(occurrence, filters, newId))
      }
    })

    return {
      enqueue,
      dispatch: (events) => (events.some((one) => queued.has(one)) ? wake : Effect.void)
    } satisfies EventFanOut
  })
)
