/** Customers on a database: found by what names them, and merged. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { ConversationStore, CustomerStore, MessageStore, ReplyQueueStore, StorageError } from "@trunkline/core/storage"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { addCustomers, addMessages, customerNow, idsOf, page, someone, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

/** Who writes the messages in turn, and up to which of them either was handled. */
const handledCases: ReadonlyArray<{
  readonly said: string
  readonly from: number | null
  readonly into: number | null
  readonly left: ReadonlyArray<number>
}> = [
  { said: "fififi", from: 4, into: 5, left: [] },
  { said: "fififi", from: 4, into: 3, left: [5] },
  { said: "fififi", from: 2, into: 5, left: [4] },
  { said: "fififi", from: 0, into: 1, left: [2, 3, 4, 5] },
  { said: "fififi", from: null, into: 5, left: [0, 2, 4] },
  { said: "iiff", from: 3, into: 1, left: [] },
  { said: "ffii", from: 1, into: null, left: [2, 3] },
  { said: "", from: null, into: null, left: [] }
]

export const customers = suite("customers", ({ it }) => {
  it.effect("a customer comes back as written, by id, by phone and by the platform's id", () =>
    Effect.gen(function* () {
      const store = yield* CustomerStore
      const number = Rows.number(tenantId())
      const full = Rows.customer(number, {
        userRef: "IN.1349",
        name: "Zoë 👍"
      })
      const bare = Rows.customer(number, { phone: null, name: null, windowExpiresAt: null })
      yield* addCustomers([full, bare])
      for (const customer of [full, bare]) assert.deepStrictEqual(yield* customerNow(customer.id), customer)
      assert.deepStrictEqual(yield* read(store.byPhone(number.id, full.phone!)), [full])
      assert.deepStrictEqual(yield* read(store.byRef(number.id, "IN.1349")), full)
      assert.deepStrictEqual(yield* read(store.byPhone(Rows.id(), full.phone!)), [])
      assert.isNull(yield* read(store.byRef(Rows.id(), "IN.1349")))
      assert.isNull(yield* read(store.byRef(number.id, full.phone!)))
      assert.isNull(yield* customerNow(Rows.id()))
    })
  )

  it.effect("a number has one customer of a phone and one of a user ref; any number may have neither", () =>
    Effect.gen(function* () {
      const store = yield* CustomerStore
      const [number, other] = [Rows.number(tenantId()), Rows.number(tenantId())]
      const one = Rows.customer(number, { userRef: "ref" })
      yield* addCustomers([one, Rows.customer(other, { phone: one.phone, userRef: "ref" })])
      yield* addCustomers([1, 2, 3].map(() => Rows.customer(number, { phone: null })))
      const [second] = [Rows.customer(number)]
      yield* addCustomers([second])
      for (const twin of [Rows.customer(number, { phone: one.phone }), Rows.customer(number, { userRef: "ref" })]) {
        const added = yield* Effect.exit(transact(store.add(twin)))
        assert.instanceOf(Exit.isFailure(added) ? Cause.squash(added.cause) : null, StorageError)
        const saved = yield* Effect.exit(
          transact(store.saveIdentity({ ...second, phone: twin.phone, userRef: twin.userRef }))
        )
        assert.isTrue(Exit.isFailure(saved))
      }
      assert.deepStrictEqual(idsOf(yield* read(store.byPhone(number.id, one.phone!))), [one.id])
    })
  )

  it.effect(
    "a customer is found by every form of the phone, on one number alone, and before others by the very phone",
    () =>
      Effect.gen(function* () {
        const store = yield* CustomerStore
        const [number, elsewhere] = [Rows.number(tenantId()), Rows.number(tenantId())]
        const [one, other] = [
          Rows.customer(number, { phone: "553188880101" }),
          Rows.customer(number, { phone: "5531988880101" })
        ]
        const stranger = Rows.customer(elsewhere, { phone: "553188880101" })
        yield* addCustomers([one, other, stranger])
        const found = (phone: string, at = number) => Effect.map(read(store.byPhone(at.id, phone)), idsOf)
        assert.deepStrictEqual(yield* found("05531988880101"), [])
        const join = (...phones: ReadonlyArray<string>) => transact(store.joinForms(number, phones))
        yield* join("553188880101", "05531988880101")
        assert.deepStrictEqual(yield* found("05531988880101"), [one.id])
        // Each of these has forms of its own already.
        yield* join("5531988880101", "005531988880101")
        yield* join("5531988880101", "553188880101")
        yield* join("5531988880101", "553188880101")
        assert.deepStrictEqual(yield* found("553188880101"), [one.id, other.id])
        assert.deepStrictEqual(yield* found("5531988880101"), [other.id, one.id])
        for (const phone of ["05531988880101", "005531988880101"]) {
          assert.deepStrictEqual((yield* found(phone)).toSorted(), [one.id, other.id].toSorted())
        }
        assert.deepStrictEqual(yield* found("5531988880101", elsewhere), [])
      })
  )

  it.effect("the messages of one conversation become those of another, and no others do", () =>
    Effect.gen(function* () {
      const conversations = yield* ConversationStore
      const { customer, number } = yield* someone()
      const ended = Rows.conversation(customer, { id: Rows.id(), status: "ended" })
      const bystander = Rows.customer(number)
      yield* addCustomers([bystander])
      yield* transact(conversations.add(ended))
      const said = [customer.conversationId, ended.id, customer.conversationId].map((conversationId) =>
        Rows.message(customer, { conversationId })
      )
      yield* addMessages([...said, Rows.message(bystander)])
      yield* transact(conversations.absorb({ customerId: customer.id, from: ended.id, into: customer.conversationId }))
      const now = yield* read(conversations.messages(customer.conversationId, null, page))
      assert.deepStrictEqual(idsOf(now), idsOf(said.toReversed()))
      assert.strictEqual(yield* read(conversations.countMessages(ended.id)), 0)
      assert.strictEqual(yield* read(conversations.countMessages(bystander.conversationId)), 1)
    })
  )

  it.effect("what names a customer and what every message changes of one are written apart", () =>
    Effect.gen(function* () {
      const store = yield* CustomerStore
      const { customer } = yield* someone()
      const { conversationId, id, tenantId } = customer
      const identity = { id, tenantId, conversationId, phone: "15550001111", userRef: "US.1", name: null }
      const activity = {
        ...{
          id,
          tenantId,
          conversationId: Rows.id<"Conversation">(),
          windowExpiresAt: null,
          lastMessageAt: Rows.at(9)
        }
      }
      yield* transact(store.saveIdentity(identity))
      assert.deepStrictEqual(yield* customerNow(customer.id), { ...customer, ...identity })
      yield* transact(store.saveActivity(activity))
      assert.deepStrictEqual(yield* customerNow(customer.id), { ...customer, ...identity, ...activity })
    })
  )

  // Verifies: N-24.
  it.effect("customers that turn out to be one have one history, in the order in which it happened", () =>
    Effect.gen(function* () {
      const [conversations, messages] = [yield* ConversationStore, yield* MessageStore]
      const store = yield* CustomerStore
      const { customer: into, number } = yield* someone()
      const from = Rows.customer(number, { phone: null, userRef: "IN.9" })
      const other = Rows.customer(number)
      yield* addCustomers([from, other])
      const said = [into, from, other, into, from].map((customer) => Rows.message(customer))
      yield* addMessages(said)
      yield* transact(
        Effect.andThen(
          store.absorb({ from: from.id, into: into.id }),
          store.saveIdentity({ ...into, userRef: from.userRef })
        )
      )
      assert.isNull(yield* customerNow(from.id))
      assert.strictEqual((yield* read(store.byRef(number.id, "IN.9")))?.id, into.id)
      assert.deepStrictEqual(idsOf(yield* read(messages.history(into.id, 10))), idsOf(said.filter((_, i) => i !== 2)))
      assert.strictEqual((yield* read(conversations.view(number.tenantId, from.conversationId)))?.phone, into.phone)
      assert.deepStrictEqual(idsOf(yield* read(messages.history(other.id, 10))), [said[2]!.id])
    })
  )

  it.effect("of customers that turn out to be one nothing is left unhandled, and what was handled stays so", () =>
    Effect.gen(function* () {
      const [messages, queue, store] = [yield* MessageStore, yield* ReplyQueueStore, yield* CustomerStore]
      for (const { from: seenOfFrom, into: seenOfInto, left, said } of handledCases) {
        const { customer: into, number } = yield* someone()
        const from = Rows.customer(number)
        yield* addCustomers([from])
        const rows = [...said].map((who) => Rows.message(who === "f" ? from : into))
        yield* addMessages(rows)
        const idAt = (i: number | null) => (i === null ? null : rows[i]!.id)
        const jobs = [
          { customerId: from.id, handledUpTo: idAt(seenOfFrom) },
          { customerId: into.id, handledUpTo: idAt(seenOfInto) }
        ] as const
        const handledUpTo = yield* transact(
          Effect.tap(queue.joinHandled(jobs), () => store.absorb({ from: from.id, into: into.id }))
        )
        const all = yield* read(messages.inboundAfter(into.id, handledUpTo, 100))
        const unhandled = all.filter(({ isHandled }) => !isHandled)
        assert.deepStrictEqual(
          idsOf(unhandled),
          left.map((i) => rows[i]!.id),
          JSON.stringify([said, seenOfFrom])
        )
      }
    })
  )
})
