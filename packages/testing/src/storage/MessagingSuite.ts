/**
 * Numbers, customers, conversations and messages on a database, and the lanes in which replies are made.
 * Verifies: CHAT-1, CHAT-6.
 */
import { assert } from "@effect/vitest"
import {
  type ConnectedNumber,
  ConnectedNumberStore,
  type Conversation,
  ConversationStore,
  type Customer,
  type EarlyStatus,
  type Ids,
  lock,
  type Message,
  type NumberChange,
  type Read,
  read,
  StorageError,
  transact
} from "@trunkline/core/effect"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

const tenantId = () => Rows.id<"Account">()
const page = { limit: 100, offset: 0 }

const idsOf = <Id extends string>(rows: ReadonlyArray<{ readonly id: Id }>): ReadonlyArray<Id> =>
  rows.map(({ id }) => id)

const addNumbers = (...numbers: ReadonlyArray<ConnectedNumber>) =>
  transact(ConnectedNumberStore.use((store) => Effect.forEach(numbers, store.add)))

const change = (id: Ids.PhoneId, changes: NumberChange, at = 1) =>
  transact(ConnectedNumberStore.use((store) => store.change(id, changes, Rows.at(at))))

const numberBy = (
  look: (store: ConnectedNumberStore["Service"]) => Effect.Effect<ConnectedNumber | null, StorageError, Read>
) => read(ConnectedNumberStore.use(look))

/** Customers with their open conversations. */
const addCustomers = (customers: ReadonlyArray<Customer>) =>
  transact(
    ConversationStore.use((store) =>
      Effect.forEach(customers, (customer) =>
        Effect.andThen(store.addCustomer(customer), store.addConversation(Rows.conversation(customer)))
      )
    )
  )

/** A customer of a number of a new account. */
const someone = Effect.fnUntraced(function* (over: Partial<Customer> = {}) {
  const number = Rows.number(tenantId())
  const customer = Rows.customer(number, over)
  yield* addNumbers(number)
  yield* addCustomers([customer])
  return { number, customer }
})

const addMessages = (messages: ReadonlyArray<Message>) =>
  transact(ConversationStore.use((store) => Effect.forEach(messages, store.addMessage)))

const customerNow = (id: Ids.CustomerId) => read(ConversationStore.use((store) => store.customerById(id)))

const claimDue = (at: number, until: number, limit = 100, claim: string = Rows.id()) =>
  transact(ConversationStore.use((store) => store.claimDue({ at: Rows.at(at), until: Rows.at(until), claim, limit })))

const keepClaim = (id: Ids.CustomerId, claim: string, until: number) =>
  transact(ConversationStore.use((store) => store.keepClaim(id, claim, Rows.at(until))))

const endClaim = (id: Ids.CustomerId, claim: string) =>
  transact(ConversationStore.use((store) => store.endClaim(id, claim)))

const nextDue = read(ConversationStore.use((store) => store.nextDue()))

/** Ends whatever earlier tests have left due. */
const nothingDue = Effect.gen(function* () {
  const store = yield* ConversationStore
  const far = Number.MAX_SAFE_INTEGER - Rows.at(0)
  const all = yield* claimDue(far, far, 10_000)
  yield* transact(
    Effect.forEach(all, (customer) =>
      Effect.andThen(store.saveLane({ ...customer, dueAt: null }), store.endClaim(customer.id, customer.claim!))
    )
  )
  assert.isNull(yield* nextDue)
})

/** Customers that are due at these instants; null is never. */
const dueAt = Effect.fnUntraced(function* (instants: ReadonlyArray<number | null>) {
  const number = Rows.number(tenantId())
  const customers = instants.map((at) => Rows.customer(number, { dueAt: at === null ? null : Rows.at(at) }))
  yield* addCustomers(customers)
  return customers
})

/** One part of a turn of the agent's. */
const partOf = (customer: Customer, turnId: Ids.TurnId, part: number, over: Partial<Message> = {}) =>
  Rows.message(customer, {
    ...{ turnId, part, direction: "outbound", role: "assistant", status: "queued", msgid: null },
    ...over
  })

/** Another order than that of the ids: as if each had been made by a process whose clock is behind the last one's. */
const idsReversed = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const ids = idsOf(messages).toReversed()
  return messages.map((message, i) => ({ ...message, id: ids[i]! }))
}

const early = (phoneId: Ids.PhoneId, msgid: string, at: number, over: Partial<EarlyStatus> = {}): EarlyStatus => ({
  id: Rows.id(),
  phoneId,
  msgid,
  status: "delivered",
  fault: null,
  at: Rows.at(at),
  ...over
})

const addEarly = (statuses: ReadonlyArray<EarlyStatus>) =>
  transact(ConversationStore.use((store) => Effect.forEach(statuses, store.addEarly)))

const takeEarly = (phoneId: Ids.PhoneId, msgid: string) =>
  transact(ConversationStore.use((store) => store.takeEarly(phoneId, msgid)))

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

export const messaging = suite("messaging", ({ it, sideBySide }) => {
  it.effect("a number comes back as it was written, to whoever may see it", () =>
    Effect.gen(function* () {
      const own = tenantId()
      const full = Rows.number(own, { botId: Rows.id(), aiAutoreplyEnabled: false, updatedAt: Rows.at(3) })
      const bare = Rows.number(own, { displayPhoneNumber: null, token: "v0.é\n👍" })
      assert.deepStrictEqual(yield* addNumbers(full, bare), [true, true])
      for (const number of [full, bare]) {
        assert.deepStrictEqual(yield* numberBy((store) => store.find(own, number.id)), number)
        assert.deepStrictEqual(yield* numberBy((store) => store.byId(number.id)), number)
        assert.deepStrictEqual(yield* numberBy((store) => store.connected(number.phoneNumberId)), number)
        assert.deepStrictEqual(yield* numberBy((store) => store.known(own, number.phoneNumberId)), number)
        assert.isNull(yield* numberBy((store) => store.find(tenantId(), number.id)))
        assert.isNull(yield* numberBy((store) => store.known(tenantId(), number.phoneNumberId)))
      }
      assert.isNull(yield* numberBy((store) => store.byId(Rows.id())))
      assert.isNull(yield* numberBy((store) => store.connected("nobody's")))
    })
  )

  it.effect("numbers are listed newest first, page by page, without those that were disconnected", () =>
    Effect.gen(function* () {
      const store = yield* ConnectedNumberStore
      const own = tenantId()
      const numbers = Array.from({ length: 5 }, () => Rows.number(own))
      yield* addNumbers(...numbers, Rows.number(tenantId()))
      yield* change(numbers[1]!.id, { disconnectedAt: Rows.at(1) })
      const shown = idsOf(numbers.filter((_, i) => i !== 1)).toReversed()
      assert.deepStrictEqual(idsOf(yield* read(store.list(own, page))), shown)
      assert.deepStrictEqual(idsOf(yield* read(store.list(own, { limit: 2, offset: 1 }))), shown.slice(1, 3))
      assert.deepStrictEqual(yield* read(store.list(own, { limit: 2, offset: 4 })), [])
      assert.strictEqual(yield* read(store.count(own)), 4)
    })
  )

  it.effect("a change of a number writes what it names, nulls too, and nothing else", () =>
    Effect.gen(function* () {
      const first = Rows.number(tenantId(), { botId: Rows.id() })
      yield* addNumbers(first)
      let expected = first
      const changes: ReadonlyArray<NumberChange> = [
        { businessAccountId: "2" },
        { displayPhoneNumber: null },
        { displayPhoneNumber: "+1" },
        { token: "v1.other" },
        { botId: null },
        { botId: Rows.id() },
        { aiAutoreplyEnabled: false },
        { disconnectedAt: Rows.at(7) },
        { disconnectedAt: null, aiAutoreplyEnabled: true, token: "v2" },
        {}
      ]
      for (const [i, changes_] of changes.entries()) {
        expected = { ...expected, ...changes_, updatedAt: Rows.at(i) }
        assert.deepStrictEqual(yield* change(first.id, changes_, i), expected)
        assert.deepStrictEqual(yield* numberBy((store) => store.known(first.tenantId, first.phoneNumberId)), expected)
      }
      assert.isNull(yield* change(Rows.id(), { token: "x" }))
    })
  )

  // Verifies: N-13.
  it.effect("of 20 accounts that connect one number at once exactly one has it", () =>
    Effect.gen(function* () {
      const store = yield* ConnectedNumberStore
      const phoneNumberId = Rows.key()
      const numbers = Array.from({ length: 20 }, () => Rows.number(tenantId(), { phoneNumberId }))
      const answers = yield* Effect.forEach(numbers, (number) => transact(store.add(number)), {
        concurrency: "unbounded"
      })
      const winners = numbers.filter((_, i) => answers[i])
      assert.strictEqual(winners.length, 1)
      assert.deepStrictEqual(yield* numberBy((at) => at.connected(phoneNumberId)), winners[0])
      const counts = yield* Effect.forEach(numbers, (number) => read(store.count(number.tenantId)))
      assert.strictEqual(
        counts.reduce((sum, n) => sum + n, 0),
        1
      )
    })
  )

  it.effect(
    "a number that was disconnected is free for another account, and its conversations stay with the first",
    () =>
      Effect.gen(function* () {
        const [numbers, conversations] = [yield* ConnectedNumberStore, yield* ConversationStore]
        const { customer, number } = yield* someone()
        yield* addMessages([Rows.message(customer)])
        const gone = (yield* change(number.id, { disconnectedAt: Rows.at(5), botId: null }))!
        assert.isNull(yield* numberBy((store) => store.byId(number.id)))
        assert.isNull(yield* numberBy((store) => store.find(number.tenantId, number.id)))
        assert.isNull(yield* numberBy((store) => store.connected(number.phoneNumberId)))
        assert.deepStrictEqual(yield* numberBy((store) => store.known(number.tenantId, number.phoneNumberId)), gone)

        const next = Rows.number(tenantId(), { phoneNumberId: number.phoneNumberId })
        assert.isTrue(yield* transact(numbers.add(next)))
        assert.deepStrictEqual(yield* numberBy((store) => store.connected(number.phoneNumberId)), next)
        const view = yield* read(conversations.view(number.tenantId, customer.conversationId))
        assert.strictEqual(view?.phoneNumberId, number.phoneNumberId)
        assert.strictEqual(yield* read(conversations.countMessages(customer.conversationId)), 1)
        assert.deepStrictEqual(
          yield* read(conversations.list(next.tenantId, { phoneId: null, status: null }, page)),
          []
        )

        assert.isNull(yield* change(number.id, { disconnectedAt: null }), "it is another account's")
        yield* change(next.id, { disconnectedAt: Rows.at(6) })
        assert.deepInclude(yield* change(number.id, { disconnectedAt: null }), { id: number.id, disconnectedAt: null })
      })
  )

  it.effect("of accounts that connect again what each has had, exactly one gets it", () =>
    Effect.gen(function* () {
      const store = yield* ConnectedNumberStore
      const phoneNumberId = Rows.key()
      const numbers = Array.from({ length: 8 }, () =>
        Rows.number(tenantId(), { phoneNumberId, disconnectedAt: Rows.at(1) })
      )
      yield* addNumbers(...numbers)
      const answers = yield* Effect.forEach(
        numbers,
        ({ id }) =>
          transact(
            Effect.andThen(lock("numbers", phoneNumberId), store.change(id, { disconnectedAt: null }, Rows.at(2)))
          ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(answers.filter((answer) => answer !== null).length, 1)
    })
  )

  it.effect("of the rows that an account has of one number the newest is known", () =>
    Effect.gen(function* () {
      const own = tenantId()
      const phoneNumberId = Rows.key()
      const [older, newer] = [1, 2].map((at) => Rows.number(own, { phoneNumberId, disconnectedAt: Rows.at(at) })) as [
        ConnectedNumber,
        ConnectedNumber
      ]
      yield* addNumbers(newer, older)
      assert.strictEqual((yield* numberBy((store) => store.known(own, phoneNumberId)))?.id, newer.id)
    })
  )

  it.effect("an agent is unlinked from all numbers of its account and from nobody else's", () =>
    Effect.gen(function* () {
      const store = yield* ConnectedNumberStore
      const [own, botId] = [tenantId(), Rows.id<"Bot">()]
      const [linked, gone, other, foreign] = [
        Rows.number(own, { botId }),
        Rows.number(own, { botId, disconnectedAt: Rows.at(1) }),
        Rows.number(own, { botId: Rows.id() }),
        Rows.number(tenantId(), { botId })
      ]
      yield* addNumbers(linked, gone, other, foreign)
      yield* transact(store.unlinkBot(own, botId))
      const botOf = ({ phoneNumberId, tenantId }: ConnectedNumber) =>
        Effect.map(read(store.known(tenantId, phoneNumberId)), (found) => found?.botId)
      assert.deepStrictEqual(yield* Effect.forEach([linked, gone, other, foreign], botOf), [
        null,
        null,
        other.botId,
        botId
      ])
    })
  )

  it.effect(
    "tokens of all accounts are read in pages, also of numbers that are gone, and replaced where they still stand",
    () =>
      Effect.gen(function* () {
        const store = yield* ConnectedNumberStore
        const numbers = [
          Rows.number(tenantId(), { token: "v1.a" }),
          Rows.number(tenantId(), { token: "", disconnectedAt: Rows.at(1) }),
          Rows.number(tenantId(), { token: "v1.c" })
        ]
        yield* addNumbers(...numbers)
        const ids = idsOf(numbers)
        const mine = (rows: ReadonlyArray<Pick<ConnectedNumber, "id" | "token">>) =>
          rows.filter(({ id }) => ids.includes(id))
        const all = yield* read(store.tokens(null, 10_000, ""))
        assert.deepStrictEqual(idsOf(all), idsOf(all).toSorted())
        assert.deepStrictEqual(
          mine(all),
          numbers.map(({ id, token }) => ({ id, token })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
        )
        const [first, ...others] = all
        assert.deepStrictEqual(yield* read(store.tokens(null, 1, "")), [first!])
        assert.deepStrictEqual(yield* read(store.tokens(first!.id, 10_000, "")), others)
        const [number] = numbers
        const replace = (was: string, is: string) => transact(store.replaceToken(number!.id, was, is))
        assert.isFalse(yield* replace("v1.x", "v2.x"))
        assert.isTrue(yield* replace("v1.a", "v2.a"))
        assert.isFalse(yield* replace("v1.a", "v2.b"))
        assert.deepStrictEqual(yield* numberBy(({ byId }) => byId(number!.id)), { ...number!, token: "v2.a" })
        assert.strictEqual((yield* numberBy(({ byId }) => byId(numbers[2]!.id)))?.token, "v1.c")
      })
  )

  it.effect("a customer comes back as written, by id, by phone and by the platform's id", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const number = Rows.number(tenantId())
      const full = Rows.customer(number, {
        ...{
          userRef: "IN.1349",
          name: "Zoë 👍",
          dueAt: Rows.at(-5),
          claim: "a",
          claimedUntil: Rows.at(-4),
          failures: 2
        },
        ...{ handledUpTo: Rows.id(), waitingSince: Rows.at(-6) }
      })
      const bare = Rows.customer(number, { phone: null, name: null, windowExpiresAt: null })
      yield* addCustomers([full, bare])
      for (const customer of [full, bare]) assert.deepStrictEqual(yield* customerNow(customer.id), customer)
      assert.deepStrictEqual(yield* read(store.customerByPhone(number.id, full.phone!)), full)
      assert.deepStrictEqual(yield* read(store.customerByRef(number.id, "IN.1349")), full)
      assert.isNull(yield* read(store.customerByPhone(Rows.id(), full.phone!)))
      assert.isNull(yield* read(store.customerByRef(Rows.id(), "IN.1349")))
      assert.isNull(yield* read(store.customerByRef(number.id, full.phone!)))
      assert.isNull(yield* customerNow(Rows.id()))
    })
  )

  it.effect("a number has one customer of a phone and one of a user ref; any number may have neither", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const [number, other] = [Rows.number(tenantId()), Rows.number(tenantId())]
      const one = Rows.customer(number, { userRef: "ref" })
      yield* addCustomers([one, Rows.customer(other, { phone: one.phone, userRef: "ref" })])
      yield* addCustomers([1, 2, 3].map(() => Rows.customer(number, { phone: null })))
      const [second] = [Rows.customer(number)]
      yield* addCustomers([second])
      for (const twin of [Rows.customer(number, { phone: one.phone }), Rows.customer(number, { userRef: "ref" })]) {
        const added = yield* Effect.exit(transact(store.addCustomer(twin)))
        assert.instanceOf(Exit.isFailure(added) ? Cause.squash(added.cause) : null, StorageError)
        const saved = yield* Effect.exit(
          transact(store.saveNames({ ...second, phone: twin.phone, userRef: twin.userRef }))
        )
        assert.isTrue(Exit.isFailure(saved))
      }
      assert.strictEqual((yield* read(store.customerByPhone(number.id, one.phone!)))?.id, one.id)
    })
  )

  it.effect("everything about a customer can be changed, and a claim that was made meanwhile stays", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ConversationStore
      const { customer } = yield* someone({ dueAt: Rows.at(1) })
      // Read before the claim, written after it.
      const found = (yield* customerNow(customer.id))!
      const [taken] = yield* claimDue(5, 40)
      const changed: Customer = {
        ...found,
        ...{ phone: "15550001111", userRef: "US.1", name: null, conversationId: Rows.id(), windowExpiresAt: null },
        ...{
          lastMessageAt: Rows.at(9),
          dueAt: Rows.at(8),
          handledUpTo: Rows.id(),
          waitingSince: Rows.at(7),
          failures: 3
        }
      }
      yield* transact(Effect.andThen(store.saveNames(changed), store.saveLane(changed)))
      const now = yield* customerNow(customer.id)
      assert.deepStrictEqual(now, { ...changed, claim: taken!.claim, claimedUntil: Rows.at(40) })
    })
  )

  // Verifies: N-24.
  it.effect("customers that turn out to be one have one history, in the order in which it happened", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer: into, number } = yield* someone()
      const from = Rows.customer(number, { phone: null, userRef: "IN.9" })
      const other = Rows.customer(number)
      yield* addCustomers([from, other])
      const said = [into, from, other, into, from].map((customer) => Rows.message(customer))
      yield* addMessages(said)
      yield* transact(
        Effect.andThen(store.mergeCustomers(from.id, into.id), store.saveNames({ ...into, userRef: from.userRef }))
      )
      assert.isNull(yield* customerNow(from.id))
      assert.strictEqual((yield* read(store.customerByRef(number.id, "IN.9")))?.id, into.id)
      assert.deepStrictEqual(idsOf(yield* read(store.history(into.id, 10))), idsOf(said.filter((_, i) => i !== 2)))
      assert.strictEqual((yield* read(store.view(number.tenantId, from.conversationId)))?.phone, into.phone)
      assert.deepStrictEqual(idsOf(yield* read(store.history(other.id, 10))), [said[2]!.id])
    })
  )

  it.effect(
    "of customers that turn out to be one nothing is left without a look, and what was looked at stays so",
    () =>
      Effect.gen(function* () {
        const store = yield* ConversationStore
        // Who says the messages in turn, and up to which of them either was looked at.
        const cases: ReadonlyArray<{
          readonly said: string
          readonly from: number | null
          readonly into: number | null
          readonly left: ReadonlyArray<number>
        }> = [
          { said: "fififi", from: 4, into: 5, left: [] },
          { said: "fififi", from: 4, into: 3, left: [5] },
          { said: "fififi", from: 2, into: 5, left: [4, 5] },
          { said: "fififi", from: 0, into: 1, left: [2, 3, 4, 5] },
          { said: "fififi", from: null, into: 5, left: [0, 1, 2, 3, 4, 5] },
          { said: "iiff", from: 3, into: 1, left: [] },
          { said: "ffii", from: 1, into: null, left: [2, 3] },
          { said: "", from: null, into: null, left: [] }
        ]
        for (const { from: seenOfFrom, into: seenOfInto, left, said } of cases) {
          const { customer: into, number } = yield* someone()
          const from = Rows.customer(number)
          yield* addCustomers([from])
          const messages = [...said].map((who) => Rows.message(who === "f" ? from : into))
          yield* addMessages(messages)
          const idAt = (i: number | null) => (i === null ? null : messages[i]!.id)
          const handledUpTo = yield* transact(
            Effect.gen(function* () {
              yield* store.saveLane({ ...from, handledUpTo: idAt(seenOfFrom) })
              yield* store.saveLane({ ...into, handledUpTo: idAt(seenOfInto) })
              return yield* store.mergeCustomers(from.id, into.id)
            })
          )
          const unseen = yield* read(store.inboundAfter(into.id, handledUpTo, 100))
          assert.deepStrictEqual(
            idsOf(unseen),
            left.map((i) => messages[i]!.id),
            JSON.stringify([said, seenOfFrom])
          )
        }
      })
  )

  // Verifies: N-47.
  it.effect("lanes that are due are claimed soonest first, and are due again when the claim has run out", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const customers = yield* dueAt([30, 10, null, 20, 99, 20])
      assert.strictEqual(yield* nextDue, Rows.at(10))
      const first = yield* claimDue(50, 60, 3, "one")
      const soonest = [customers[1]!, customers[3]!, customers[5]!]
      assert.deepStrictEqual(
        first,
        soonest.map((customer) => ({ ...customer, claim: "one", claimedUntil: Rows.at(60) }))
      )
      assert.deepStrictEqual(yield* customerNow(customers[1]!.id), first[0])
      assert.strictEqual(yield* nextDue, Rows.at(30))
      assert.deepStrictEqual(idsOf(yield* claimDue(50, 70, 3, "two")), [customers[0]!.id])
      assert.deepStrictEqual(yield* claimDue(59, 80), [])
      assert.strictEqual(yield* nextDue, Rows.at(60))
      assert.deepStrictEqual(idsOf(yield* claimDue(60, 200, 2)), idsOf([customers[1]!, customers[3]!]))
      assert.deepStrictEqual(idsOf(yield* claimDue(99, 200)), idsOf([customers[5]!, customers[0]!, customers[4]!]))
    })
  )

  it.effect("a claim that ran out and was made again: the old one neither keeps nor ends it", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const [customer] = yield* dueAt([1])
      const { id } = customer!
      yield* claimDue(5, 40, 1, "old")
      assert.isTrue(yield* keepClaim(id, "old", 60))
      assert.deepStrictEqual(yield* claimDue(59, 80), [])
      assert.deepStrictEqual(idsOf(yield* claimDue(60, 90, 1, "new")), [id])
      assert.isFalse(yield* keepClaim(id, "old", 200))
      assert.isFalse(yield* endClaim(id, "old"))
      assert.deepInclude(yield* customerNow(id), { claim: "new", claimedUntil: Rows.at(90) })
      assert.isTrue(yield* endClaim(id, "new"))
      assert.isFalse(yield* endClaim(id, "new"))
      assert.isFalse(yield* keepClaim(id, "new", 200))
      assert.deepStrictEqual(yield* customerNow(id), customer)
      assert.isFalse(yield* keepClaim(Rows.id(), "new", 200))
    })
  )

  it.effect("a lane is looked at neither before it is due nor before its claim has run out, whichever is later", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ConversationStore
      const [customer] = yield* dueAt([1])
      const { id } = customer!
      yield* claimDue(5, 40, 1, "one")
      yield* transact(store.saveLane({ ...customer!, dueAt: Rows.at(70) }))
      assert.strictEqual(yield* nextDue, Rows.at(70))
      assert.deepStrictEqual(yield* claimDue(69, 80), [])
      yield* transact(store.saveLane({ ...customer!, dueAt: null }))
      assert.isNull(yield* nextDue)
      assert.deepStrictEqual(yield* claimDue(1000, 2000), [])
      yield* transact(store.saveLane({ ...customer!, dueAt: Rows.at(20) }))
      assert.strictEqual(yield* nextDue, Rows.at(40))
      yield* endClaim(id, "one")
      assert.strictEqual(yield* nextDue, Rows.at(20))
      assert.deepStrictEqual(idsOf(yield* claimDue(20, 30)), [id])
    })
  )

  // Verifies: N-19.
  it.effect("eight processes at once share the lanes out: none twice, none left", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const customers = yield* dueAt(Array.from({ length: 120 }, (_, i) => i))
      const claimer = Effect.gen(function* () {
        const mine: Array<Ids.CustomerId> = []
        for (let looks = 0; looks < customers.length; looks++) {
          const taken = yield* claimDue(1000, 2000, 7)
          assert.isAtMost(taken.length, 7)
          if (taken.length === 0) break
          mine.push(...idsOf(taken))
        }
        return mine
      })
      const shares = yield* Effect.forEach(Array.from({ length: 8 }), () => claimer, { concurrency: "unbounded" })
      const taken = shares.flat()
      assert.strictEqual(new Set(taken).size, taken.length, "a lane was claimed twice")
      // Whoever claims passes over what another is just claiming, and finds nothing left a moment early.
      assert.deepStrictEqual([...taken, ...idsOf(yield* claimDue(1000, 2000, 200))].sort(), idsOf(customers).toSorted())
    })
  )

  sideBySide("who claims waits for nobody: a lane in which somebody writes is left for later", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ConversationStore
      const [written, free] = yield* dueAt([1, 2])
      const [wrote, goOn] = [yield* gate, yield* gate]
      const writer = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* store.saveLane({ ...written!, failures: 1 })
            yield* Deferred.succeed(wrote, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(wrote)
      assert.deepStrictEqual(idsOf(yield* claimDue(10, 20)), [free!.id])
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(writer)
      assert.deepStrictEqual(idsOf(yield* claimDue(10, 20)), [written!.id])
    })
  )

  sideBySide("who has kept a claim writes undisturbed, however late it has become", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ConversationStore
      const [customer] = yield* dueAt([1])
      const [kept, goOn] = [yield* gate, yield* gate]
      yield* claimDue(5, 40, 1, "mine")
      const worker = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            const isMine = yield* store.endClaim(customer!.id, "mine")
            yield* Deferred.succeed(kept, undefined)
            yield* Deferred.await(goOn)
            yield* store.saveLane({ ...customer!, dueAt: null, failures: 7 })
            return isMine
          })
        )
      )
      yield* Deferred.await(kept)
      assert.deepStrictEqual(yield* claimDue(1000, 2000, 1, "other"), [])
      yield* Deferred.succeed(goOn, undefined)
      assert.isTrue(yield* Fiber.join(worker))
      assert.deepStrictEqual(yield* customerNow(customer!.id), { ...customer!, dueAt: null, failures: 7 })
      assert.deepStrictEqual(yield* claimDue(1000, 2000, 1, "other"), [])
    })
  )

  sideBySide("who keeps a claim that is just being made again waits, and is told that it is lost", () =>
    Effect.gen(function* () {
      yield* nothingDue
      const store = yield* ConversationStore
      const [customer] = yield* dueAt([1])
      const [claimed, goOn] = [yield* gate, yield* gate]
      yield* claimDue(5, 40, 1, "old")
      const claimer = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            yield* store.claimDue({ at: Rows.at(41), until: Rows.at(80), claim: "new", limit: 1 })
            yield* Deferred.succeed(claimed, undefined)
            yield* Deferred.await(goOn)
          })
        )
      )
      yield* Deferred.await(claimed)
      const keeper = yield* Effect.forkChild(keepClaim(customer!.id, "old", 200))
      yield* pause(20)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(claimer)
      assert.isFalse(yield* Fiber.join(keeper))
    })
  )

  it.effect("a conversation comes back as written and is shown with its customer's and its number's fields", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer, number } = yield* someone({ userRef: "IN.1" })
      const first = Rows.conversation(customer)
      assert.deepStrictEqual(yield* read(store.conversation(first.id)), first)
      assert.isNull(yield* read(store.conversation(Rows.id())))
      const botId = Rows.id<"Bot">()
      yield* change(number.id, { botId, aiAutoreplyEnabled: true })
      const ended: Conversation = {
        ...first,
        ...{ aiAutoreplyEnabled: false, status: "ended", lastMessageAt: Rows.at(9) }
      }
      yield* transact(store.saveConversation(ended))
      assert.deepStrictEqual(yield* read(store.conversation(first.id)), ended)
      assert.deepStrictEqual(yield* read(store.view(number.tenantId, first.id)), {
        ...ended,
        ...{ phoneNumberId: number.phoneNumberId, botId, phone: customer.phone, userRef: "IN.1", name: customer.name },
        windowExpiresAt: customer.windowExpiresAt
      })
      assert.isNull(yield* read(store.view(tenantId(), first.id)))
    })
  )

  it.effect("conversations are listed by their latest message, under every filter, page by page and in one order", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
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
          Effect.andThen(store.addCustomer(customer), store.addConversation(conversation))
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
          const filter = { phoneId, status }
          assert.strictEqual(yield* read(store.count(own, filter)), expected.length)
          const pages = yield* Effect.forEach([0, 3, 6, 9, 12, 15, 18], (offset) =>
            read(store.list(own, filter, { limit: 3, offset }))
          )
          assert.deepStrictEqual(idsOf(pages.flat()), expected)
        }
      }
      const [shown] = yield* read(store.list(own, { phoneId: null, status: null }, page))
      assert.deepStrictEqual(shown, (yield* read(store.view(own, all[0]!.id)))!)
    })
  )

  it.effect("a message comes back as it was written", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
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
        })
      ]
      assert.deepStrictEqual(yield* addMessages(rows), [true, true, true])
      for (const row of rows) assert.deepStrictEqual(yield* read(store.messageById(row.id)), row)
      assert.deepStrictEqual(yield* read(store.messageByMsgid(customer.phoneId, "wamid.=/+")), rows[1]!)
      assert.isNull(yield* read(store.messageByMsgid(Rows.id(), "wamid.=/+")))
      assert.isNull(yield* read(store.messageById(Rows.id())))
    })
  )

  it.effect("of many ids those that the number has are told, whatever is in them", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
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

  it.effect("whatever the platform sends comes back as it came: emoji, escapes, deep objects, and long texts", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
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
        const found = (yield* read(store.messageById(row.id)))!
        assert.strictEqual(JSON.stringify(found.body), JSON.stringify(body))
        assert.strictEqual(found.text, text)
      }
      const odd = Rows.message(customer, { text: "a\0b\ud83d" })
      yield* addMessages([odd])
      assert.strictEqual((yield* read(store.messageById(odd.id)))?.text, "a\ufffdb\ufffd")
    })
  )

  // Verifies: N-17.
  it.effect("20 identical deliveries at once leave one message, and one is told that it was news", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer } = yield* someone()
      const msgid = "wamid.HBgM"
      const copies = Array.from({ length: 20 }, (_, i) => Rows.message(customer, { msgid, text: `copy ${i}` }))
      const answers = yield* Effect.forEach(copies, (copy) => transact(store.addMessage(copy)), {
        concurrency: "unbounded"
      })
      const kept = copies.filter((_, i) => answers[i])
      assert.strictEqual(kept.length, 1)
      assert.deepStrictEqual(yield* read(store.messages(customer.conversationId, page)), kept)
      assert.deepStrictEqual(yield* addMessages([Rows.message(customer, { msgid })]), [false])
      assert.deepStrictEqual(yield* read(store.messageByMsgid(customer.phoneId, msgid)), kept[0]!)

      const { customer: elsewhere } = yield* someone()
      assert.deepStrictEqual(yield* addMessages([Rows.message(elsewhere, { msgid })]), [true])
      const unsent = [1, 2].map(() => Rows.message(customer, { msgid: null }))
      assert.deepStrictEqual(yield* addMessages(unsent), [true, true])
    })
  )

  it.effect("a message that is delivered again changes nothing of the transaction around it", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer } = yield* someone()
      const first = Rows.message(customer)
      yield* addMessages([first])
      const added = yield* transact(
        Effect.gen(function* () {
          const again = yield* store.addMessage({ ...first, id: Rows.id() })
          const news = yield* store.addMessage(Rows.message(customer))
          return [again, news]
        })
      )
      assert.deepStrictEqual(added, [false, true])
      assert.strictEqual(yield* read(store.countMessages(customer.conversationId)), 2)
    })
  )

  // Verifies: N-25.
  it.effect(
    "messages are listed newest first as they were added, whatever the clocks of those who made their ids",
    () =>
      Effect.gen(function* () {
        const store = yield* ConversationStore
        const { customer } = yield* someone()
        const rows = idsReversed(Array.from({ length: 7 }, (_, i) => Rows.message(customer, { text: `${i}` })))
        for (const row of rows) yield* addMessages([row])
        const listed = (limit: number, offset: number) =>
          Effect.map(read(store.messages(customer.conversationId, { limit, offset })), idsOf)
        const newestFirst = idsOf(rows).toReversed()
        assert.deepStrictEqual(yield* listed(100, 0), newestFirst)
        assert.deepStrictEqual(
          (yield* Effect.forEach([0, 3, 6, 9], (offset) => listed(3, offset))).flat(),
          newestFirst,
          "pages together are the whole"
        )
        assert.strictEqual(yield* read(store.countMessages(customer.conversationId)), 7)
        assert.deepStrictEqual(idsOf(yield* read(store.history(customer.id, 3))), idsOf(rows.slice(4)))
        const after = yield* read(store.inboundAfter(customer.id, rows[4]!.id, 10))
        assert.deepStrictEqual(idsOf(after), idsOf(rows.slice(5)), "the one that came later has the lesser id")
      })
  )

  it.effect("a history goes over all conversations of a customer, and is its newest part, oldest first", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer, number } = yield* someone()
      const later = { ...customer, conversationId: Rows.id<"Conversation">() }
      yield* transact(store.addConversation(Rows.conversation(later)))
      const rows = [customer, customer, later, later].map((of) => Rows.message(of))
      const stranger = Rows.customer(number)
      yield* addCustomers([stranger])
      yield* addMessages([...rows, Rows.message(stranger)])
      assert.deepStrictEqual(yield* read(store.history(customer.id, 100)), rows)
      assert.deepStrictEqual(yield* read(store.history(customer.id, 3)), rows.slice(1))
      assert.deepStrictEqual(yield* read(store.history(Rows.id(), 3)), [])
      assert.deepStrictEqual(yield* read(store.messages(later.conversationId, page)), rows.slice(2).toReversed())
    })
  )

  it.effect("what is left to be looked at is what came in since, and all of it at first", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
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

  it.effect("the parts that are still to be sent are told in the order in which they are to be sent", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
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
      yield* transact(store.saveMessage(rows[1]!.id, { msgid: "2", status: "sent", fault: null }))
      assert.deepStrictEqual(idsOf(yield* read(store.openParts(customer.id))), idsOf(rows.slice(2, 4)))
      assert.deepStrictEqual(yield* read(store.openParts(Rows.id())), [])
    })
  )

  it.effect("turns are counted once each, however many parts they have, from an instant on", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
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
      const store = yield* ConversationStore
      const { customer } = yield* someone()
      const [row, other] = [partOf(customer, Rows.id(), 0), partOf(customer, Rows.id(), 0)]
      yield* addMessages([row, other])
      const ends = [
        { msgid: "wamid.a", status: "sent", fault: null },
        { msgid: "wamid.a", status: "failed", fault: { code: 131026, message: "Undeliverable \0" } },
        { msgid: null, status: "queued", fault: null }
      ] as const
      for (const change of ends) {
        yield* transact(store.saveMessage(row.id, change))
        assert.deepStrictEqual(yield* read(store.messageById(row.id)), { ...row, ...change })
      }
      assert.deepStrictEqual(yield* read(store.messageById(other.id)), other)
    })
  )

  it.effect("what is being sent is sent under the platform's id, unless anybody has told of it before", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer } = yield* someone()
      const sending = (over: Partial<Message> = {}) => partOf(customer, Rows.id(), 0, { status: "sending", ...over })
      const [row, reported, echoed, lost, known] = [
        ...[sending(), sending(), sending(), sending({ status: "unknown" }), sending({ msgid: "wamid.own" })]
      ] as [Message, Message, Message, Message, Message]
      yield* addMessages([row, reported, echoed, lost, known, Rows.message(customer, { msgid: "wamid.echo" })])
      yield* addEarly([early(customer.phoneId, "wamid.early", 1), early(Rows.id(), "wamid.a", 1)])
      const taken = (one: Message, msgid: string) => transact(store.sendingWasTaken(one.id, msgid))
      assert.isTrue(yield* taken(row, "wamid.a"))
      assert.isFalse(yield* taken(row, "wamid.b"))
      assert.isFalse(yield* taken(reported, "wamid.early"))
      assert.isFalse(yield* taken(echoed, "wamid.echo"))
      assert.isFalse(yield* taken(lost, "wamid.c"))
      assert.isFalse(yield* taken(known, "wamid.d"))
      const now = yield* Effect.forEach([row, reported, echoed, lost, known], ({ id }) => read(store.messageById(id)))
      assert.deepStrictEqual(now, [{ ...row, msgid: "wamid.a", status: "sent" }, reported, echoed, lost, known])
    })
  )

  it.effect("a send whose sender is gone becomes unknown; parts of turns and what was answered do not", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const lose = (before: number, limit: number) => transact(store.loseSends(Rows.at(before), limit))
      yield* lose(1_000_000, 10_000)
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
      assert.strictEqual(yield* lose(40, 2), 2)
      const statuses = () =>
        Effect.forEach(rows, ({ id }) => Effect.map(read(store.messageById(id)), (found) => found?.status))
      assert.deepStrictEqual(yield* statuses(), ["sending", "unknown", "unknown", "sending", "sent", "sending"])
      assert.strictEqual(yield* lose(40, 2), 1)
      assert.strictEqual(yield* lose(40, 2), 0)
      assert.deepStrictEqual(yield* statuses(), ["unknown", "unknown", "unknown", "sending", "sent", "sending"])
    })
  )

  it.effect("reports that came before their message come out in the order in which they came, and once", () =>
    Effect.gen(function* () {
      const [phoneId, other] = [Rows.id<"Phone">(), Rows.id<"Phone">()]
      const kept = [
        early(phoneId, "a", 3, { status: "read" }),
        early(phoneId, "a", 1, { status: "sent" }),
        early(phoneId, "a", 2, { status: "failed", fault: { code: 131026, message: "“no” 👎" } }),
        early(phoneId, "a", 2)
      ]
      const others = [early(phoneId, "b", 1), early(other, "a", 1)]
      yield* addEarly([...kept, ...others])
      assert.deepStrictEqual(yield* takeEarly(phoneId, "a"), [kept[1]!, kept[2]!, kept[3]!, kept[0]!])
      assert.deepStrictEqual(yield* takeEarly(phoneId, "a"), [])
      assert.deepStrictEqual(yield* takeEarly(phoneId, "b"), [others[0]!])
      assert.deepStrictEqual(yield* takeEarly(other, "a"), [others[1]!])
    })
  )

  it.effect("of several who take reports at once one gets each", () =>
    Effect.gen(function* () {
      const phoneId = Rows.id<"Phone">()
      const kept = Array.from({ length: 20 }, (_, i) => early(phoneId, "a", i))
      yield* addEarly(kept)
      const shares = yield* Effect.forEach(Array.from({ length: 8 }), () => takeEarly(phoneId, "a"), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(idsOf(shares.flat()).toSorted(), idsOf(kept).toSorted())
    })
  )

  // Verifies: N-22.
  it.effect("a report that looks for its message and a message that gets its id never miss each other", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer } = yield* someone()
      const { phoneId } = customer
      for (let round = 0; round < 20; round++) {
        const msgid = `wamid.${round}`
        const row = partOf(customer, Rows.id(), 0)
        yield* addMessages([row])
        const report = transact(
          Effect.gen(function* () {
            yield* lock("report", msgid)
            const known = yield* store.messageByMsgid(phoneId, msgid)
            if (known === null) yield* store.addEarly(early(phoneId, msgid, 1))
            return known === null ? 0 : 1
          })
        )
        const sent = transact(
          Effect.gen(function* () {
            yield* lock("report", msgid)
            yield* store.saveMessage(row.id, { msgid, status: "sent", fault: null })
            return (yield* store.takeEarly(phoneId, msgid)).length
          })
        )
        const both = round % 2 === 0 ? [report, sent] : [sent, report]
        const met = yield* Effect.all(both, { concurrency: "unbounded" })
        assert.strictEqual(met[0]! + met[1]!, 1)
      }
    })
  )

  it.effect("reports of messages that never came are swept in parts, oldest first", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const sweep = (before: number, limit: number) => transact(store.sweepEarly(Rows.at(before), limit))
      yield* sweep(1_000_000, 10_000)
      const phoneId = Rows.id<"Phone">()
      yield* addEarly([5, 1, 4, 2, 3].map((at) => early(phoneId, `${at}`, at)))
      assert.strictEqual(yield* sweep(5, 3), 3)
      assert.strictEqual((yield* takeEarly(phoneId, "4")).length, 1)
      assert.strictEqual(yield* sweep(5, 3), 0)
      assert.strictEqual((yield* takeEarly(phoneId, "5")).length, 1)
    })
  )
})
