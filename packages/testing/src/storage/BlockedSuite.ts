/** Who is blocked on numbers, on a database. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { BlockedStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

export const blockedPeople = suite("people who are blocked", ({ it }) => {
  it.effect("are found among others, of their number alone, until they are removed", () =>
    Effect.gen(function* () {
      const store = yield* BlockedStore
      const [one, other] = [Rows.number(tenantId()), Rows.number(tenantId())]
      const add = ({ id, tenantId: own }: typeof one, ...people: ReadonlyArray<string>) =>
        transact(store.add(id, own, people))
      const among = ({ id }: typeof one, ...people: ReadonlyArray<string>) =>
        Effect.map(read(store.among(id, people)), (found) => [...found].sort())
      yield* add(one, "4321555056", "IN.é👍", "us.1", "4321555056")
      yield* add(one, "4321555056", "another")
      yield* add(one)
      yield* add(other, "others")
      assert.deepStrictEqual(yield* among(one, "4321555056", "IN.é👍", "US.1", "others"), ["4321555056", "IN.é👍"])
      assert.deepStrictEqual(yield* among(one), [])
      assert.deepStrictEqual(yield* among(other, "4321555056", "others"), ["others"])
      yield* transact(store.remove(one.id, ["IN.é👍", "others", "nobody"]))
      yield* transact(store.remove(one.id, []))
      assert.deepStrictEqual(yield* among(one, "4321555056", "IN.é👍", "us.1", "another"), [
        "4321555056",
        "another",
        "us.1"
      ])
      assert.deepStrictEqual(yield* among(other, "others"), ["others"])
    })
  )

  it.effect("are added and removed by a thousand at once, in any order, and nobody waits for ever", () =>
    Effect.gen(function* () {
      const store = yield* BlockedStore
      const { id, tenantId: own } = Rows.number(tenantId())
      const people = Array.from({ length: 1000 }, (_, nth) => `p${nth}`)
      yield* Effect.all(
        Array.from({ length: 4 }, (_, nth) =>
          transact(store.add(id, own, nth % 2 === 0 ? people : people.toReversed()))
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual((yield* read(store.among(id, [...people, "nobody"]))).size, 1000)
      yield* transact(store.remove(id, people.slice(1)))
      assert.deepStrictEqual([...(yield* read(store.among(id, people)))], ["p0"])
    })
  )
})
