/** Deliveries that are claimed before there is a slot for them: docs/reference/webhooks.md#fairness. Verifies: HOOK-2, HOOK-4, HOOK-6. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { expect, it } from "vitest"
import { Ids } from "../../src/platform/kernel/index.ts"
import { Storage } from "../../src/platform/storage/index.ts"
import { DeliverySignal } from "../../src/webhooks/DeliverySignal.ts"
import { Deliverer } from "../../src/webhooks/deliveries/Deliverer.ts"
import type { Outcome } from "../../src/webhooks/deliveries/Delivery.ts"
import { type DeliveryEnd, DeliveryStore } from "../../src/webhooks/deliveries/DeliveryStore.ts"
import { WebhookSender } from "../../src/webhooks/deliveries/WebhookSender.ts"
import { SubscriptionStore } from "../../src/webhooks/subscriptions/SubscriptionStore.ts"
import { WebhookSettings } from "../../src/webhooks/WebhookSettings.ts"
import { claimedRow } from "./ClaimedRow.ts"

const slots = 4

/** A queue of deliveries, whose claims take as long as the test says, and endpoints that answer when it says. */
class World {
  readonly pending: Array<{ readonly id: string; readonly webhookId: string }> = []
  readonly ends: Array<DeliveryEnd> = []
  readonly sent: Array<string> = []
  readonly #answers = new Map<string, Deferred.Deferred<Outcome>>()
  /** What a claim waits for before it is made, or after. */
  before: Effect.Effect<void> = Effect.void
  after: Effect.Effect<void> = Effect.void

  add(webhookId: string, ...ids: ReadonlyArray<string>): void {
    for (const id of ids) this.pending.push({ id, webhookId })
  }

  /** Ends attempts in one turn of the event loop, of which the first has a fault of ours. */
  failInside(first: string, ...others: ReadonlyArray<string>): Effect.Effect<void> {
    return Effect.andThen(
      Effect.sync(() => {
        Deferred.doneUnsafe(this.#answers.get(first)!, Exit.die(new Error("a fault")))
        for (const id of others)
          Deferred.doneUnsafe(this.#answers.get(id)!, Exit.succeed({ _tag: "Answered", status: 200 }))
      }),
      turns
    )
  }

  answer(id: string, outcome: Outcome = { _tag: "Answered", status: 200 }): Effect.Effect<void> {
    return Effect.andThen(
      Effect.suspend(() => Deferred.succeed(this.#answers.get(id)!, outcome)),
      turns
    )
  }

  readonly #store = Layer.mock(DeliveryStore, {
    due: ({ full }) =>
      Effect.sync(() =>
        this.pending
          .filter(({ webhookId }) => !full.includes(Ids.as(webhookId)))
          .map(({ id, webhookId }) => ({ id: Ids.as(id), webhookId: Ids.as(webhookId), attempts: 0 }))
      ),
    claim: ({ ids }) =>
      Effect.gen({ self: this }, function* (this: World) {
        yield* this.before
        return ids.map((id) => {
          const at = this.pending.findIndex((row) => row.id === id)
          return claimedRow(id, this.pending.splice(at, 1)[0]!.webhookId, 1)
        })
      }),
    end: (ends) =>
      Effect.sync(() => {
        this.ends.push(...ends)
        return new Map(ends.map(({ id }) => [id, Ids.as<"Account">("account")]))
      })
  })

  readonly #sender = Layer.mock(WebhookSender, {
    attempt: ({ id }) =>
      Effect.suspend(() => {
        this.sent.push(id)
        const answer = Deferred.makeUnsafe<Outcome>()
        this.#answers.set(id, answer)
        return Deferred.await(answer)
      })
  })

  readonly #storage = Layer.sync(Storage, () => {
    const run = (program: Effect.Effect<unknown, unknown, unknown>) =>
      Effect.uninterruptible(Effect.tap(program, () => this.after))
    return {
      transact: run,
      transactWith: () => run,
      read: run,
      durable: Effect.void,
      ready: Effect.void
    } as unknown as Storage["Service"]
  })

  readonly layer = Deliverer.layer.pipe(
    Layer.provide([
      this.#store,
      this.#sender,
      this.#storage,
      Layer.mock(SubscriptionStore, {}),
      DeliverySignal.layer,
      Layer.succeed(WebhookSettings, {
        teamChatHosts: [],
        timeoutMs: 10_000,
        limits: { slots, reservedSlots: 0, perEndpoint: 100 }
      })
    ])
  )
}

/** A host's log that throws. */
const brokenLog = Logger.layer([
  Logger.make(() => {
    throw new Error("the log is broken")
  })
])

/** Lets every fiber go on as far as it can. */
const turns = Effect.promise(async () => {
  for (let n = 0; n < 6; n++) await new Promise<void>((resolve) => setImmediate(resolve))
})

const scenario = (
  title: string,
  play: (
    world: World,
    deliverer: Deliverer["Service"]
  ) => Generator<Effect.Effect<unknown, unknown, Scope.Scope>, void, never>
) =>
  it(title, () => {
    const world = new World()
    return Effect.runPromise(
      Effect.gen(function* () {
        const deliverer = yield* Deliverer
        yield* Effect.forkScoped(deliverer.settle)
        yield* Effect.gen(() => play(world, deliverer))
      }).pipe(
        Effect.scoped,
        Effect.provide(Layer.provideMerge(world.layer, Layer.mergeAll(TestClock.layer(), brokenLog)))
      )
    )
  })

/** Four attempts are under way, `d` to `g`. Two have ended while a claim was made, and so `h` to `k` are claimed ahead. */
const claimAhead = Effect.fnUntraced(function* (world: World, { tick }: Deliverer["Service"]) {
  world.add("one", "first")
  yield* tick
  yield* world.answer("first")
  world.add("one", "a", "b", "c", "d", "e")
  yield* tick
  yield* world.answer("a")
  world.before = Effect.andThen(world.answer("b"), world.answer("c"))
  yield* tick
  world.before = Effect.void
  world.add("one", "f", "g", "h", "i", "j", "k", "l", "m")
  yield* tick
  yield* turns
  expect(world.sent).toEqual(["first", "a", "b", "c", "d", "e", "f", "g"])
  expect(world.pending.map(({ id }) => id)).toEqual(["l", "m"])
})

const released = (world: World) =>
  world.ends.filter(({ status }) => status === "pending").map(({ attempts, id, nextAt }) => [id, attempts, nextAt])

const allFour = ["h", "i", "j", "k"].map((id) => [id, 0, 0])

scenario(
  "what is claimed ahead begins in its order as slots become free, without another claim",
  function* (world, deliverer) {
    yield* claimAhead(world, deliverer)
    yield* world.answer("e")
    yield* world.answer("d")
    expect(world.sent.slice(8)).toEqual(["h", "i"])
    expect(deliverer.running()).toBe(4)
    expect(world.ends.map(({ id }) => id)).toEqual(["first", "a", "b", "c", "e", "d"])
  }
)

scenario("nothing is claimed ahead where no attempt ends while a claim is made", function* (world, { tick }) {
  world.add("one", "first")
  yield* tick
  yield* world.answer("first")
  world.add("one", "a", "b", "c", "d", "e", "f")
  yield* tick
  yield* tick
  expect(world.pending.map(({ id }) => id)).toEqual(["e", "f"])
})

scenario(
  "a claim that has waited for a quarter of a second is released and does not count",
  function* (world, deliverer) {
    yield* claimAhead(world, deliverer)
    yield* TestClock.adjust(251)
    yield* world.answer("d")
    expect(released(world)).toEqual(allFour)
    expect(world.sent).toHaveLength(8)
  }
)

scenario(
  "a look at the queue releases what waits for too long where no slot becomes free",
  function* (world, deliverer) {
    yield* claimAhead(world, deliverer)
    yield* TestClock.adjust(251)
    yield* deliverer.tick
    yield* turns
    expect(released(world)).toEqual(allFour)
  }
)

scenario(
  "an endpoint that does not answer any more gets nothing of what was claimed for it ahead",
  function* (world, deliverer) {
    yield* claimAhead(world, deliverer)
    yield* world.answer("d", { _tag: "Failed", error: "no" })
    expect(released(world).slice(1)).toEqual(allFour)
    expect(world.sent).toHaveLength(8)
  }
)

scenario("a stop releases what is claimed ahead, and waits for what is under way", function* (world, deliverer) {
  yield* claimAhead(world, deliverer)
  const stop = yield* Effect.forkScoped(deliverer.idle)
  yield* turns
  expect(released(world)).toEqual(allFour)
  for (const id of ["d", "e", "f", "g"]) yield* world.answer(id)
  yield* Fiber.join(stop)
  expect(world.sent).toHaveLength(8)
})

scenario("a stop in the middle of a claim releases what it has claimed", function* (world, deliverer) {
  world.add("one", "first")
  const committed = yield* Deferred.make<void>()
  world.after = Deferred.await(committed)
  const tick = yield* Effect.forkScoped(deliverer.tick)
  yield* turns
  const stop = yield* Effect.forkScoped(Fiber.interrupt(tick))
  yield* turns
  yield* Deferred.succeed(committed, undefined)
  yield* Fiber.join(stop)
  yield* deliverer.idle
  expect(released(world)).toEqual([["first", 0, 0]])
  expect(world.sent).toEqual([])
})

scenario(
  "an attempt with a fault of ours takes none of those along that end with it, and keeps no slot",
  function* (world, deliverer) {
    yield* claimAhead(world, deliverer)
    yield* world.failInside("d", "e", "f")
    expect(world.ends.slice(-3).map(({ error, id, status }) => [id, status, error])).toEqual([
      ["d", "pending", "The attempt failed inside the service."],
      ["e", "delivered", null],
      ["f", "delivered", null]
    ])
    expect(deliverer.running()).toBe(4)
    expect(world.sent.slice(8)).toEqual(["h", "i", "j"])
  }
)
