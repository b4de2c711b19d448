/** Messages on a database: known by the platform's id, kept in the order in which they were added. Verifies: CHAT-1, CHAT-6. */
import { assert } from "@effect/vitest"
import { type Ids, type Message, read, transact } from "@trunkline/core/effect"
import { ConversationStore, MessageStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import {
  addCustomers,
  addMessages,
  addUnmatched,
  idsOf,
  idsReversed,
  page,
  partOf,
  someone,
  unmatched
} from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const listed = (id: Ids.ConversationId) => read(ConversationStore.use((store) => store.messages(id, null, page)))

const counted = (id: Ids.ConversationId) => read(ConversationStore.use((store) => store.countMessages(id)))

/** As deep as nobody writes, and far less deep than what a parser refuses. */
const nested = (depth: number): { readonly [name: string]: unknown } => {
  let value: unknown = "👇🏽"
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { in: value }
  return { value }
}

const bodies: ReadonlyArray<{ readonly [name: string]: unknown }> = [
  {},
  { z: 1, a: 2, "": 3, 名: "値", "a.b": { $c: [] } },
  { body: "👩‍👩‍👧‍👦 e\u0301 \u{1F3F4}\u200D 🇮🇳 \u2028\u2029\uFEFF" },
  { body: JSON.parse('"\\u0041\\ud83d\\ude00\\u0000\\u001f\\/\\\\\\"\\n\\ud83d"') as string },
  { number: 0.1, small: 5e-324, large: 1.7976931348623157e308, whole: 9007199254740991, negative: -0.5, none: null },
  { contacts: [{ name: { formatted_name: "Zoë" }, phones: [{ phone: "+91", wa_id: null }] }, [], [[true, false]]] },
  nested(400)
]

export const messages = suite("messages", ({ it }) => {
  it.effect("a message comes back as it was written", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const rows = [
        Rows.message(customer, { type: "reaction", text: null }),
        partOf(customer, Rows.id(), 3, {
          ...{ msgid: "wamid.=/+", type: "image", status: "failed", createdAt: Rows.at(4) },
          fault: { code: 131047, message: "“Re-engagement” 👍" }
        }),
        Rows.message(customer, {
          ...{ direction: "outbound", role: "agent", status: "unknown", msgid: null },
          fault: { code: null, message: "" }
        }),
        Rows.message(customer, {
          ...{ writtenAt: Rows.at(-5), editedAt: Rows.at(6), deletedAt: Rows.at(7) },
          original: { text: "“two” 🍕", content: { z: 1, body: "“two” 🍕" } }
        })
      ]
      assert.deepStrictEqual(yield* addMessages(rows), [true, true, true, true])
      for (const row of rows) assert.deepStrictEqual(yield* read(store.byId(row.id)), row)
      assert.deepStrictEqual(yield* read(store.byMsgid(customer.phoneId, "wamid.=/+")), rows[1]!)
      assert.isNull(yield* read(store.byMsgid(Rows.id(), "wamid.=/+")))
      assert.isNull(yield* read(store.byId(Rows.id())))
    })
  )

  it.effect("what the writer of a message has made of it is written apart from how far it has come", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const [row, other] = [Rows.message(customer, { status: "sending", msgid: null }), Rows.message(customer)]
      yield* addMessages([row, other])
      const original = { text: row.text, content: row.body }
      const edited = { text: "three", body: { body: "three" }, original, editedAt: Rows.at(3), deletedAt: null }
      yield* transact(store.change(row, edited))
      yield* transact(store.save(row, { msgid: "wamid.edited", status: "sent", fault: null }))
      const now: Message = { ...row, ...edited, msgid: "wamid.edited", status: "sent" }
      assert.deepStrictEqual(yield* read(store.byId(row.id)), now)
      yield* transact(store.change(row, { ...now, deletedAt: Rows.at(4) }))
      assert.deepStrictEqual(yield* read(store.byId(row.id)), { ...now, deletedAt: Rows.at(4) })
      assert.deepStrictEqual(yield* read(store.byId(other.id)), other)
    })
  )

  it.effect("of many ids those that the number has are returned, whatever is in them", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const { customer: other } = yield* someone()
      const odd = ["wamid.=/+", `"'),(; --`, "[1]", "ä👍"]
      yield* addMessages([
        ...odd.map((msgid) => Rows.message(customer, { msgid })),
        Rows.message(other, { msgid: "1" })
      ])
      const asked = ["1", ...odd.toReversed(), "2", ...Array.from({ length: 2000 }, (_, i) => `none ${i}`)]
      const known = yield* read(store.knownMsgids(customer.phoneId, asked))
      assert.deepStrictEqual([...known].sort(), odd.toSorted())
      assert.deepStrictEqual(yield* read(store.knownMsgids(customer.phoneId, [])), [])
    })
  )

  it.effect("what the platform sends comes back as it came: emoji, escapes, deep objects, and long texts", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const long = "नमस्ते 👋🏽\n".repeat(8_000)
      assert.isAbove(Buffer.byteLength(long), 100_000)
      for (const [text, body] of [
        ...bodies.map((body) => ["a", body] as const),
        [long, { body: long }] as const,
        ['it\'s "quoted" \\ %_ \u2028 e\u0301', {}] as const
      ]) {
        const row = Rows.message(customer, { text, body })
        yield* addMessages([row])
        const found = (yield* read(store.byId(row.id)))!
        assert.strictEqual(JSON.stringify(found.body), JSON.stringify(body))
        assert.strictEqual(found.text, text)
      }
      const odd = Rows.message(customer, { text: "a\0b\ud83d" })
      yield* addMessages([odd])
      assert.strictEqual((yield* read(store.byId(odd.id)))?.text, "a\ufffdb\ufffd")
    })
  )

  // Verifies: N-17.
  it.effect("20 identical deliveries at once add one message, and one of them learns that it did", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const msgid = "wamid.HBgM"
      const copies = Array.from({ length: 20 }, (_, i) => Rows.message(customer, { msgid, text: `copy ${i}` }))
      const answers = yield* Effect.forEach(copies, (copy) => transact(store.add(copy)), {
        concurrency: "unbounded"
      })
      const kept = copies.filter((_, i) => answers[i])
      assert.strictEqual(kept.length, 1)
      assert.deepStrictEqual(yield* listed(customer.conversationId), kept)
      assert.deepStrictEqual(yield* addMessages([Rows.message(customer, { msgid })]), [false])
      assert.deepStrictEqual(yield* read(store.byMsgid(customer.phoneId, msgid)), kept[0]!)

      const { customer: elsewhere } = yield* someone()
      assert.deepStrictEqual(yield* addMessages([Rows.message(elsewhere, { msgid })]), [true])
      const unsent = [1, 2].map(() => Rows.message(customer, { msgid: null }))
      assert.deepStrictEqual(yield* addMessages(unsent), [true, true])
    })
  )

  it.effect("a message that is delivered again changes nothing of the transaction around it", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const first = Rows.message(customer)
      yield* addMessages([first])
      const added = yield* transact(
        Effect.gen(function* () {
          const again = yield* store.add({ ...first, id: Rows.id() })
          const news = yield* store.add(Rows.message(customer))
          return [again, news]
        })
      )
      assert.deepStrictEqual(added, [false, true])
      assert.strictEqual(yield* counted(customer.conversationId), 2)
    })
  )

  it.effect("a history goes over all conversations of a customer, and is its newest part, oldest first", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer, number } = yield* someone()
      const later = { ...customer, conversationId: Rows.id<"Conversation">() }
      yield* transact(ConversationStore.use((of) => of.add(Rows.conversation(later))))
      const rows = [customer, customer, later, later].map((of) => Rows.message(of))
      const stranger = Rows.customer(number)
      yield* addCustomers([stranger])
      yield* addMessages([...rows, Rows.message(stranger)])
      assert.deepStrictEqual(yield* read(store.history(customer.id, 100)), rows)
      assert.deepStrictEqual(yield* read(store.history(customer.id, 3)), rows.slice(1))
      assert.deepStrictEqual(yield* read(store.history(Rows.id(), 3)), [])
      assert.deepStrictEqual(yield* listed(later.conversationId), rows.slice(2).toReversed())
    })
  )

  it.effect("what waits is what came in after the last handled message, and all of it at first", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const inbound = () => Rows.message(customer)
      const rows = [inbound(), partOf(customer, Rows.id(), 0), inbound(), partOf(customer, Rows.id(), 0), inbound()]
      yield* addMessages(rows)
      const left = (after: Ids.MessageId | null, limit = 100) =>
        Effect.map(read(store.inboundAfter(customer.id, after, limit)), idsOf)
      assert.deepStrictEqual(yield* left(null), idsOf([rows[0]!, rows[2]!, rows[4]!]))
      assert.deepStrictEqual(yield* left(null, 2), idsOf([rows[0]!, rows[2]!]))
      assert.deepStrictEqual(yield* left(rows[0]!.id), idsOf([rows[2]!, rows[4]!]))
      assert.deepStrictEqual(yield* left(rows[4]!.id), [])
    })
  )

  it.effect("the parts that are still to be sent are returned in the order in which they are to be sent", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const [first, second] = [Rows.id<"Turn">(), Rows.id<"Turn">()]
      const rows = idsReversed([
        partOf(customer, first, 0, { status: "sent", msgid: "1" }),
        partOf(customer, first, 1, { status: "sending" }),
        partOf(customer, first, 2),
        partOf(customer, second, 0),
        partOf(customer, second, 1, { status: "failed" }),
        Rows.message(customer),
        Rows.message(customer, { status: "sending", direction: "outbound", role: "agent", msgid: null })
      ])
      yield* addMessages(rows)
      assert.deepStrictEqual(yield* read(store.openParts(customer.id)), rows.slice(1, 4))
      yield* transact(store.save(rows[1]!, { msgid: "2", status: "sent", fault: null }))
      assert.deepStrictEqual(idsOf(yield* read(store.openParts(customer.id))), idsOf(rows.slice(2, 4)))
      assert.deepStrictEqual(yield* read(store.openParts(Rows.id())), [])
    })
  )

  it.effect("turns are counted once each, however many parts they have, from an instant on", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const turn = (at: number, parts: number) => {
        const turnId = Rows.id<"Turn">()
        return Array.from({ length: parts }, (_, part) => partOf(customer, turnId, part, { createdAt: Rows.at(at) }))
      }
      yield* addMessages([...turn(10, 3), ...turn(20, 1), Rows.message(customer), ...turn(30, 2)])
      const since = (at: number) => read(store.turnsSince(customer.id, Rows.at(at)))
      assert.deepStrictEqual(yield* Effect.forEach([0, 10, 11, 20, 30, 31], since), [3, 3, 2, 2, 1, 0])
      assert.strictEqual(yield* read(store.turnsSince(Rows.id(), Rows.at(0))), 0)
    })
  )

  it.effect("what becomes of a message is written, and nothing else of it", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const [row, other] = [partOf(customer, Rows.id(), 0), partOf(customer, Rows.id(), 0)]
      yield* addMessages([row, other])
      const ends = [
        { msgid: "wamid.a", status: "sent", fault: null },
        { msgid: "wamid.a", status: "failed", fault: { code: 131026, message: "Undeliverable \0" } },
        { msgid: null, status: "queued", fault: null }
      ] as const
      for (const change of ends) {
        yield* transact(store.save(row, change))
        assert.deepStrictEqual(yield* read(store.byId(row.id)), { ...row, ...change })
      }
      assert.deepStrictEqual(yield* read(store.byId(other.id)), other)
    })
  )

  it.effect("what is being sent becomes sent under the platform's id, unless the id is reported or taken already", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const { customer } = yield* someone()
      const sending = (over: Partial<Message> = {}) => partOf(customer, Rows.id(), 0, { status: "sending", ...over })
      const [row, reported, echoed, lost, known] = [
        ...[sending(), sending(), sending(), sending({ status: "unknown" }), sending({ msgid: "wamid.own" })]
      ] as [Message, Message, Message, Message, Message]
      yield* addMessages([row, reported, echoed, lost, known, Rows.message(customer, { msgid: "wamid.echo" })])
      yield* addUnmatched([unmatched(customer.phoneId, "wamid.early", 1), unmatched(Rows.id(), "wamid.a", 1)])
      const sent = (one: Message, msgid: string) => transact(store.markSent(one, msgid))
      assert.isTrue(yield* sent(row, "wamid.a"))
      assert.isFalse(yield* sent(row, "wamid.b"))
      assert.isFalse(yield* sent(reported, "wamid.early"))
      assert.isFalse(yield* sent(echoed, "wamid.echo"))
      assert.isFalse(yield* sent(lost, "wamid.c"))
      assert.isFalse(yield* sent(known, "wamid.d"))
      const now = yield* Effect.forEach([row, reported, echoed, lost, known], ({ id }) => read(store.byId(id)))
      assert.deepStrictEqual(now, [{ ...row, msgid: "wamid.a", status: "sent" }, reported, echoed, lost, known])
    })
  )

  it.effect("a send whose sender is gone becomes unknown; parts of turns and what was answered do not", () =>
    Effect.gen(function* () {
      const store = yield* MessageStore
      const expire = (before: number, limit: number) => transact(store.expireStaleSends(Rows.at(before), limit))
      yield* expire(1_000_000, 10_000)
      const { customer } = yield* someone()
      const send = (at: number, over: Partial<Message> = {}) =>
        Rows.message(customer, {
          ...{ direction: "outbound", role: "agent", status: "sending", msgid: null, createdAt: Rows.at(at) },
          ...over
        })
      const rows = [
        ...[send(30), send(10), send(20), send(40)],
        ...[send(1, { status: "sent", msgid: "1" }), partOf(customer, Rows.id(), 0, { status: "sending" })]
      ]
      yield* addMessages(rows)
      assert.sameDeepMembers(
        [...(yield* expire(40, 2))],
        [rows[1]!, rows[2]!].map(({ conversationId, id, tenantId }) => ({ id, tenantId, conversationId }))
      )
      const statuses = () =>
        Effect.forEach(rows, ({ id }) => Effect.map(read(store.byId(id)), (found) => found?.status))
      assert.deepStrictEqual(yield* statuses(), ["sending", "unknown", "unknown", "sending", "sent", "sending"])
      assert.deepStrictEqual(
        (yield* expire(40, 2)).map(({ id }) => id),
        [rows[0]!.id]
      )
      assert.deepStrictEqual(yield* expire(40, 2), [])
      assert.deepStrictEqual(yield* statuses(), ["unknown", "unknown", "unknown", "sending", "sent", "sending"])
    })
  )
})
