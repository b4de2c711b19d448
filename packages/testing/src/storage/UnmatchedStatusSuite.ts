/** Statuses that came before their message, on a database. Verifies: CHAT-6. */
import { assert } from "@effect/vitest"
import { lock, read, transact } from "@trunkline/core/effect"
import { MessageStore, UnmatchedStatusStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { addMessages, addUnmatched, claimUnmatched, idsOf, partOf, someone, unmatched } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

export const unmatchedStatuses = suite("unmatched statuses", ({ it }) => {
  it.effect("statuses are claimed in the order in which they came, and once", () =>
    Effect.gen(function* () {
      const [phoneId, other] = [Rows.id<"Phone">(), Rows.id<"Phone">()]
      const kept = [
        unmatched(phoneId, "a", 3, { status: "read" }),
        unmatched(phoneId, "a", 1, { status: "sent" }),
        unmatched(phoneId, "a", 2, { status: "failed", fault: { code: 131026, message: "“no” 👎" } }),
        unmatched(phoneId, "a", 2)
      ]
      const others = [unmatched(phoneId, "b", 1), unmatched(other, "a", 1)]
      yield* addUnmatched([...kept, ...others])
      assert.deepStrictEqual(yield* claimUnmatched(phoneId, "a"), [kept[1]!, kept[2]!, kept[3]!, kept[0]!])
      assert.deepStrictEqual(yield* claimUnmatched(phoneId, "a"), [])
      assert.deepStrictEqual(yield* claimUnmatched(phoneId, "b"), [others[0]!])
      assert.deepStrictEqual(yield* claimUnmatched(other, "a"), [others[1]!])
    })
  )

  it.effect("a change is kept beside statuses, and it is known of which messages something is kept", () =>
    Effect.gen(function* () {
      const store = yield* UnmatchedStatusStore
      const [phoneId, other] = [Rows.id<"Phone">(), Rows.id<"Phone">()]
      const edited = { type: "text", text: "“three” 🍕", content: { body: "“three” 🍕" } }
      const kept = [
        unmatched(phoneId, "a", 1, { status: "sent", change: { edited, isEcho: false, at: Rows.at(1) } }),
        unmatched(phoneId, "a", 2, { status: "sent", change: { edited: null, isEcho: true, at: Rows.at(2) } })
      ]
      yield* addUnmatched([...kept, unmatched(phoneId, "b", 1), unmatched(other, "c", 1)])
      const among = (...msgids: ReadonlyArray<string>) => read(store.among(phoneId, msgids))
      assert.deepStrictEqual([...(yield* among("a", "b", "c", "d"))].toSorted(), ["a", "b"])
      assert.deepStrictEqual(yield* among(), [])
      assert.deepStrictEqual(yield* claimUnmatched(phoneId, "a"), kept)
      assert.deepStrictEqual(yield* among("a", "b"), ["b"])
    })
  )

  it.effect("of several claims at the same time one gets each status", () =>
    Effect.gen(function* () {
      const phoneId = Rows.id<"Phone">()
      const kept = Array.from({ length: 20 }, (_, i) => unmatched(phoneId, "a", i))
      yield* addUnmatched(kept)
      const shares = yield* Effect.forEach(Array.from({ length: 8 }), () => claimUnmatched(phoneId, "a"), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(idsOf(shares.flat()).toSorted(), idsOf(kept).toSorted())
    })
  )

  // Verifies: N-22.
  it.effect("a status that looks for its message and a message that gets its id never miss each other", () =>
    Effect.gen(function* () {
      const [messages, statuses] = [yield* MessageStore, yield* UnmatchedStatusStore]
      const { customer } = yield* someone()
      const { phoneId } = customer
      for (let round = 0; round < 20; round++) {
        const msgid = `wamid.${round}`
        const row = partOf(customer, Rows.id(), 0)
        yield* addMessages([row])
        const report = transact(
          Effect.gen(function* () {
            yield* lock("report", msgid)
            const known = yield* messages.byMsgid(phoneId, msgid)
            if (known === null) yield* statuses.add(unmatched(phoneId, msgid, 1))
            return known === null ? 0 : 1
          })
        )
        const sent = transact(
          Effect.gen(function* () {
            yield* lock("report", msgid)
            yield* messages.save(row, { msgid, status: "sent", fault: null })
            return (yield* statuses.claim(phoneId, msgid)).length
          })
        )
        const both = round % 2 === 0 ? [report, sent] : [sent, report]
        const met = yield* Effect.all(both, { concurrency: "unbounded" })
        assert.strictEqual(met[0]! + met[1]!, 1)
      }
    })
  )

  it.effect("statuses of messages that never came are swept in batches, oldest first", () =>
    Effect.gen(function* () {
      const store = yield* UnmatchedStatusStore
      const sweep = (before: number, limit: number) => transact(store.sweep(Rows.at(before), limit))
      yield* sweep(1_000_000, 10_000)
      const phoneId = Rows.id<"Phone">()
      yield* addUnmatched([5, 1, 4, 2, 3].map((at) => unmatched(phoneId, `${at}`, at)))
      assert.strictEqual(yield* sweep(5, 3), 3)
      assert.strictEqual((yield* claimUnmatched(phoneId, "4")).length, 1)
      assert.strictEqual(yield* sweep(5, 3), 0)
      assert.strictEqual((yield* claimUnmatched(phoneId, "5")).length, 1)
    })
  )
})
