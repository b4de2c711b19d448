/** The delivery log as the queue: what is due, who claims it, and whose end is written. */
import { assert } from "@effect/vitest"
import { type Delivery, type Ids, type Instant, read, type Subscription, transact } from "@trunkline/core/effect"
import { DeliveryStore, SubscriptionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const tenantId = () => Rows.id<"Account">()

const add = (subscriptions: ReadonlyArray<Subscription>, deliveries: ReadonlyArray<Delivery> = []) =>
  transact(
    Effect.andThen(
      SubscriptionStore.use((store) => Effect.forEach(subscriptions, store.add)),
      DeliveryStore.use((store) => store.add(deliveries))
    )
  )

const ids = (rows: ReadonlyArray<{ readonly id: Ids.DeliveryId }>) => rows.map(({ id }) => id)

/** What is due of these subscriptions: other tests leave theirs in the same table. */
const due = (
  of: ReadonlyArray<Subscription>,
  query: { readonly at: number; readonly perEndpoint?: number; readonly full?: ReadonlyArray<Ids.WebhookId> }
) =>
  Effect.map(
    read(
      DeliveryStore.use((store) =>
        store.due({
          at: Rows.at(query.at),
          perEndpoint: query.perEndpoint ?? 100,
          limit: 10_000,
          full: query.full ?? [],
          suspect: []
        })
      )
    ),
    (found) => found.filter(({ webhookId }) => of.some(({ id }) => id === webhookId))
  )

const claim = (wanted: ReadonlyArray<Ids.DeliveryId>, at: number, until: number, token: string = Rows.id()) =>
  transact(
    DeliveryStore.use((store) => store.claim({ ids: wanted, claim: token, at: Rows.at(at), until: Rows.at(until) }))
  )

const delivered = (at: Instant.Instant) => ({
  status: "delivered" as const,
  attempts: 1,
  statusCode: 200,
  error: null,
  lastAttemptAt: at,
  deliveredAt: at,
  nextAt: null
})

const end = (id: Ids.DeliveryId, token: string, at: number) =>
  Effect.map(
    transact(DeliveryStore.use((store) => store.end([{ ...delivered(Rows.at(at)), id, claim: token }]))),
    (ended) => ended.has(id)
  )

export const deliveries = suite("deliveries", ({ it }) => {
  it.effect("a delivery comes back as it was written, to its own subscription alone", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const one = Rows.webhook(tenantId())
      const row = Rows.delivery(one, {
        error: "é",
        sendId: "s",
        statusCode: 500,
        attempts: 2,
        lastAttemptAt: Rows.at(5)
      })
      yield* add([one], [row])
      yield* transact(store.add([]))
      assert.deepStrictEqual(yield* read(store.find(row)), row)
      assert.isNull(yield* read(store.find({ tenantId: one.tenantId, webhookId: Rows.id(), id: row.id })))
      assert.isNull(yield* read(store.find({ tenantId: tenantId(), webhookId: one.id, id: row.id })))
    })
  )

  it.effect(
    "what is due is found endpoint by endpoint, soonest first, and not of paused, full or removed subscriptions",
    () =>
      Effect.gen(function* () {
        const tenant = tenantId()
        const [one, two, paused, full, gone] = Array.from({ length: 5 }, () => Rows.webhook(tenant)) as [
          Subscription,
          Subscription,
          Subscription,
          Subscription,
          Subscription
        ]
        const rows = [
          Rows.delivery(one, { nextAt: Rows.at(30) }),
          Rows.delivery(one, { nextAt: Rows.at(10) }),
          Rows.delivery(one, { nextAt: Rows.at(20) }),
          Rows.delivery(one, { nextAt: null, status: "delivered" }),
          Rows.delivery(two, { nextAt: Rows.at(51) }),
          Rows.delivery(two, { nextAt: Rows.at(50) }),
          Rows.delivery(paused),
          Rows.delivery(full),
          Rows.delivery(gone)
        ]
        yield* add([one, two, { ...paused, isActive: false }, full, gone], rows)
        yield* transact(SubscriptionStore.use((subscriptions) => subscriptions.remove(gone)))
        const all = [one, two, paused, full, gone]
        const found = yield* due(all, { at: 50, perEndpoint: 2, full: [full.id] })
        assert.sameMembers(ids(found), [rows[1]!.id, rows[2]!.id, rows[5]!.id])
        const ofOne = found.filter(({ webhookId }) => webhookId === one.id)
        assert.deepStrictEqual(ids(ofOne), [rows[1]!.id, rows[2]!.id])
      })
  )

  it.effect("retries never hide first attempts", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const tenant = tenantId()
      const old = Array.from({ length: 30 }, () => Rows.webhook(tenant))
      const young = Rows.webhook(tenant)
      const late = Rows.delivery(young, { nextAt: Rows.at(99) })
      yield* add(
        [...old, young],
        [...old.map((webhook) => Rows.delivery(webhook, { attempts: 1, nextAt: Rows.at(1) })), late]
      )
      const look = { at: Rows.at(100), perEndpoint: 5, limit: 1_000, full: [], suspect: [] }
      const seen = yield* read(store.due({ ...look, limit: 5_000 }))
      const firsts = seen.filter(({ attempts }) => attempts === 0).length
      const found = yield* read(store.due({ ...look, limit: firsts }))
      assert.include(ids(found), late.id)
      const suspected = yield* read(store.due({ ...look, limit: 1, suspect: [young.id] }))
      assert.notInclude(ids(suspected), late.id)
    })
  )

  it.effect("a claim counts the attempt, lasts until it expires, and returns the subscription as it is now", () =>
    Effect.gen(function* () {
      const webhook = Rows.webhook(tenantId())
      const row = Rows.delivery(webhook)
      yield* add([webhook], [row])
      yield* transact(SubscriptionStore.use((store) => store.save({ ...webhook, url: "https://now.example" })))
      const [claimed] = yield* claim([row.id], 5, 40)
      assert.deepInclude(claimed, { id: row.id, attempts: 1, url: "https://now.example", payload: row.payload })
      assert.deepStrictEqual(yield* claim([row.id], 39, 80), [])
      assert.strictEqual((yield* claim([row.id], 40, 80))[0]?.attempts, 2)
    })
  )

  it.effect("a claim returns how the attempt before ended", () =>
    Effect.gen(function* () {
      const webhook = Rows.webhook(tenantId())
      const row = Rows.delivery(webhook)
      yield* add([webhook], [row])
      const token = Rows.id()
      const [first] = yield* claim([row.id], 5, 40, token)
      assert.deepInclude(first, { statusCode: null, error: null, lastAttemptAt: null })
      const failed = { statusCode: 500, error: "The endpoint answered 500.", lastAttemptAt: Rows.at(6) }
      const ended = { ...delivered(Rows.at(6)), ...failed, status: "pending" as const, deliveredAt: null }
      yield* transact(
        DeliveryStore.use((store) => store.end([{ ...ended, id: row.id, claim: token, nextAt: Rows.at(8) }]))
      )
      assert.deepInclude((yield* claim([row.id], 8, 40))[0], failed)
    })
  )

  it.effect("only the present claim ends a delivery", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const webhook = Rows.webhook(tenantId())
      const row = Rows.delivery(webhook)
      yield* add([webhook], [row])
      const [first, second] = [Rows.id(), Rows.id()]
      yield* claim([row.id], 5, 40, first)
      yield* claim([row.id], 41, 80, second)
      assert.isFalse(yield* end(row.id, first, 42))
      assert.deepInclude(yield* read(store.find(row)), {
        status: "pending",
        nextAt: Rows.at(80)
      })
      assert.isTrue(yield* end(row.id, second, 43))
      assert.isFalse(yield* end(row.id, second, 44))
      assert.deepInclude(yield* read(store.find(row)), {
        status: "delivered",
        nextAt: null,
        claim: null,
        deliveredAt: Rows.at(43)
      })
    })
  )

  it.effect("ends are written together, each unchanged but for text that a database cannot store", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const webhook = Rows.webhook(tenantId())
      const [well, badly, foreign] = [1, 2, 3].map(() => Rows.delivery(webhook)) as [Delivery, Delivery, Delivery]
      yield* add([webhook], [well, badly, foreign])
      const token = Rows.id()
      yield* claim([well.id, badly.id], 5, 40, token)
      const failed = {
        status: "pending" as const,
        attempts: 1,
        statusCode: 503,
        error: "é \0 \ud800 '\"",
        lastAttemptAt: Rows.at(6),
        deliveredAt: null,
        nextAt: Rows.at(99)
      }
      const ended = yield* transact(
        store.end([
          { ...delivered(Rows.at(6)), id: well.id, claim: token },
          { ...failed, id: badly.id, claim: token },
          { ...failed, id: foreign.id, claim: token }
        ])
      )
      assert.deepStrictEqual([...ended.keys()].sort(), [well.id, badly.id].sort())
      assert.deepStrictEqual(new Set(ended.values()), new Set([well.tenantId]))
      assert.deepStrictEqual(yield* read(store.find(well)), {
        ...well,
        ...delivered(Rows.at(6)),
        claim: null
      })
      assert.deepStrictEqual(yield* read(store.find(badly)), {
        ...badly,
        ...failed,
        error: "é \ufffd \ufffd '\"",
        claim: null
      })
      assert.deepStrictEqual(yield* read(store.find(foreign)), foreign)
      assert.strictEqual((yield* transact(store.end([]))).size, 0)
    })
  )

  it.effect("eight concurrent claimers get every delivery once", () =>
    Effect.gen(function* () {
      const webhook = Rows.webhook(tenantId())
      const rows = Array.from({ length: 100 }, () => Rows.delivery(webhook))
      yield* add([webhook], rows)
      const shares = yield* Effect.forEach(Array.from({ length: 8 }), () => claim(ids(rows), 5, 40), {
        concurrency: "unbounded"
      })
      const taken = shares.flatMap(ids)
      assert.strictEqual(new Set(taken).size, taken.length, "a delivery was claimed twice")
      assert.strictEqual(taken.length + (yield* claim(ids(rows), 5, 40)).length, 100)
    })
  )

  it.effect("the log of a removed subscription is swept in parts", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const tenant = tenantId()
      const ofEmail = { tenantId: tenant, surface: "email" as const }
      const [gone, kept] = [Rows.webhook(tenant, { surface: "email" }), Rows.webhook(tenant, { surface: "email" })]
      yield* add([gone, kept], [...Array.from({ length: 25 }, () => Rows.delivery(gone)), Rows.delivery(kept)])
      yield* transact(SubscriptionStore.use((subscriptions) => subscriptions.remove(gone)))
      assert.strictEqual((yield* read(store.list(ofEmail, { limit: 100, offset: 0 }))).length, 1)
      assert.strictEqual(yield* read(store.count(ofEmail)), 1)
      assert.strictEqual(yield* transact(store.sweep(10)), 10)
      let swept = 10
      for (let more = 10; more > 0; swept += more) more = yield* transact(store.sweep(10))
      assert.isAtLeast(swept, 25)
      assert.strictEqual(
        yield* read(store.count({ tenantId: gone.tenantId, webhookId: gone.id, status: null, event: null })),
        0
      )
      assert.strictEqual(
        yield* read(store.count({ tenantId: kept.tenantId, webhookId: kept.id, status: null, event: null })),
        1
      )
    })
  )

  // Verifies: E-65.
  it.effect(
    "a log is listed newest first, as a whole, by one status or by one event, with what is claimed and when it is due",
    () =>
      Effect.gen(function* () {
        const store = yield* DeliveryStore
        const [one, other] = [Rows.webhook(tenantId()), Rows.webhook(tenantId())]
        const ended = { nextAt: null, attempts: 5 }
        const rows = [
          Rows.delivery(one, { ...ended, status: "failed" }),
          Rows.delivery(one, { nextAt: Rows.at(90), attempts: 1, error: "503", event: "call.completed" }),
          Rows.delivery(one, { ...ended, status: "delivered" }),
          Rows.delivery(one, { nextAt: Rows.at(30), attempts: 2, claim: Rows.id() }),
          Rows.delivery(one, { ...ended, status: "failed", event: "call.completed" })
        ]
        yield* add([one, other], [...rows, Rows.delivery(other, { ...ended, status: "failed" }), Rows.delivery(other)])
        const [failed, retrying, delivered, claimed, failedLater] = rows
        const whole = [...rows].reverse()
        for (const [status, event, expected] of [
          [null, null, whole],
          ["failed", null, [failedLater, failed]],
          ["pending", null, [claimed, retrying]],
          ["delivered", null, [delivered]],
          [null, "call.completed", [failedLater, retrying]],
          ["failed", "call.completed", [failedLater]],
          ["pending", "call.completed", [retrying]],
          ["delivered", "call.completed", []]
        ] as const) {
          const log = { tenantId: one.tenantId, webhookId: one.id, status, event }
          const page = (limit: number, offset: number) => read(store.list(log, { limit, offset }))
          const shown = expected.map((row) => {
            const { payload: _, surface: __, ...entry } = row!
            return entry
          })
          assert.deepStrictEqual(yield* page(10, 0), shown)
          assert.deepStrictEqual(yield* page(1, 1), shown.slice(1, 2))
          assert.strictEqual(yield* read(store.count(log)), shown.length)
        }
      })
  )

  it.effect("failed deliveries are found from an instant on, oldest first, page by page", () =>
    Effect.gen(function* () {
      const store = yield* DeliveryStore
      const webhook = Rows.webhook(tenantId())
      const failed = (at: number) => Rows.delivery(webhook, { status: "failed", nextAt: null, createdAt: Rows.at(at) })
      const rows = [failed(1), failed(2), Rows.delivery(webhook, { createdAt: Rows.at(3) }), failed(4), failed(5)]
      yield* add([webhook], rows)
      const first = yield* read(
        store.failedSince({
          tenantId: webhook.tenantId,
          webhookId: webhook.id,
          since: Rows.at(2),
          after: null,
          limit: 2
        })
      )
      assert.deepStrictEqual(ids(first), [rows[1]!.id, rows[3]!.id])
      const second = yield* read(
        store.failedSince({
          tenantId: webhook.tenantId,
          webhookId: webhook.id,
          since: Rows.at(2),
          after: first[1]!.id,
          limit: 2
        })
      )
      assert.deepStrictEqual(ids(second), [rows[4]!.id])
    })
  )
})
