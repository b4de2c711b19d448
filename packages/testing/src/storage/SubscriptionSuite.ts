/** Subscriptions, their secrets and their health; addresses that must not be written to. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { DeliveryStore, EmailSuppressionStore, SubscriptionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const tenantId = () => Rows.id<"Account">()

export const subscriptions = suite("subscriptions", ({ it, sideBySide }) => {
  it.effect("a subscription comes back as it was written, to its own account and surface alone", () =>
    Effect.gen(function* () {
      const store = yield* SubscriptionStore
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
      const key = { tenantId: tenant, surface: "platform" as const, id: one.id }
      yield* transact(store.add(one))
      assert.deepStrictEqual(yield* read(store.find(key)), one)
      assert.isNull(yield* read(store.find({ ...key, surface: "email" })))
      assert.isNull(yield* read(store.find({ ...key, tenantId: tenantId() })))
      const changed = { ...one, url: "https://other.example", events: [], isActive: false }
      yield* transact(store.save(changed))
      assert.deepStrictEqual(yield* read(store.find(key)), changed)
    })
  )

  it.effect("secrets of all accounts are read in pages, and replaced where they still stand, present or previous", () =>
    Effect.gen(function* () {
      const store = yield* SubscriptionStore
      const both = Rows.webhook(tenantId(), { secret: "v1.new", previousSecret: "v1.old", previousUntil: Rows.at(9) })
      const other = Rows.webhook(tenantId(), { surface: "email", secret: "v1.new" })
      yield* transact(Effect.andThen(store.add(both), store.add(other)))
      const all = yield* read(store.secrets({ after: null, limit: 10_000, prefix: "" }))
      assert.deepStrictEqual(
        all.map(({ id }) => id),
        all.map(({ id }) => id).toSorted()
      )
      assert.deepInclude(all, { id: both.id, secret: "v1.new", previousSecret: "v1.old" })
      assert.deepInclude(all, { id: other.id, secret: "v1.new", previousSecret: null })
      const [first, ...others] = all
      assert.deepStrictEqual(yield* read(store.secrets({ after: null, limit: 1, prefix: "" })), [first!])
      assert.deepStrictEqual(yield* read(store.secrets({ after: first!.id, limit: 10_000, prefix: "" })), others)
      const replace = (from: string, to: string) => transact(store.replaceSecret(both.id, { from, to }))
      assert.isFalse(yield* replace("v1.none", "v2.none"))
      assert.isTrue(yield* replace("v1.old", "v2.old"))
      assert.isTrue(yield* replace("v1.new", "v2.new"))
      assert.isFalse(yield* replace("v1.new", "v2.newer"))
      assert.deepStrictEqual(yield* read(store.find(both)), {
        ...both,
        secret: "v2.new",
        previousSecret: "v2.old"
      })
      assert.deepStrictEqual(yield* read(store.find(other)), other)
    })
  )

  it.effect("health is written unless somebody has changed it meanwhile, and never turns a subscription on", () =>
    Effect.gen(function* () {
      const store = yield* SubscriptionStore
      const webhook = Rows.webhook(tenantId())
      yield* transact(store.add(webhook))
      const health = Effect.map(read(store.find(webhook)), (found) => [found!.failingSince, found!.isActive])
      const change = (previous: number | null, failingSince: number | null, pauses = false) =>
        transact(
          store.changeHealth(webhook, {
            previous: previous === null ? null : Rows.at(previous),
            failingSince: failingSince === null ? null : Rows.at(failingSince),
            pauses
          })
        )
      yield* change(null, 5)
      assert.deepStrictEqual(yield* health, [Rows.at(5), true])
      yield* change(null, 6, true)
      assert.deepStrictEqual(yield* health, [Rows.at(5), true])
      yield* change(5, 5, true)
      assert.deepStrictEqual(yield* health, [Rows.at(5), false])
      yield* change(5, null)
      assert.deepStrictEqual(yield* health, [null, false])
    })
  )

  it.effect("an email address is suppressed once: the first reason stays", () =>
    Effect.gen(function* () {
      const store = yield* EmailSuppressionStore
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
    })
  )

  sideBySide("a subscription is not removed between the reading of its filter and the rows of an event", () =>
    Effect.gen(function* () {
      const store = yield* SubscriptionStore
      const deliveries = yield* DeliveryStore
      const tenant = tenantId()
      const webhook = Rows.webhook(tenant)
      yield* transact(store.add(webhook))
      const row = Rows.delivery(webhook)
      let removed = false
      const event = transact(
        Effect.gen(function* () {
          const [found] = yield* store.activeFilters({ tenantId: tenant, surface: "platform" })
          assert.strictEqual(found?.id, webhook.id)
          for (let i = 0; i < 20; i++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          assert.isFalse(removed)
          yield* deliveries.add([row])
        })
      )
      const removal = Effect.gen(function* () {
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        yield* transact(store.remove(webhook))
        removed = true
      })
      yield* Effect.all([event, removal], { concurrency: "unbounded" })
      assert.isTrue(removed)
    })
  )
})
