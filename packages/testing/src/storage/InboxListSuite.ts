/** What people find in their inbox on a database: the lists of conversations under every filter, and who they are assigned to. */
import { assert } from "@effect/vitest"
import { type Bot, type Conversation, type Message, PhoneNumber, read, transact } from "@trunkline/core/effect"
import {
  BotStore,
  type ConnectedNumber,
  type ConversationFilter,
  ConversationStore,
  type Customer,
  CustomerStore,
  MessageStore
} from "@trunkline/core/storage"
import { answers, needsPerson, personSearch } from "@trunkline/core/testing"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { addMessages, addNumbers, idsOf, idsReversed, page, someone, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { gate, pause, suite } from "./Subject.ts"

/** Prompts of which the core says that they are blank, and others that look like it. */
const prompts = [null, "", " ", "\n\t", "\u00a0\u2003\ufeff", "\u200b", "You help.", " x ", "\u3000.\u2028"]

const numbers = fc.record({
  agent: fc.option(fc.record({ isActive: fc.boolean(), systemPrompt: fc.constantFrom(...prompts) })),
  aiAutoreplyEnabled: fc.boolean()
})

const names = [null, "Ada Lovelace", "ANNA", "Straße", "Jörg"]

const conversations = fc.record({
  number: fc.nat(),
  name: fc.constantFrom(...names),
  phone: fc.constantFrom("4915112345678", "15112345678", "4930901820", "901820"),
  userRef: fc.option(fc.constantFrom("IN.12", "US.abc")),
  status: fc.constantFrom("open" as const, "ended" as const),
  awaits: fc.constantFrom("nobody" as const, "agent" as const, "person" as const),
  aiAutoreplyEnabled: fc.boolean(),
  unreadCount: fc.constantFrom(0, 0, 1, 7),
  assignedTo: fc.constantFrom(null, null, "ada", "ben"),
  lastMessageAt: fc.nat(3)
})

const inboxes = fc.record({
  numbers: fc.array(numbers, { minLength: 1, maxLength: 3 }),
  conversations: fc.array(conversations, { maxLength: 12 })
})

type Inbox = typeof inboxes extends fc.Arbitrary<infer Given> ? Given : never

interface Found {
  readonly agent: Bot | null
  readonly number: ConnectedNumber
  readonly customer: Customer
  readonly conversation: Conversation
}

/** An account with all of it, and another account with the same. */
const made = Effect.fnUntraced(function* (given: Inbox) {
  const [own, other] = [tenantId(), tenantId()]
  const all: Array<Found> = []
  for (const account of [own, other]) {
    const lines = given.numbers.map(({ agent, aiAutoreplyEnabled }) => {
      const bot = agent === null ? null : Rows.bot(account, agent)
      return { agent: bot, number: Rows.number(account, { botId: bot?.id ?? null, aiAutoreplyEnabled }) }
    })
    yield* addNumbers(...lines.map(({ number }) => number))
    yield* transact(
      Effect.gen(function* () {
        const [bots, customers, store] = [yield* BotStore, yield* CustomerStore, yield* ConversationStore]
        for (const { agent } of lines) if (agent !== null) yield* bots.add(agent)
        for (const [nth, one] of given.conversations.entries()) {
          const line = lines[one.number % lines.length]!
          // One number never has two customers of one phone.
          const phone = `${nth + 1}${one.phone}`
          const userRef = one.userRef === null ? null : `${one.userRef}.${nth}`
          const customer = Rows.customer(line.number, { name: one.name, phone, userRef })
          const { name: _, number: __, phone: ___, userRef: ____, lastMessageAt, ...fields } = one
          const awaits = one.status === "ended" ? "nobody" : one.awaits
          const conversation = Rows.conversation(customer, {
            ...fields,
            awaits,
            assignedName: one.assignedTo,
            lastMessageAt: Rows.at(lastMessageAt)
          })
          yield* customers.add(customer)
          yield* store.add(conversation)
          if (account === own) all.push({ ...line, customer, conversation })
        }
      })
    )
  }
  return { own, all }
})

const needs = ({ agent, conversation, number }: Found) =>
  needsPerson({ ...conversation, numberAnswers: answers(number, agent) })

/** What of all is asked for, in plain words. */
const isAsked = (found: Found, filter: ConversationFilter): boolean => {
  const { conversation, customer } = found
  const { assignedTo, search } = filter
  const key = customer.phone === null ? undefined : PhoneNumber.usable(customer.phone)?.key
  const holder = conversation.assignedTo
  const text = search?.text.toLowerCase().replace("ß", "ss")
  const has = (value: string | null) =>
    text !== undefined && (value ?? "").toLowerCase().replace("ß", "ss").includes(text)
  return (
    (filter.phoneId ?? conversation.phoneId) === conversation.phoneId &&
    (filter.status ?? conversation.status) === conversation.status &&
    (filter.isUnread ?? conversation.unreadCount > 0) === conversation.unreadCount > 0 &&
    (filter.needsPerson ?? needs(found)) === needs(found) &&
    (assignedTo === null || (assignedTo._tag === "Nobody" ? holder === null : holder === assignedTo.subject)) &&
    (filter.customer === null || (key !== undefined && PhoneNumber.samePerson(key, filter.customer))) &&
    (search === null ||
      has(customer.name) ||
      has(customer.userRef) ||
      (search.digits !== null && (customer.phone ?? "").includes(search.digits)))
  )
}

const filters = fc.record({
  ofNumber: fc.option(fc.nat()),
  status: fc.constantFrom(null, null, "open" as const, "ended" as const),
  isUnread: fc.constantFrom(null, true, false),
  needsPerson: fc.constantFrom(null, true, false),
  assignedTo: fc.constantFrom(
    null,
    { _tag: "Nobody" } as const,
    { _tag: "Subject", subject: "ada" } as const,
    { _tag: "Subject", subject: "nobody" } as const
  ),
  customer: fc.constantFrom(null, null, "+49 151 12345678", "2345678", "30901820"),
  search: fc.constantFrom(null, null, "a", "ANNA", "strasse", "us.A", "0901", "15 11", "nobody")
})

type Asked = typeof filters extends fc.Arbitrary<infer Filters> ? Filters : never

export const inbox = suite("the inbox", ({ it, sideBySide }) => {
  // Verifies: B-503, B-504.
  it.effect("conversations are found under every filter as plain code finds them, whatever there is", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const seed = Math.floor(Math.random() * 2 ** 31)
      const checked = Effect.fnUntraced(function* (given: Inbox, asked: ReadonlyArray<Asked>) {
        const { all, own } = yield* made(given)
        for (const { customer, ofNumber, search, ...rest } of asked) {
          const filter: ConversationFilter = {
            ...rest,
            phoneId: ofNumber === null || all.length === 0 ? null : all[ofNumber % all.length]!.number.id,
            customer: customer === null ? null : PhoneNumber.usable(customer)!.key,
            search: search === null ? null : personSearch(search, 1)
          }
          const expected = all
            .filter((found) => isAsked(found, filter))
            .map(({ conversation }) => conversation)
            .toSorted((a, b) => b.lastMessageAt - a.lastMessageAt || (a.id < b.id ? 1 : -1))
          const found = yield* read(store.list(own, filter, page))
          assert.deepStrictEqual(idsOf(found), idsOf(expected), `seed ${seed}: ${JSON.stringify(filter)}`)
          assert.strictEqual(yield* read(store.count(own, filter)), expected.length)
          const second = yield* read(store.list(own, filter, { limit: 2, offset: 1 }))
          assert.deepStrictEqual(idsOf(second), idsOf(expected.slice(1, 3)))
          for (const view of found) {
            const source = all.find(({ conversation }) => conversation.id === view.id)!
            assert.strictEqual(view.numberAnswers, answers(source.number, source.agent))
            assert.strictEqual(needsPerson(view), needs(source))
          }
        }
      })
      const days = fc.sample(fc.tuple(inboxes, fc.array(filters, { minLength: 10, maxLength: 10 })), {
        numRuns: 25,
        seed
      })
      for (const [given, asked] of days) yield* checked(given, asked)
    })
  )

  // Verifies: B-501.
  it.effect("a conversation is shown with its newest message, cut after 200 characters of whatever script", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer, number } = yield* someone()
      const conversation = Rows.conversation(customer)
      const shown = () => Effect.map(read(store.view(number.tenantId, conversation.id)), (view) => view!.lastMessage)
      assert.isNull(yield* shown())
      const said = Rows.message(customer, { text: "👩🏽".repeat(150), createdAt: Rows.at(5) })
      yield* addMessages([said])
      yield* transact(store.save({ ...conversation, lastMessageId: said.id }))
      const { createdAt, direction, role, status, type } = said
      const text = [...said.text!].slice(0, 200).join("")
      assert.deepStrictEqual(yield* shown(), { createdAt, direction, role, status, text, type })
      yield* transact(MessageStore.use((messages) => messages.change(said, { ...said, text: null })))
      assert.strictEqual((yield* shown())?.text, null)
      // A message that is not kept any more.
      yield* transact(store.save({ ...conversation, lastMessageId: Rows.id() }))
      assert.isNull(yield* shown())
    })
  )

  // Verifies: B-506.
  it.effect("who a conversation is assigned to stays as it is where anything else of it is written", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer, number } = yield* someone()
      const first = Rows.conversation(customer)
      const assigned = () => Effect.map(read(store.byId(first.id)), (now) => [now!.assignedTo, now!.assignedName])
      yield* transact(store.assign(first, { subject: "ada", name: "Ada" }))
      yield* transact(store.save({ ...first, unreadCount: 3 }))
      assert.deepStrictEqual(yield* assigned(), ["ada", "Ada"])
      yield* transact(store.assign({ id: first.id, tenantId: tenantId() }, null))
      assert.deepStrictEqual(yield* assigned(), ["ada", "Ada"], "another account changes nothing")
      assert.deepStrictEqual(yield* transact(store.unassign(tenantId(), "ada")), [])
      assert.deepStrictEqual(yield* transact(store.unassign(number.tenantId, "ben")), [])
      assert.deepStrictEqual(yield* transact(store.unassign(number.tenantId, "ada")), [first.id])
      assert.deepStrictEqual(yield* assigned(), [null, null])
    })
  )

  sideBySide("nothing stays assigned to somebody who is removed while a customer's next conversation begins", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer, number } = yield* someone()
      const first = Rows.conversation(customer)
      yield* transact(store.assign(first, { subject: "ada", name: "Ada" }))
      const [held, begun] = [yield* gate, yield* Deferred.make<void>()]
      const next = Rows.conversation(customer, { id: Rows.id(), assignedTo: "ada", assignedName: "Ada" })
      const beginning = transact(
        Effect.gen(function* () {
          yield* store.save({ ...first, status: "ended" })
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(held)
          yield* store.add(next)
        })
      )
      const one = yield* Effect.forkChild(beginning)
      yield* Deferred.await(begun)
      const other = yield* Effect.forkChild(transact(store.unassign(number.tenantId, "ada")))
      // It waits for the conversation that the first one has written.
      yield* pause(200)
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.join(one)
      assert.deepStrictEqual(yield* Fiber.join(other), [first.id, next.id])
      for (const { id } of [first, next]) assert.isNull((yield* read(store.byId(id)))!.assignedTo)
    })
  )

  sideBySide("who ends a conversation sees that it was unassigned until then", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer, number } = yield* someone()
      const first = Rows.conversation(customer)
      yield* transact(store.assign(first, { subject: "ada", name: "Ada" }))
      const [held, begun] = [yield* gate, yield* Deferred.make<void>()]
      const removing = transact(
        Effect.gen(function* () {
          yield* store.unassign(number.tenantId, "ada")
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(held)
        })
      )
      const one = yield* Effect.forkChild(removing)
      yield* Deferred.await(begun)
      const ending = Effect.andThen(store.save({ ...first, status: "ended" }), store.byId(first.id))
      const other = yield* Effect.forkChild(transact(ending))
      yield* pause(200)
      yield* Deferred.succeed(held, undefined)
      yield* Fiber.join(one)
      assert.isNull((yield* Fiber.join(other))!.assignedTo)
    })
  )

  // Verifies: B-508.
  it.effect("older messages are those that were added before one, whatever the clocks of their processes", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer } = yield* someone()
      const rows: ReadonlyArray<Message> = idsReversed(
        Array.from({ length: 7 }, (_, i) => Rows.message(customer, { text: `${i}` }))
      )
      for (const row of rows) yield* addMessages([row])
      const before = (nth: number, limit: number, offset = 0) =>
        Effect.map(read(store.messages(customer.conversationId, rows[nth]!.id, { limit, offset })), (found) =>
          found.map(({ text }) => text)
        )
      assert.deepStrictEqual(yield* before(5, 3), ["4", "3", "2"])
      assert.deepStrictEqual(yield* before(2, 3), ["1", "0"])
      assert.deepStrictEqual(yield* before(0, 3), [])
      assert.deepStrictEqual(yield* before(6, 2, 2), ["3", "2"])
    })
  )

  // Verifies: B-502.
  it.effect("messages that are joined are counted after the last one to the customer", () =>
    Effect.gen(function* () {
      const store = yield* ConversationStore
      const { customer } = yield* someone()
      const other = Rows.conversation(customer, { id: Rows.id() })
      yield* transact(store.add(other))
      const say = (direction: Message["direction"], conversationId = customer.conversationId) => {
        const message = Rows.message(customer, { direction, conversationId })
        return Effect.as(addMessages([message]), message.id)
      }
      yield* say("inbound")
      yield* say("outbound", other.id)
      yield* say("inbound")
      const newest = yield* say("inbound", other.id)
      const joined = { customerId: customer.id, from: other.id, into: customer.conversationId }
      assert.deepStrictEqual(yield* transact(store.absorb(joined)), { lastMessageId: newest, unanswered: 2 })
      const answer = yield* say("outbound")
      assert.deepStrictEqual(yield* transact(store.absorb(joined)), { lastMessageId: answer, unanswered: 0 })
    })
  )
})
