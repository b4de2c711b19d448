/** People who have opted out, on a database. Verifies: OPT-2. */
import { assert } from "@effect/vitest"
import { PhoneNumber, read, transact } from "@trunkline/core/effect"
import { type OptOut, OptOutStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { idsOf, page, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const add = (...entries: ReadonlyArray<OptOut>) =>
  transact(OptOutStore.use((store) => Effect.forEach(entries, store.add, { discard: true })))

const all = { source: null, phoneNumberId: null }

export const optOuts = suite("opt-outs", ({ it }) => {
  it.effect("an entry is read as it was written, by its own account alone", () =>
    Effect.gen(function* () {
      const store = yield* OptOutStore
      const own = tenantId()
      const full = Rows.optOut(own, { userId: "US.é👍", phoneNumberId: "1", detail: "Détail 👍", scope: "marketing" })
      const bare = Rows.optOut(own, { phone: null, matchKey: null, userId: "US.1", source: "platform" })
      yield* add(full, bare)
      for (const entry of [full, bare]) {
        assert.deepStrictEqual(yield* read(store.find(own, entry.id)), entry)
        assert.isNull(yield* read(store.find(tenantId(), entry.id)))
      }
      assert.deepStrictEqual(yield* read(store.ofUser(own, "US.1")), [bare])
      assert.deepStrictEqual(yield* read(store.ofUser(tenantId(), "US.1")), [])
    })
  )

  it.effect("entries are found by the last digits of a phone, newest first", () =>
    Effect.gen(function* () {
      const store = yield* OptOutStore
      const own = tenantId()
      const of = (phone: string) => Rows.optOut(own, { phone, matchKey: PhoneNumber.usable(phone)!.key })
      const [long, short, other] = [of("+14155550123"), of("5550123"), of("+14155550124")]
      yield* add(long, short, other, Rows.optOut(tenantId()))
      const near = (phone: string) => read(store.near(own, PhoneNumber.seekRange(PhoneNumber.usable(phone)!.key)))
      assert.deepStrictEqual(idsOf(yield* near("+14155550123")), idsOf([short, long]))
      assert.deepStrictEqual(idsOf(yield* near("+49301234567")), [])
    })
  )

  it.effect("entries are listed newest first, by source and number, page by page", () =>
    Effect.gen(function* () {
      const store = yield* OptOutStore
      const own = tenantId()
      const entries = (["keyword", "platform", "button", "api", "api"] as const).map((source, nth) =>
        Rows.optOut(own, { source, phoneNumberId: nth % 2 === 0 ? "1" : null })
      )
      yield* add(...entries, Rows.optOut(tenantId()))
      const newest = entries.toReversed()
      const listed = (filter: Parameters<typeof store.list>[1], limits = page) =>
        Effect.map(read(store.list(own, filter, limits)), idsOf)
      assert.deepStrictEqual(yield* listed(all), idsOf(newest))
      assert.deepStrictEqual(yield* listed(all, { limit: 2, offset: 1 }), idsOf(newest.slice(1, 3)))
      assert.deepStrictEqual(yield* listed({ ...all, source: "api" }), idsOf(newest.slice(0, 2)))
      assert.deepStrictEqual(yield* listed({ source: "api", phoneNumberId: "1" }), idsOf(newest.slice(0, 1)))
      assert.strictEqual(yield* read(store.count(own, all)), 5)
      assert.strictEqual(yield* read(store.count(own, { ...all, phoneNumberId: "1" })), 3)
    })
  )

  it.effect("an entry is removed once, and by its own account alone", () =>
    Effect.gen(function* () {
      const store = yield* OptOutStore
      const entry = Rows.optOut(tenantId())
      yield* add(entry)
      assert.isFalse(yield* transact(store.remove(tenantId(), entry.id)))
      assert.isTrue(yield* transact(store.remove(entry.tenantId, entry.id)))
      assert.isFalse(yield* transact(store.remove(entry.tenantId, entry.id)))
      assert.isNull(yield* read(store.find(entry.tenantId, entry.id)))
    })
  )
})
