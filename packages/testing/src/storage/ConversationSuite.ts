/** Conversations and the lists of their messages on a database. */
import { assert } from "@effect/vitest"
import { type Conversation, read, transact } from "@trunkline/core/effect"
import { ConnectedNumberStore, ConversationStore, CustomerStore, MessageStore } from "@trunkline/core/storage"
import { everyConversation } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { addMessages, addNumbers, idsOf, idsReversed, page, someone, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

export const conversations = suite("conversations", ({ it }) => {
  it.effect("a conversation comes back as written and is shown with its customer's and its number's fields", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer, number } = yield* someone({ userRef: "IN.1" })
      const first = Rows.conversation(customer)
      assert.deepStrictEqual(yield* read(store.byId(first.id)), first)
      assert.isNull(yield* read(store.byId(Rows.id())))
      const botId = Rows.id<"Bot">()
      yield* transact(
        ConnectedNumberStore.use(({ change }) => change(number.id, { botId, aiAutoreplyEnabled: true }, Rows.at(1)))
      )
      const ended: Conversation = {
        ...first,
        ...{ aiAutoreplyEnabled: false, status: "ended", lastMessageAt: Rows.at(9) }
      }
      yield* transact(store.save(ended))
      assert.deepStrictEqual(yield* read(store.byId(first.id)), ended)
      assert.deepStrictEqual(yield* read(store.view(number.tenantId, first.id)), {
        ...ended,
        ...{ phoneNumberId: number.phoneNumberId, botId, phone: customer.phone, userRef: "IN.1", name: customer.name },
        ...{ windowExpiresAt: customer.windowExpiresAt, numberAnswers: false, lastMessage: null }
      })
      assert.isNull(yield* read(store.view(tenantId(), first.id)))
    })
  )

  it.effect("conversations are listed by their latest message, under every filter, page by page and in one order", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const customers = yield* CustomerStore
      const own = tenantId()
      const numbers = [Rows.number(own), Rows.number(own), Rows.number(tenantId())] as const
      yield* addNumbers(...numbers)
      const rows = Array.from({ length: 24 }, (_, i) => {
        const customer = Rows.customer(numbers[i % 3]!)
        // Several have their latest message at one instant.
        const status = i % 2 === 0 ? ("open" as const) : ("ended" as const)
        return { customer, conversation: Rows.conversation(customer, { status, lastMessageAt: Rows.at(i % 5) }) }
      })
      yield* transact(
        Effect.forEach(rows, ({ conversation, customer }) =>
          Effect.andThen(customers.add(customer), store.add(conversation))
        )
      )
      const all = rows
        .map(({ conversation }) => conversation)
        .filter(({ tenantId }) => tenantId === own)
        .toSorted((a, b) => b.lastMessageAt - a.lastMessageAt || (a.id < b.id ? 1 : -1))
      for (const phoneId of [null, ...idsOf(numbers)]) {
        for (const status of [null, "open", "ended"] as const) {
          const expected = idsOf(
            all.filter((row) => (phoneId ?? row.phoneId) === row.phoneId && (status ?? row.status) === row.status)
          )
          const filter = { ...everyConversation, phoneId, status }
          assert.strictEqual(yield* read(store.count(own, filter)), expected.length)
          const pages = yield* Effect.forEach([0, 3, 6, 9, 12, 15, 18], (offset) =>
            read(store.list(own, filter, { limit: 3, offset }))
          )
          assert.deepStrictEqual(idsOf(pages.flat()), expected)
        }
      }
      const [shown] = yield* read(store.list(own, everyConversation, page))
      assert.deepStrictEqual(shown, (yield* read(store.view(own, all[0]!.id)))!)
    })
  )

  // Verifies: N-25.
  it.effect(
    "messages are listed newest first as they were added, whatever the clocks of those who made their ids",
    () =>
      Effect.gen(function* () {
        const [messages, store] = [yield* MessageStore, yield* ConversationStore]
        const { customer } = yield* someone()
        const rows = idsReversed(Array.from({ length: 7 }, (_, i) => Rows.message(customer, { text: `${i}` })))
        for (const row of rows) yield* addMessages([row])
        const listed = (limit: number, offset: number) =>
          Effect.map(read(store.messages(customer.conversationId, null, { limit, offset })), idsOf)
        const newestFirst = idsOf(rows).toReversed()
        assert.deepStrictEqual(yield* listed(100, 0), newestFirst)
        assert.deepStrictEqual(
          (yield* Effect.forEach([0, 3, 6, 9], (offset) => listed(3, offset))).flat(),
          newestFirst,
          "pages together are the whole"
        )
        assert.strictEqual(yield* read(store.countMessages(customer.conversationId)), 7)
        assert.deepStrictEqual(idsOf(yield* read(messages.history(customer.id, 3))), idsOf(rows.slice(4)))
        const after = yield* read(messages.inboundAfter(customer.id, rows[4]!.id, 10))
        assert.deepStrictEqual(idsOf(after), idsOf(rows.slice(5)), "the one that came later has the lesser id")
      })
  )
})
