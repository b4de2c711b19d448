/** What is removed when it is old, and what stays. Verifies: STOR-7, STOR-8. */
import { assert } from "@effect/vitest"
import {
  DeliveryStore,
  Ids,
  Instant,
  OutboxStore,
  Retention,
  RetentionSettings,
  read,
  SubscriptionStore,
  transact,
  UsageLogStore,
  type UsageRow
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as Rows from "./Rows.ts"
import { pause, suite } from "./Subject.ts"

/** Of one source ids ascend, whatever their instants. */
const idAt = (at: Instant.Instant) => Ids.ascending().next(at)

const usageRow = (createdAt: Instant.Instant): UsageRow => ({
  id: Ids.as(idAt(createdAt)),
  tenantId: Rows.id(),
  keyId: null,
  createdAt,
  requestId: "r",
  service: "llm",
  model: "m",
  httpStatus: 200,
  units: 1,
  unit: "tokens",
  inputTokens: 1,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  credits: 0n as UsageRow["credits"],
  latencyMs: 1,
  sessionId: null,
  traceId: null
})

/** One row of each kind of each instant; ids ascend with the instants. */
const addRows = (instants: ReadonlyArray<Instant.Instant>) =>
  transact(
    Effect.gen(function* () {
      const webhook = Rows.webhook(Rows.id())
      yield* SubscriptionStore.use((store) => store.add(webhook))
      const usage = instants.map(usageRow)
      const finished = instants.map((at) =>
        Rows.delivery(webhook, { id: Ids.as(idAt(at)), createdAt: at, status: "delivered", nextAt: null })
      )
      const events = instants.map((at) => ({
        id: Ids.as<"Event">(idAt(at)),
        event: "call.started" as const,
        tenantId: webhook.tenantId,
        botId: null,
        data: {},
        at
      }))
      for (const one of usage) yield* UsageLogStore.use((store) => store.add(one))
      yield* DeliveryStore.use((store) => store.add(finished))
      yield* OutboxStore.use((store) => store.append(events))
      return { webhook, usage, finished, events }
    })
  )

type Added = Effect.Success<ReturnType<typeof addRows>>

/** Which of the rows are there, of each kind in their order. */
const present = ({ events, finished, usage }: Added) =>
  read(
    Effect.gen(function* () {
      const recorded = yield* OutboxStore.use((store) => store.after(null, 1000))
      const known = new Set(recorded.map(({ id }) => id))
      return {
        usage: yield* Effect.forEach(usage, ({ id, tenantId }) =>
          UsageLogStore.use((store) => Effect.map(store.position(tenantId, id), (found) => found !== null))
        ),
        deliveries: yield* Effect.forEach(finished, ({ id, tenantId, webhookId }) =>
          DeliveryStore.use((store) => Effect.map(store.find({ id, tenantId, webhookId }), (found) => found !== null))
        ),
        events: events.map(({ id }) => known.has(id))
      }
    })
  )

const tick = (settings: RetentionSettings) =>
  Retention.use((retention) => retention.tick).pipe(
    Effect.provide(Layer.provide(Retention.layer, Layer.succeed(RetentionSettings, settings)))
  )

const keepAll = { usage: null, deliveries: null, events: null }
const keepSome = { usage: 92, deliveries: 31, events: 31 }

/** Later than what a new database has room for at first. */
const now = Instant.plus(Instant.make(Date.now()), 300 * Instant.day)
const ago = (days: number) => Instant.plus(now, -days * Instant.day)

export const retention = suite("retention", ({ it }) => {
  it.effect("what is older than it is to be kept is removed, and nothing where nothing is set", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const added = yield* addRows([ago(280), ago(130), ago(20), ago(0)])
      yield* tick(keepAll)
      const all = [true, true, true, true]
      // Events of transactions that have just ended are readable a moment later.
      yield* pause(50)
      assert.deepStrictEqual(yield* present(added), { usage: all, deliveries: all, events: all })
      yield* tick(keepSome)
      const left = [false, false, true, true]
      assert.deepStrictEqual(yield* present(added), { usage: left, deliveries: left, events: left })
    })
  )

  it.effect("a delivery that is still tried stays, however old it is, and is found as due", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const webhook = Rows.webhook(Rows.id())
      const [old, at] = [ago(200), ago(200)]
      const pending = Rows.delivery(webhook, { id: Ids.as(idAt(old)), createdAt: at, nextAt: at })
      yield* transact(
        Effect.andThen(
          SubscriptionStore.use((store) => store.add(webhook)),
          DeliveryStore.use((store) => store.add([pending]))
        )
      )
      yield* tick(keepSome)
      yield* tick(keepSome)
      const query = { at: now, perEndpoint: 1, limit: 10, full: [], suspect: [] }
      const found = yield* read(DeliveryStore.use((store) => store.due(query)))
      assert.include(
        found.map(({ id }) => id),
        pending.id
      )
    })
  )
})
