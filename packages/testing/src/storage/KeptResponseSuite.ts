/** Kept responses: found by their account alone, with their items, until they expire or are removed. Verifies: LANG-6. */
import { assert } from "@effect/vitest"
import { Ids, type Instant, read, transact } from "@trunkline/core/effect"
import { type KeptItem, type KeptResponse, ResponseStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const at = Rows.at(0)
const later = Rows.at(1000)

const ids = Ids.ascending()
const responseId = (): string => `resp_${ids.next(at).replaceAll("-", "")}`

const item = (id: string, text = "hi"): KeptItem => ({ id, item: { type: "message", role: "user", content: text } })
const output = (id: string, text = "hello") => ({ id, type: "message", role: "assistant", content: text })

const response = (over: Partial<KeptResponse> = {}): KeptResponse => {
  const id = over.id ?? responseId()
  return {
    id,
    tenantId: Rows.id<"Account">(),
    response: { id, object: "response", output: [output("msg_out")] },
    before: [],
    input: [item("msg_in")],
    expiresAt: later,
    ...over
  }
}

const store = <A, E, R>(use: (store: ResponseStore["Service"]) => Effect.Effect<A, E, R>) => ResponseStore.use(use)

const kept = (over: Partial<KeptResponse> = {}) => {
  const added = response(over)
  return Effect.as(transact(store(({ add }) => add(added))), added)
}

const found = ({ id, tenantId }: Pick<KeptResponse, "id" | "tenantId">, when: Instant.Instant = at) =>
  read(
    store((responses) =>
      Effect.all({ response: responses.find(tenantId, id, when), input: responses.input(tenantId, id, when) })
    )
  )

const itemsOf = (
  { tenantId }: Pick<KeptResponse, "tenantId">,
  asked: ReadonlyArray<string>,
  when: Instant.Instant = at
) =>
  Effect.map(
    read(store(({ items }) => items(tenantId, asked, when))),
    (all): ReadonlyArray<readonly [string, unknown]> =>
      all.map(({ id, item }) => [id, item.content] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))
  )

const remove = ({ id, tenantId }: Pick<KeptResponse, "id" | "tenantId">, when: Instant.Instant = at) =>
  transact(store((responses) => responses.remove(tenantId, id, when)))

const sweep = (when: Instant.Instant, limit = 100) => transact(store((responses) => responses.sweep(when, limit)))

const gone = { response: null, input: [] }

export const keptResponses = suite("kept responses", ({ it, sideBySide }) => {
  it.effect("are found as they were kept, whatever they contain, with their input in its order", () =>
    Effect.gen(function* () {
      const texts = ["", "नमस्ते 👋🏽", "a\u0000b", "half \ud83d", '"\\\n', "x".repeat(1_000_000)]
      const input = [...texts.map((text, nth) => item(`msg_${nth}`, text)), item("msg_0", "again")]
      const before = texts.map((text) => ({ type: "message", b: text, a: [{ deep: null }] }))
      const added = yield* kept({
        input,
        before,
        response: { output: texts.map((text) => output("same", text)), z: 1, a: 2 }
      })
      const { input: _, ...rest } = added
      assert.deepStrictEqual(yield* found(added), { response: rest, input })
      assert.deepStrictEqual(Object.keys((yield* found(added)).response!.response), ["output", "z", "a"])
    })
  )

  it.effect("and their items are their account's alone", () =>
    Effect.gen(function* () {
      const added = yield* kept()
      const stranger = { ...added, tenantId: Rows.id<"Account">() }
      assert.deepStrictEqual(yield* found(stranger), gone)
      assert.deepStrictEqual(yield* itemsOf(stranger, ["msg_in", "msg_out"]), [])
      assert.isFalse(yield* remove(stranger))
      assert.isNotNull((yield* found(added)).response)
    })
  )

  it.effect("have items of input and output that are found by their ids, whatever those are", () =>
    Effect.gen(function* () {
      const strange = ["x".repeat(100_000), "a\u0000b", "ä 'quoted'"]
      const { tenantId } = yield* kept({ input: [item("msg_in"), ...strange.map((id) => item(id))] })
      const asked = ["msg_in", "msg_out", "msg_none", "MSG_IN", "", ...strange.slice(0, 1)]
      assert.deepStrictEqual(
        (yield* itemsOf({ tenantId }, asked)).map(([id]) => id),
        ["msg_in", "msg_out", strange[0]!]
      )
      assert.lengthOf(yield* itemsOf({ tenantId }, strange), 3)
      assert.deepStrictEqual(yield* itemsOf({ tenantId }, []), [])
    })
  )

  it.effect("of several with an item of one id the last one's is found, and the one before once that is removed", () =>
    Effect.gen(function* () {
      const first = yield* kept({ input: [item("msg_in", "first")] })
      const { tenantId } = first
      const second = yield* kept({ tenantId, input: [item("msg_in", "second")] })
      assert.deepStrictEqual(yield* itemsOf(first, ["msg_in"]), [["msg_in", "second"]])
      assert.isTrue(yield* remove(second))
      assert.deepStrictEqual(yield* itemsOf(first, ["msg_in"]), [["msg_in", "first"]])
    })
  )

  it.effect("are removed with their items, once", () =>
    Effect.gen(function* () {
      const added = yield* kept()
      const other = yield* kept({ tenantId: added.tenantId, input: [item("msg_other")] })
      assert.isTrue(yield* remove(added))
      assert.isFalse(yield* remove(added))
      assert.deepStrictEqual(yield* found(added), gone)
      assert.deepStrictEqual(yield* itemsOf(added, ["msg_in"]), [])
      assert.isNotNull((yield* found(other)).response)
    })
  )

  it.effect("that have expired are found no more, also before they are swept", () =>
    Effect.gen(function* () {
      const added = yield* kept({ expiresAt: later })
      const justBefore = Rows.at(999)
      assert.isNotNull((yield* found(added, justBefore)).response)
      assert.lengthOf(yield* itemsOf(added, ["msg_in", "msg_out"], justBefore), 2)
      assert.deepStrictEqual(yield* found(added, later), gone)
      assert.deepStrictEqual(yield* itemsOf(added, ["msg_in", "msg_out"], later), [])
      assert.isFalse(yield* remove(added, later))
    })
  )

  it.effect("of which the newest has expired leave the item of the one before", () =>
    Effect.gen(function* () {
      const first = yield* kept({ input: [item("msg_in", "first")], expiresAt: Rows.at(2000) })
      yield* kept({ tenantId: first.tenantId, input: [item("msg_in", "second")], expiresAt: later })
      assert.deepStrictEqual(yield* itemsOf(first, ["msg_in"], later), [["msg_in", "first"]])
    })
  )

  it.effect("that have expired are swept, the oldest first, and nothing else", () =>
    Effect.gen(function* () {
      yield* sweep(Rows.at(1_000_000), 1_000_000)
      const [third, first, second, stays] = [
        yield* kept({ expiresAt: Rows.at(3) }),
        yield* kept({ expiresAt: Rows.at(1) }),
        yield* kept({ expiresAt: Rows.at(2) }),
        yield* kept({ expiresAt: Rows.at(5) })
      ]
      assert.strictEqual(yield* sweep(Rows.at(4), 2), 2)
      const before = Rows.at(-1)
      assert.deepStrictEqual(yield* found(first!, before), gone)
      assert.deepStrictEqual(yield* found(second!, before), gone)
      assert.deepStrictEqual(yield* itemsOf(first!, ["msg_in", "msg_out"], before), [])
      assert.isNotNull((yield* found(third!, before)).response)
      assert.strictEqual(yield* sweep(Rows.at(4), 2), 1)
      assert.strictEqual(yield* sweep(Rows.at(4), 2), 0)
      assert.isNotNull((yield* found(stays!, before)).response)
    })
  )

  it.effect("are not kept where their transaction is rolled back", () =>
    Effect.gen(function* () {
      const added = response()
      yield* Effect.flip(
        transact(
          Effect.andThen(
            store(({ add }) => add(added)),
            Effect.fail("no" as const)
          )
        )
      )
      assert.deepStrictEqual(yield* found(added), gone)
      assert.deepStrictEqual(yield* itemsOf(added, ["msg_in"]), [])
    })
  )

  sideBySide("are swept by several at a time, each once", () =>
    Effect.gen(function* () {
      yield* sweep(Rows.at(1_000_000), 1_000_000)
      yield* Effect.forEach(Array.from({ length: 60 }), () => kept({ expiresAt: Rows.at(1) }))
      const some = yield* Effect.forEach(Array.from({ length: 12 }), () => sweep(Rows.at(1), 10), {
        concurrency: "unbounded"
      })
      const rest = yield* sweep(Rows.at(1), 100)
      assert.strictEqual(
        some.reduce((sum, n) => sum + n, rest),
        60
      )
    })
  )
})
