/** The delivery log as the queue: what is due, who gets it, and whose end counts. */
import { assert } from "@effect/vitest"
import {
  type Delivery,
  EmailSuppressionStore,
  type Ids,
  type Instant,
  OutboxStore,
  read,
  type Subscription,
  transact,
  WebhookStore
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const tenantId = () => Rows.id<"Account">()

const add = (subscriptions: ReadonlyArray<Subscription>, deliveries: ReadonlyArray<Delivery> = []) =>
  transact(
    WebhookStore.use((store) =>
      Effect.andThen(Effect.forEach(subscriptions, store.add), store.addDeliveries(deliveries))
    )
  )

const ids = (rows: ReadonlyArray<{ readonly id: Ids.DeliveryId }>) => rows.map(({ id }) => id)

/** What is due of these subscriptions: other tests leave theirs in the same table. */
const due = (
  of: ReadonlyArray<Subscription>,
  look: { readonly at: number; readonly perLane?: number; readonly full?: ReadonlyArray<Ids.WebhookId> }
) =>
  Effect.map(
    read(
      WebhookStore.use((store) =>
        store.due({
          at: Rows.at(look.at),
          perLane: look.perLane ?? 100,
          limit: 10_000,
          full: look.full ?? [],
          doubtful: []
        })
      )
    ),
    (found) => found.filter(({ webhookId }) => of.some(({ id }) => id === webhookId))
  )

const claim = (wanted: ReadonlyArray<Ids.DeliveryId>, at: number, until: number, token: string = Rows.id()) =>
  transact(
    WebhookStore.use((store) => store.claim({ ids: wanted, claim: token, at: Rows.at(at), until: Rows.at(until) }))
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
    transact(WebhookStore.use((store) => store.end([{ ...delivered(Rows.at(at)), id, claim: token }]))),
    (ended) => ended.has(id)
  )

export const webhooks = suite("webhooks", ({ it, sideBySide }) => {
  it.effect("a subscription and a delivery come back as they were written", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const tenant = tenantId()
      const one = Rows.webhook(tenant, {
        description: "d",
        previousSecret: "p",
        previousUntil: Rows.at(9),
        botId: Rows.id(),
        retrySchedule: "long",
        pauseAfterDays: 3,
        failingSince: Rows.at(4)
      })
      const row = Rows.delivery(one, {
        error: "é",
        sendId: "s",
        statusCode: 500,
        attempts: 2,
        lastAttemptAt: Rows.at(5)
      })
      yield* add([one], [row])
      assert.deepStrictEqual(yield* read(store.find(tenant, "platform", one.id)), one)
      assert.isNull(yield* read(store.find(tenant, "email", one.id)))
      assert.isNull(yield* read(store.find(tenantId(), "platform", one.id)))
      assert.deepStrictEqual(yield* read(store.findDelivery(one.id, row.id)), row)
      assert.isNull(yield* read(store.findDelivery(Rows.id(), row.id)))
      const changed = { ...one, url: "https://other.example", events: [], isActive: false }
      yield* transact(store.save(changed))
      assert.deepStrictEqual(yield* read(store.find(tenant, "platform", one.id)), changed)
    })
  )

  it.effect("secrets of all accounts are read in pages, and replaced where they still stand, present or previous", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const both = Rows.webhook(tenantId(), { secret: "v1.new", previousSecret: "v1.old", previousUntil: Rows.at(9) })
      const other = Rows.webhook(tenantId(), { surface: "email", secret: "v1.new" })
      yield* add([both, other])
      const all = yield* read(store.secrets(null, 10_000, ""))
      assert.deepStrictEqual(
        all.map(({ id }) => id),
        all.map(({ id }) => id).toSorted()
      )
      assert.deepInclude(all, { id: both.id, secret: "v1.new", previousSecret: "v1.old" })
      assert.deepInclude(all, { id: other.id, secret: "v1.new", previousSecret: null })
      const [first, ...others] = all
      assert.deepStrictEqual(yield* read(store.secrets(null, 1, "")), [first!])
      assert.deepStrictEqual(yield* read(store.secrets(first!.id, 10_000, "")), others)
      const replace = (was: string, is: string) => transact(store.replaceSecret(both.id, was, is))
      assert.isFalse(yield* replace("v1.none", "v2.none"))
      assert.isTrue(yield* replace("v1.old", "v2.old"))
      assert.isTrue(yield* replace("v1.new", "v2.new"))
      assert.isFalse(yield* replace("v1.new", "v2.newer"))
      assert.deepStrictEqual(yield* read(store.find(both.tenantId, "platform", both.id)), {
        ...both,
        secret: "v2.new",
        previousSecret: "v2.old"
      })
      assert.deepStrictEqual(yield* read(store.find(other.tenantId, "email", other.id)), other)
    })
  )

  it.effect("what is due is found lane by lane, soonest first, and not of paused, full or removed subscriptions", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
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
      yield* transact(store.remove(gone.id))
      const all = [one, two, paused, full, gone]
      const found = yield* due(all, { at: 50, perLane: 2, full: [full.id] })
      assert.sameMembers(ids(found), [rows[1]!.id, rows[2]!.id, rows[5]!.id])
      const ofOne = found.filter(({ webhookId }) => webhookId === one.id)
      assert.deepStrictEqual(ids(ofOne), [rows[1]!.id, rows[2]!.id])
    })
  )

  it.effect("retries never keep first attempts out of sight", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const tenant = tenantId()
      const old = Array.from({ length: 30 }, () => Rows.webhook(tenant))
      const young = Rows.webhook(tenant)
      const late = Rows.delivery(young, { nextAt: Rows.at(99) })
      yield* add(
        [...old, young],
        [...old.map((webhook) => Rows.delivery(webhook, { attempts: 1, nextAt: Rows.at(1) })), late]
      )
      const look = { at: Rows.at(100), perLane: 5, limit: 1_000, full: [], doubtful: [] }
      const seen = yield* read(store.due({ ...look, limit: 5_000 }))
      const firsts = seen.filter(({ attempts }) => attempts === 0).length
      const found = yield* read(store.due({ ...look, limit: firsts }))
      assert.include(ids(found), late.id)
      const doubted = yield* read(store.due({ ...look, limit: 1, doubtful: [young.id] }))
      assert.notInclude(ids(doubted), late.id)
    })
  )

  it.effect("a claim counts the attempt, lasts until its end, and is told with the subscription as it is now", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const webhook = Rows.webhook(tenantId())
      const row = Rows.delivery(webhook)
      yield* add([webhook], [row])
      yield* transact(store.save({ ...webhook, url: "https://now.example" }))
      const [taken] = yield* claim([row.id], 5, 40)
      assert.deepInclude(taken, { id: row.id, attempts: 1, url: "https://now.example", payload: row.payload })
      assert.deepStrictEqual(yield* claim([row.id], 39, 80), [])
      assert.strictEqual((yield* claim([row.id], 40, 80))[0]?.attempts, 2)
    })
  )

  it.effect("only the holder of the present claim ends a delivery", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const webhook = Rows.webhook(tenantId())
      const row = Rows.delivery(webhook)
      yield* add([webhook], [row])
      const [first, second] = [Rows.id(), Rows.id()]
      yield* claim([row.id], 5, 40, first)
      yield* claim([row.id], 41, 80, second)
      assert.isFalse(yield* end(row.id, first, 42))
      assert.deepInclude(yield* read(store.findDelivery(webhook.id, row.id)), {
        status: "pending",
        nextAt: Rows.at(80)
      })
      assert.isTrue(yield* end(row.id, second, 43))
      assert.isFalse(yield* end(row.id, second, 44))
      assert.deepInclude(yield* read(store.findDelivery(webhook.id, row.id)), {
        status: "delivered",
        nextAt: null,
        claim: null,
        deliveredAt: Rows.at(43)
      })
    })
  )

  it.effect("ends are written together, each as it was, and text that a database cannot carry as near as it can", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
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
      assert.deepStrictEqual([...ended].sort(), [well.id, badly.id].sort())
      assert.deepStrictEqual(yield* read(store.findDelivery(webhook.id, well.id)), {
        ...well,
        ...delivered(Rows.at(6)),
        claim: null
      })
      assert.deepStrictEqual(yield* read(store.findDelivery(webhook.id, badly.id)), {
        ...badly,
        ...failed,
        error: "é \ufffd \ufffd '\"",
        claim: null
      })
      assert.deepStrictEqual(yield* read(store.findDelivery(webhook.id, foreign.id)), foreign)
      assert.strictEqual((yield* transact(store.end([]))).size, 0)
    })
  )

  it.effect("eight claimers at once share the work out: nothing twice, nothing left", () =>
    Effect.gen(function* () {
      const webhook = Rows.webhook(tenantId())
      const rows = Array.from({ length: 100 }, () => Rows.delivery(webhook))
      yield* add([webhook], rows)
      const shares = yield* Effect.forEach(Array.from({ length: 8 }), () => claim(ids(rows), 5, 40), {
        concurrency: "unbounded"
      })
      const taken = shares.flatMap(ids)
      assert.strictEqual(new Set(taken).size, taken.length, "a delivery was taken twice")
      assert.strictEqual(taken.length + (yield* claim(ids(rows), 5, 40)).length, 100)
    })
  )

  it.effect("the log of a subscription that is gone is swept in parts", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const tenant = tenantId()
      const [gone, kept] = [Rows.webhook(tenant, { surface: "email" }), Rows.webhook(tenant, { surface: "email" })]
      yield* add([gone, kept], [...Array.from({ length: 25 }, () => Rows.delivery(gone)), Rows.delivery(kept)])
      yield* transact(store.remove(gone.id))
      assert.strictEqual((yield* read(store.logOfEmail(tenant, { limit: 100, offset: 0 }))).length, 1)
      assert.strictEqual(yield* read(store.countLogOfEmail(tenant)), 1)
      assert.strictEqual(yield* transact(store.sweep(10)), 10)
      let swept = 10
      for (let more = 10; more > 0; swept += more) more = yield* transact(store.sweep(10))
      assert.isAtLeast(swept, 25)
      assert.strictEqual(yield* read(store.countLog(gone.id, null)), 0)
      assert.strictEqual(yield* read(store.countLog(kept.id, null)), 1)
    })
  )

  // Verifies: E-65.
  it.effect("a log is listed newest first, as a whole or by one status, with what is claimed and when it is due", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const [one, other] = [Rows.webhook(tenantId()), Rows.webhook(tenantId())]
      const ended = { nextAt: null, attempts: 5 }
      const rows = [
        Rows.delivery(one, { ...ended, status: "failed" }),
        Rows.delivery(one, { nextAt: Rows.at(90), attempts: 1, error: "503" }),
        Rows.delivery(one, { ...ended, status: "delivered" }),
        Rows.delivery(one, { nextAt: Rows.at(30), attempts: 2, claim: Rows.id() }),
        Rows.delivery(one, { ...ended, status: "failed" })
      ]
      yield* add([one, other], [...rows, Rows.delivery(other, { ...ended, status: "failed" }), Rows.delivery(other)])
      const [failed, retrying, , claimed, failedLater] = rows
      const whole = [...rows].reverse()
      for (const [status, expected] of [
        [null, whole],
        ["failed", [failedLater, failed]],
        ["pending", [claimed, retrying]]
      ] as const) {
        const page = (limit: number, offset: number) => read(store.log(one.id, status, { limit, offset }))
        const shown = expected.map((row) => {
          const { payload: _, surface: __, ...entry } = row!
          return entry
        })
        assert.deepStrictEqual(yield* page(10, 0), shown)
        assert.deepStrictEqual(yield* page(1, 1), shown.slice(1, 2))
        assert.strictEqual(yield* read(store.countLog(one.id, status)), shown.length)
      }
    })
  )

  it.effect("failed deliveries are found from an instant on, oldest first, page by page", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const webhook = Rows.webhook(tenantId())
      const failed = (at: number) => Rows.delivery(webhook, { status: "failed", nextAt: null, createdAt: Rows.at(at) })
      const rows = [failed(1), failed(2), Rows.delivery(webhook, { createdAt: Rows.at(3) }), failed(4), failed(5)]
      yield* add([webhook], rows)
      const first = yield* read(store.failedSince(webhook.id, Rows.at(2), null, 2))
      assert.deepStrictEqual(ids(first), [rows[1]!.id, rows[3]!.id])
      const second = yield* read(store.failedSince(webhook.id, Rows.at(2), first[1]!.id, 2))
      assert.deepStrictEqual(ids(second), [rows[4]!.id])
    })
  )

  it.effect("an address is suppressed once, and a key is taken once", () =>
    Effect.gen(function* () {
      const store = yield* EmailSuppressionStore
      const outbox = yield* OutboxStore
      const tenant = tenantId()
      const entry = {
        id: Rows.id<"EmailSuppression">(),
        tenantId: tenant,
        email: "a@b.example",
        reason: "bounced" as const,
        detail: "first",
        createdAt: Rows.at(0)
      }
      yield* transact(Effect.andThen(store.add(entry), store.add({ ...entry, id: Rows.id(), detail: "second" })))
      assert.deepStrictEqual(yield* read(store.list(tenant, { limit: 9, offset: 0 })), [entry])
      assert.isFalse(yield* transact(store.remove(tenantId(), entry.id)))
      assert.isTrue(yield* transact(store.remove(tenant, entry.id)))
      assert.strictEqual(yield* read(store.count(tenant)), 0)

      const key = { tenantId: tenant, key: "k", eventId: Rows.id<"Event">(), createdAt: Rows.at(0) }
      assert.isTrue(yield* transact(outbox.takeKey(key)))
      assert.isFalse(yield* transact(outbox.takeKey({ ...key, eventId: Rows.id() })))
      assert.isTrue(yield* transact(outbox.takeKey({ ...key, tenantId: tenantId() })))
      assert.strictEqual(yield* read(outbox.byKey(tenant, "k")), key.eventId)
      assert.isNull(yield* read(outbox.byKey(tenant, "other")))
    })
  )

  sideBySide("a subscription is not removed between the look of an event and its rows", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const tenant = tenantId()
      const webhook = Rows.webhook(tenant)
      yield* add([webhook])
      const row = Rows.delivery(webhook)
      let removed = false
      const event = transact(
        Effect.gen(function* () {
          const [found] = yield* store.activeFilters(tenant, "platform")
          assert.strictEqual(found?.id, webhook.id)
          for (let i = 0; i < 20; i++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          assert.isFalse(removed)
          yield* store.addDeliveries([row])
        })
      )
      const removal = Effect.gen(function* () {
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        yield* transact(store.remove(webhook.id))
        removed = true
      })
      yield* Effect.all([event, removal], { concurrency: "unbounded" })
      assert.isTrue(removed)
    })
  )
})
