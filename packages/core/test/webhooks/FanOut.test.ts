/** Who is told of an event after its commit. */
import { assert, it } from "@effect/vitest"
import { Audience, DeliveryWake, type Event, FanOut, Ids, Instant, Tx, WebhookStore } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const [heard, unheard] = [Ids.as<"Account">("a"), Ids.as<"Account">("b")]

const eventOf = (tenantId: Ids.AccountId): Event => ({
  id: Ids.as(tenantId),
  event: "message.received",
  tenantId,
  botId: null,
  data: {},
  at: Instant.make(0)
})

it.effect("the deliverer is woken for events that somebody subscribes to, and left alone for all others", () => {
  let wakes = 0
  const wake = Layer.succeed(DeliveryWake, {
    wake: Effect.sync(() => {
      wakes += 1
    }),
    wait: () => Effect.void
  })
  const store = Layer.mock(WebhookStore, {
    interests: (tenantId) => Effect.succeed(tenantId === heard ? [{ id: Ids.as("w"), events: [], botId: null }] : []),
    addDeliveries: () => Effect.void
  })
  return Effect.gen(function* () {
    const { committed, expect } = yield* Audience
    const [one, other] = [eventOf(heard), eventOf(unheard)]
    yield* expect([one, other])
    yield* committed([other])
    assert.strictEqual(wakes, 0)
    yield* committed([other, one])
    assert.strictEqual(wakes, 1)
  }).pipe(
    Effect.provideService(Tx, Tx.of({} as never)), // the store that needs it is a mock
    Effect.provide(Layer.provide(FanOut.layer, [wake, store]))
  )
})
