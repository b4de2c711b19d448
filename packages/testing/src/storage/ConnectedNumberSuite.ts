/** Connected numbers on a database. Verifies: CHAT-1. */
import { assert } from "@effect/vitest"
import { type Ids, lock, type Read, read, transact } from "@trunkline/core/effect"
import {
  type ConnectedNumber,
  ConnectedNumberStore,
  ConversationStore,
  type KnownFacts,
  type NumberChange,
  NumberFactsStore,
  type StorageError
} from "@trunkline/core/storage"
import { everyConversation } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import { addMessages, addNumbers, idsOf, page, someone, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const change = (id: Ids.PhoneId, changes: NumberChange, at = 1) =>
  transact(ConnectedNumberStore.use((store) => store.change(id, changes, Rows.at(at))))

const numberBy = (
  look: (store: ConnectedNumberStore["Service"]) => Effect.Effect<ConnectedNumber | null, StorageError, Read>
) => read(ConnectedNumberStore.use(look))

export const connectedNumbers = suite("connected numbers", ({ it }) => {
  it.effect("a number is read as it was written, by its own account alone", () =>
    Effect.gen(function* () {
      const own = tenantId()
      const full = Rows.number(own, { botId: Rows.id(), aiAutoreplyEnabled: false, updatedAt: Rows.at(3) })
      const bare = Rows.number(own, { displayPhoneNumber: null, isProven: false, token: "v0.é\n👍" })
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

  it.effect("the newest number under an id is known also when it was disconnected, whosever it was", () =>
    Effect.gen(function* () {
      const phoneNumberId = "web-chat:known-later"
      const [former, later] = [Rows.number(tenantId(), { phoneNumberId }), Rows.number(tenantId(), { phoneNumberId })]
      const latest = numberBy((store) => store.latest(phoneNumberId))
      assert.isNull(yield* latest)
      yield* addNumbers(former)
      assert.deepStrictEqual(yield* latest, former)
      const ended = yield* change(former.id, { disconnectedAt: Rows.at(1), isProven: false })
      assert.deepStrictEqual(yield* latest, ended)
      assert.isFalse((yield* latest)?.isProven)
      yield* addNumbers(later)
      assert.deepStrictEqual(yield* latest, later)
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
        { factsDueAt: Rows.at(10_000_000) },
        { factsDueAt: null },
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
        assert.deepStrictEqual(yield* read(conversations.list(next.tenantId, everyConversation, page)), [])

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

  it.effect("numbers of a business account are found in every account that has one connected", () =>
    Effect.gen(function* () {
      const store = yield* NumberFactsStore
      const businessAccountId = Rows.key()
      const [first, second] = [tenantId(), tenantId()].map((own) => Rows.number(own, { businessAccountId })) as [
        ConnectedNumber,
        ConnectedNumber
      ]
      const gone = Rows.number(tenantId(), { businessAccountId, disconnectedAt: Rows.at(1) })
      const ofChannel = Rows.number(tenantId(), { businessAccountId, channel: "other" })
      yield* addNumbers(first, second, gone, ofChannel, Rows.number(first.tenantId))
      const found = yield* read(store.ofBusinessAccount("cloud-api", businessAccountId))
      assert.deepStrictEqual(
        found,
        [first, second].toSorted((a, b) => (a.id < b.id ? -1 : 1))
      )
      assert.deepStrictEqual(yield* read(store.ofBusinessAccount("cloud-api", "nobody's")), [])
    })
  )

  it.effect("what is known of a number is written without anything else, and not of one that is gone", () =>
    Effect.gen(function* () {
      const store = yield* NumberFactsStore
      const number = Rows.number(tenantId())
      const gone = Rows.number(tenantId(), { disconnectedAt: Rows.at(1) })
      yield* addNumbers(number, gone)
      const platform: KnownFacts = {
        status: "CONNECTED",
        qualityRating: "YELLOW",
        messagingLimit: { tier: "TIER_UNLIMITED", perDay: null },
        throughput: { level: "HIGH", perSecond: 1000 },
        verifiedName: "Northwind é",
        nameStatus: "APPROVED",
        codeVerificationStatus: "VERIFIED",
        isPinEnabled: false,
        restriction: { type: "RESTRICTED_BIZ_INITIATED_MESSAGING", until: Rows.at(5) },
        checkedAt: Rows.at(4)
      }
      const known = { ...number, platform, factsDueAt: Rows.at(10_000_000) }
      yield* transact(store.save({ ...known, token: "v1.never" } as ConnectedNumber))
      assert.deepStrictEqual(yield* numberBy(({ byId }) => byId(number.id)), known)
      yield* transact(store.save({ ...known, tenantId: tenantId(), platform: null }))
      yield* transact(store.save({ ...gone, platform, factsDueAt: null }))
      assert.deepStrictEqual(yield* numberBy(({ byId }) => byId(number.id)), known)
      assert.isNull((yield* numberBy(({ latest }) => latest(gone.phoneNumberId)))?.platform)
      yield* transact(store.save({ ...number, platform: null, factsDueAt: null }))
      assert.deepStrictEqual(yield* numberBy(({ byId }) => byId(number.id)), number)
    })
  )

  it.effect("of numbers about which a network is to be asked each is taken once, and again after its claim", () =>
    Effect.gen(function* () {
      const store = yield* NumberFactsStore
      const own = tenantId()
      const due = Array.from({ length: 6 }, (_, nth) => Rows.number(own, { factsDueAt: Rows.at(nth - 1_000_000) }))
      const gone = Rows.number(own, { factsDueAt: Rows.at(-2_000_000), disconnectedAt: Rows.at(1) })
      const later = Rows.number(own, { factsDueAt: Rows.at(-500_000) })
      yield* addNumbers(...due, gone, later, Rows.number(own))
      assert.strictEqual(yield* read(store.nextDue), due[0]?.factsDueAt)
      const [at, until] = [Rows.at(-600_000), Rows.at(-550_000)]
      const taken = yield* Effect.all(
        Array.from({ length: 4 }, () => transact(store.claimDue(at, until, 2))),
        { concurrency: "unbounded" }
      )
      assert.sameMembers([...idsOf(taken.flat())], [...idsOf(due)])
      assert.strictEqual(yield* read(store.nextDue), until)
      assert.sameMembers([...idsOf(yield* transact(store.claimDue(until, Rows.at(-520_000), 100)))], [...idsOf(due)])
      for (const one of [...due, later]) yield* transact(store.save({ ...one, factsDueAt: null }))
    })
  )
})
