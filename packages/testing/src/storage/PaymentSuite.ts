/** Payments and configurations of payments, on a database. Verifies: PAYM-1. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { type KnownConfiguration, KnownConfigurationStore, type Payment, PaymentStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { idsOf, page, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const add = (...payments: ReadonlyArray<Payment>) =>
  transact(PaymentStore.use((store) => Effect.forEach(payments, store.add, { discard: true })))

const all = { status: null, referenceId: null }

export const payments = suite("payments", ({ it }) => {
  it.effect("a payment is read as it was written, by its own account alone", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const own = tenantId()
      const full = Rows.payment(own, {
        status: "captured",
        amount: 50_000_000n,
        msgid: "wamid.1",
        transactions: [{ id: "tx é", type: "upi", status: "success", at: "2026-11-21T09:30:00.000Z", error: null }],
        orderStatus: "partially_shipped",
        expiresAt: Rows.at(7),
        lookUpAt: Rows.at(8),
        lookUps: 3,
        dueAt: Rows.at(90_000_000)
      })
      const bare = Rows.payment(own, { referenceId: "order-2", phone: null, userId: "US.1" })
      const elsewhere = Rows.payment(own, { phoneNumberId: "200" })
      const foreign = Rows.payment(tenantId())
      yield* add(full, bare, elsewhere, foreign)
      for (const one of [full, bare, elsewhere, foreign]) {
        const { id, messageId, phoneNumberId, referenceId } = one
        assert.deepStrictEqual(yield* read(store.find(one.tenantId, id)), one)
        assert.deepStrictEqual(yield* read(store.byReference(one.tenantId, phoneNumberId, referenceId)), one)
        assert.deepStrictEqual(yield* read(store.byMessage(one.tenantId, messageId)), one)
        assert.isNull(yield* read(store.find(tenantId(), id)))
        assert.isNull(yield* read(store.byMessage(tenantId(), messageId)))
        assert.isNull(yield* read(store.byReference(tenantId(), phoneNumberId, referenceId)))
      }
      const next: Payment = { ...full, status: "failed", msgid: null, transactions: [], expiresAt: null, dueAt: null }
      yield* transact(store.save(next))
      yield* transact(store.save({ ...foreign, tenantId: own, status: "failed" }))
      assert.deepStrictEqual(yield* read(store.find(own, full.id)), next)
      assert.deepStrictEqual(yield* read(store.find(foreign.tenantId, foreign.id)), foreign)
    })
  )

  it.effect("a number has one payment of a reference, and none once that is removed", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const first = Rows.payment(tenantId())
      const second = Rows.payment(first.tenantId)
      yield* add(first)
      assert.strictEqual((yield* Effect.exit(add(second)))._tag, "Failure")
      yield* transact(store.remove(tenantId(), first.id))
      assert.strictEqual((yield* Effect.exit(add(second)))._tag, "Failure")
      yield* transact(store.remove(first.tenantId, first.id))
      yield* add(second)
      assert.isNull(yield* read(store.find(first.tenantId, first.id)))
    })
  )

  it.effect("payments are listed newest first, by status and reference, page by page", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const own = tenantId()
      const given = (["requested", "captured", "requested", "expired"] as const).map((status, nth) =>
        Rows.payment(own, { status, phoneNumberId: String(nth), referenceId: nth < 2 ? "one" : "two" })
      )
      yield* add(...given, Rows.payment(tenantId()))
      const newest = given.toReversed()
      const listed = (filter: Parameters<typeof store.list>[1], limits = page) =>
        Effect.map(read(store.list(own, filter, limits)), idsOf)
      assert.deepStrictEqual(yield* listed(all), idsOf(newest))
      assert.deepStrictEqual(yield* listed(all, { limit: 2, offset: 1 }), idsOf(newest.slice(1, 3)))
      assert.deepStrictEqual(yield* listed({ ...all, status: "requested" }), idsOf([given[2]!, given[0]!]))
      assert.deepStrictEqual(yield* listed({ ...all, referenceId: "one" }), idsOf([given[1]!, given[0]!]))
      assert.deepStrictEqual(yield* listed({ status: "captured", referenceId: "one" }), idsOf([given[1]!]))
      assert.strictEqual(yield* read(store.count(own, all)), 4)
      assert.strictEqual(yield* read(store.count(own, { ...all, referenceId: "two" })), 2)
    })
  )

  it.effect("of payments that are due each is taken once, and again once its claim has lapsed", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const own = tenantId()
      const due = Array.from({ length: 6 }, (_, nth) =>
        Rows.payment(own, { referenceId: String(nth), dueAt: Rows.at(nth - 1_000_000) })
      )
      const later = Rows.payment(own, { referenceId: "later", dueAt: Rows.at(-500_000) })
      yield* add(...due, later, Rows.payment(own, { referenceId: "never" }))
      assert.strictEqual(yield* read(store.nextDue), due[0]!.dueAt)
      const [at, until] = [Rows.at(-600_000), Rows.at(-550_000)]
      const taken = yield* Effect.all(
        Array.from({ length: 4 }, () => transact(store.claimDue(at, until, 2))),
        { concurrency: "unbounded" }
      )
      const mine = taken.flat().filter(({ tenantId }) => tenantId === own)
      assert.sameMembers([...idsOf(mine)], [...idsOf(due)])
      assert.strictEqual(yield* read(store.nextDue), until)
      const again = yield* transact(store.claimDue(until, Rows.at(-400_000), 100))
      assert.strictEqual(again.filter(({ tenantId }) => tenantId === own).length, 6)
      for (const one of [...due, later]) yield* transact(store.remove(own, one.id))
    })
  )

  it.effect(
    "of what deliveries say of a configuration the latest stays, for its own account and business account",
    () =>
      Effect.gen(function* () {
        const store = yield* KnownConfigurationStore
        const owner = { tenantId: tenantId(), channel: "cloud-api", businessAccountId: "1" }
        const known: KnownConfiguration = { ...owner, name: "shop", status: "Active", reportedAt: Rows.at(5) }
        const other = { ...known, name: "é" }
        const foreign = { ...known, tenantId: tenantId(), status: "Foreign" }
        const save = (...all: ReadonlyArray<KnownConfiguration>) =>
          transact(Effect.forEach(all, store.save, { discard: true }))
        yield* save(known, other, foreign, { ...known, businessAccountId: "2" }, { ...known, channel: "another" })
        yield* save({ ...known, status: "Older", reportedAt: Rows.at(4) })
        const found = Effect.map(read(store.of(owner)), (all) =>
          all.toSorted((one, another) => (one.name < another.name ? -1 : 1))
        )
        assert.deepStrictEqual(yield* found, [known, other])
        const later = { ...known, status: "Needs Testing", reportedAt: Rows.at(6) }
        yield* save(later)
        assert.deepStrictEqual(yield* found, [later, other])
        assert.deepStrictEqual(yield* read(store.of({ ...owner, tenantId: foreign.tenantId })), [foreign])
      })
  )
})
