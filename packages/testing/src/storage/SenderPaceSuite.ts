/** How fast numbers send, and whom business accounts have written to, on a database. Verifies: TCMP-5. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { SenderPaceStore, type TemplateRecipient } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const countAll = (...recipients: ReadonlyArray<TemplateRecipient>) =>
  transact(SenderPaceStore.use((store) => store.countRecipients(recipients)))

const businessOf = (businessAccountId: string) => ({ channel: "cloud-api", businessAccountId })

export const senderPaces = suite("paces of numbers", ({ it }) => {
  it.effect("the pace of a number is read as it was written last, its slot to the microsecond", () =>
    Effect.gen(function* () {
      const store = yield* SenderPaceStore
      const first = Rows.senderPace(tenantId(), {
        nextSlot: 1_780_000_000_123_457,
        slowedTo: 37.5,
        slowedAt: Rows.at(1)
      })
      const other = Rows.senderPace(first.tenantId)
      const next = { ...first, nextSlot: 1_780_000_000_223_457, heldUntil: Rows.at(2), slowedAt: null, throttles: 3 }
      assert.isNull(yield* read(store.find(first.phoneId)))
      yield* transact(Effect.andThen(store.save(first), store.save(other)))
      assert.deepStrictEqual(yield* read(store.find(first.phoneId)), first)
      const troubled = [Rows.id<"TemplateContact">(), Rows.id<"TemplateContact">()]
      yield* transact(store.save({ ...next, troubled }))
      assert.deepStrictEqual(yield* read(store.find(first.phoneId)), { ...next, troubled })
      assert.deepStrictEqual(yield* read(store.find(other.phoneId)), other)
    })
  )

  it.effect("a person counts once for a business account, whatever number of accounts have written to them", () =>
    Effect.gen(function* () {
      const store = yield* SenderPaceStore
      const [one, other] = [tenantId(), tenantId()]
      const shared = Rows.templateRecipient(one, "b1", { at: Rows.at(10) })
      const business = businessOf("b1")
      yield* countAll(
        ...[shared, { ...shared, tenantId: other, at: Rows.at(30) }],
        ...[Rows.templateRecipient(one, "b1", { at: Rows.at(20) }), Rows.templateRecipient(other, "b1")],
        ...[{ ...shared, businessAccountId: "b2" }, Rows.templateRecipient(one, "b1", { channel: "other" })]
      )
      const since = (at: number, max = 100) => read(store.recipientsSince(business, Rows.at(at), max))
      assert.strictEqual(yield* since(0), 3)
      assert.strictEqual(yield* since(10), 2)
      assert.strictEqual(yield* since(21), 1)
      assert.strictEqual(yield* since(31), 0)
      assert.strictEqual(yield* since(0, 2), 2)
      assert.strictEqual(yield* read(store.recipientsSince(businessOf("b2"), Rows.at(0), 100)), 1)
      const oldest = (at: number) => read(store.oldestRecipient(business, Rows.at(at)))
      assert.strictEqual(yield* oldest(0), Rows.at(0))
      // The shared one was written to at 10, and is counted until 30 leaves.
      assert.strictEqual(yield* oldest(5), Rows.at(20))
      assert.strictEqual(yield* oldest(25), Rows.at(30))
      assert.isNull(yield* oldest(31))
    })
  )

  it.effect("a person who is written to again is counted from then on", () =>
    Effect.gen(function* () {
      const store = yield* SenderPaceStore
      const recipient = Rows.templateRecipient(tenantId(), "again", { at: Rows.at(1) })
      yield* countAll(recipient)
      yield* countAll()
      yield* countAll({ ...recipient, at: Rows.at(4) }, { ...recipient, at: Rows.at(5) })
      const business = businessOf("again")
      assert.strictEqual(yield* read(store.recipientsSince(business, Rows.at(0), 100)), 1)
      assert.strictEqual(yield* read(store.recipientsSince(business, Rows.at(5), 100)), 1)
      assert.strictEqual(yield* read(store.recipientsSince(business, Rows.at(6), 100)), 0)
    })
  )

  it.effect("people who are counted are found among others, each once", () =>
    Effect.gen(function* () {
      const store = yield* SenderPaceStore
      const of = (person: string, at: number) =>
        Rows.templateRecipient(tenantId(), "among", { person, at: Rows.at(at) })
      yield* countAll(of("a", 10), of("a", 20), of("b", 5), of("IN.é👍", 10), of("d", 10))
      const among = (...people: ReadonlyArray<string>) =>
        Effect.map(read(store.countedAmong(businessOf("among"), people, Rows.at(10))), (found) => [...found].sort())
      assert.deepStrictEqual(yield* among("a", "b", "IN.é👍", "nobody"), ["IN.é👍", "a"])
      assert.deepStrictEqual(yield* among(), [])
      assert.deepStrictEqual(yield* read(store.countedAmong(businessOf("other"), ["a"], Rows.at(0))), [])
    })
  )

  it.effect("transactions that count the same people in another order do not wait for each other for ever", () =>
    Effect.gen(function* () {
      const store = yield* SenderPaceStore
      const own = tenantId()
      const people = Array.from({ length: 50 }, () => Rows.templateRecipient(own, "races"))
      yield* Effect.all(
        Array.from({ length: 8 }, (_, nth) => countAll(...(nth % 2 === 0 ? people : people.toReversed()))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(yield* read(store.recipientsSince(businessOf("races"), Rows.at(0), 100)), 50)
    })
  )

  it.effect("people who were written to long ago are removed in parts", () =>
    Effect.gen(function* () {
      const store = yield* SenderPaceStore
      const of = (at: number) => Rows.templateRecipient(tenantId(), "swept", { at: Rows.at(at) })
      yield* countAll(...[-9, -8, -7, -6, -5].map(of))
      const swept = (before: number, limit: number) => transact(store.sweepRecipients(Rows.at(before), limit))
      assert.strictEqual(yield* swept(-6, 2), 2)
      assert.strictEqual(yield* swept(-6, 2), 1)
      assert.strictEqual(yield* swept(-6, 2), 0)
      assert.strictEqual(yield* read(store.recipientsSince(businessOf("swept"), Rows.at(-100), 100)), 2)
    })
  )
})
