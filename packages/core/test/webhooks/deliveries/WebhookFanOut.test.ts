/** The fan-out of events to the deliverer of this process. */
import { assert, it } from "@effect/vitest"
import { type Event, Ids, Instant, Tx } from "@trunkline/core/effect"
import { DeliveryStore, SubscriptionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { EventFanOut } from "../../../src/platform/events/index.ts"
import { WebhookFanOut } from "../../../src/webhooks/deliveries/index.ts"
import { DeliverySignal } from "../../../src/webhooks/index.ts"

const [subscribed, unsubscribed] = [Ids.as<"Account">("a"), Ids.as<"Account">("b")]

const eventOf = (tenantId: Ids.AccountId): Event => ({
  id: Ids.as(tenantId),
  event: "message.received",
  tenantId,
  botId: null,
  data: {},
  at: Instant.make(0)
})

it.effect("the deliverer wakes for events of accounts with subscriptions, and for no other events", () => {
  let wakes = 0
  const wake = Layer.succeed(DeliverySignal, {
    wake: Effect.sync(() => {
      wakes += 1
    }),
    wait: () => Effect.void,
    share: Effect.void,
    wakeHere: Effect.void
  })
  const deliveries = Layer.mock(DeliveryStore, { add: () => Effect.void })
  const subscriptions = Layer.mock(SubscriptionStore, {
    activeFilters: ({ tenantId }) =>
      Effect.succeed(tenantId === subscribed ? [{ id: Ids.as("w"), events: [], botId: null }] : [])
  })
  return Effect.gen(function* () {
    const { dispatch, enqueue } = yield* EventFanOut
    const [one, other] = [eventOf(subscribed), eventOf(unsubscribed)]
    yield* enqueue([one, other])
    yield* dispatch([other])
    assert.strictEqual(wakes, 0)
    yield* dispatch([other, one])
    assert.strictEqual(wakes, 1)
  }).pipe(
    Effect.provideService(Tx, Tx.of({} as never)), // the store that needs it is a mock
    Effect.provide(Layer.provide(WebhookFanOut.layer, [wake, deliveries, subscriptions]))
  )
})
