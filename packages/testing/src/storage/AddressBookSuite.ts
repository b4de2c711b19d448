/** The address book and the do-not-call list as areas read them that write to people: docs/reference/contacts.md#crm. */
import { assert } from "@effect/vitest"
import { type Ids, PhoneNumber, read, transact } from "@trunkline/core/effect"
import { ContactStore, SuppressionStore } from "@trunkline/core/storage"
import { AddressBook, ContactDirectory, type CrmContact, type Segment } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const keyOf = (phone: string) => PhoneNumber.usable(phone)!.key
const keysOf = (phones: ReadonlyArray<string>) => phones.map(keyOf)

const person = (tenantId: Ids.AccountId, phone: string, over: Partial<CrmContact> = {}) =>
  Rows.person(tenantId, { phone, matchKey: keyOf(phone), ...over })

const addPeople = (...people: ReadonlyArray<CrmContact>) =>
  transact(ContactStore.use((store) => Effect.forEach(people, store.add, { discard: true })))

const known = Effect.fnUntraced(function* (tenantId: Ids.AccountId, ...phones: ReadonlyArray<string>) {
  const book = yield* AddressBook
  return yield* read(book.ofNumbers(tenantId, keysOf(phones)))
})

const namesOf = (people: ReadonlyArray<{ readonly name: string | null } | null>) =>
  people.map((one) => (one === null ? null : one.name))

const tagged = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
  yield* addPeople(
    Rows.person(tenantId, { name: "a", tags: ["vip", "delhi"], optedIn: true }),
    Rows.person(tenantId, { name: "b", tags: ["delhi"] }),
    Rows.person(tenantId, { name: "c", tags: [] }),
    Rows.person(tenantId, { name: "d", tags: ["VIP", "Ünicode, with 'quotes' and \"more\""], optedIn: true }),
    Rows.person(tenantId, { name: "e", tags: ["vip", "vip", "cold"] }),
    Rows.person(tenantId, { name: "f", tags: ["delhi", "vip"] })
  )
})

const everybody: Segment = { tags: [], match: "all", excludeTags: [], optedIn: false }

/** All of a segment, where each part looks at `limit` people, and how many parts there were. */
const membersOf = Effect.fnUntraced(function* (tenantId: Ids.AccountId, over: Partial<Segment>, limit: number) {
  const book = yield* AddressBook
  const names: Array<string | null> = []
  let parts = 0
  for (let after: string | null = null; parts === 0 || after !== null; parts++) {
    const part: Effect.Success<ReturnType<typeof book.inSegment>> = yield* read(
      book.inSegment(tenantId, { ...everybody, ...over }, after, limit)
    )
    assert.isAtMost(part.entries.length, limit)
    names.push(...namesOf(part.entries))
    after = part.next
  }
  return { names: names.join(""), parts }
})

export const addressBook = suite("the address book", ({ it }) => {
  it.effect("has the people of some numbers in the order of the numbers, and nobody for the others", () =>
    Effect.gen(function* () {
      const own = Rows.id<"Account">()
      const ada = person(own, "+1 212 555 0123", {
        name: "Ada",
        firstName: "Ada",
        lastName: "Lovelace",
        email: "ada@example.com",
        company: "Engines",
        optedIn: true,
        custom: { "a b": "ü😀" }
      })
      yield* addPeople(ada, person(own, "+1 646 555 0123", { name: "Grace" }), person(Rows.id(), "+49 30 901820"))
      const [grace, none, first, again] = yield* known(
        own,
        "646-555-0123",
        "+49 30 901820",
        "(212) 555-0123",
        "2125550123"
      )
      assert.deepStrictEqual(namesOf([grace!, none!]), ["Grace", null])
      const { company, custom, email, firstName, lastName, name, optedIn, phone } = ada
      assert.deepStrictEqual(first, { phone, name, firstName, lastName, email, company, optedIn, custom })
      assert.deepStrictEqual(again, first)
      assert.deepStrictEqual(yield* known(own), [])
    }).pipe(Effect.provide(ContactDirectory.layer))
  )

  it.effect("has the newest of those who share a number, and the consent of any of them", () =>
    Effect.gen(function* () {
      const own = Rows.id<"Account">()
      yield* addPeople(
        person(own, "+1 212 555 0123", { name: "long", optedIn: true }),
        person(own, "+1 646 555 0123", { name: "other" }),
        person(own, "555 0123", { name: "short" })
      )
      const [long, short, other, stranger] = yield* known(own, "2125550123", "5550123", "6465550123", "9995550124")
      assert.include(long, { name: "short", optedIn: true })
      assert.include(short, { name: "short", optedIn: true })
      assert.include(other, { name: "short", optedIn: false })
      assert.isNull(stranger)
    }).pipe(Effect.provide(ContactDirectory.layer))
  )

  it.effect("has many people at once", () =>
    Effect.gen(function* () {
      const own = Rows.id<"Account">()
      const phones = Array.from({ length: 1000 }, (_, n) => String(4_150_000_000 + n * 7))
      yield* addPeople(...phones.slice(0, 300).map((phone) => person(own, phone, { name: phone })))
      const found = yield* known(own, ...phones)
      assert.deepStrictEqual(
        namesOf(found),
        phones.map((phone, n) => (n < 300 ? phone : null))
      )
    }).pipe(Effect.provide(ContactDirectory.layer))
  )

  it.effect("says which numbers are on the do-not-call list of the account", () =>
    Effect.gen(function* () {
      const [own, other] = [Rows.id<"Account">(), Rows.id<"Account">()]
      const entry = (tenantId: Ids.AccountId, phone: string) => Rows.entry(tenantId, { phone, matchKey: keyOf(phone) })
      yield* transact(
        SuppressionStore.use((store) =>
          Effect.forEach([entry(own, "+12125550123"), entry(own, "5550199"), entry(other, "+493090182055")], store.add)
        )
      )
      const { doNotCall } = yield* AddressBook
      const phones = ["2125550123", "6465550123", "+44 20 555 0199", "5550123", "+493090182055"]
      assert.deepStrictEqual(yield* read(doNotCall(own, keysOf(phones))), [true, false, true, true, false])
      assert.deepStrictEqual(yield* read(doNotCall(other, keysOf(phones))), [false, false, false, false, true])
      assert.deepStrictEqual(yield* read(doNotCall(own, [])), [])
    }).pipe(Effect.provide(ContactDirectory.layer))
  )

  it.effect("has the people of a segment, oldest first, whatever is looked at in one part", () =>
    Effect.gen(function* () {
      const own = Rows.id<"Account">()
      yield* tagged(own)
      yield* tagged(Rows.id())
      const whole = (over: Partial<Segment>) => Effect.map(membersOf(own, over, 100), ({ names }) => names)
      assert.strictEqual(yield* whole({}), "abcdef")
      assert.strictEqual(yield* whole({ tags: ["vip"] }), "aef")
      assert.strictEqual(yield* whole({ tags: ["vip", "delhi"], match: "any" }), "abef")
      assert.strictEqual(yield* whole({ tags: ["vip", "delhi", "vip"] }), "af")
      assert.strictEqual(yield* whole({ tags: ["vip", "delhi"], excludeTags: ["cold"], match: "any" }), "abf")
      assert.strictEqual(yield* whole({ tags: ["vip"], excludeTags: ["delhi", "cold"] }), "")
      assert.strictEqual(yield* whole({ tags: ["delhi", "VIP"], match: "any", optedIn: true }), "ad")
      assert.strictEqual(yield* whole({ tags: ["Ünicode, with 'quotes' and \"more\""] }), "d")
      assert.strictEqual(yield* whole({ tags: ["vi"] }), "")
      assert.deepStrictEqual(yield* membersOf(own, { tags: ["vip"] }, 1), { names: "aef", parts: 7 })
      assert.deepStrictEqual(yield* membersOf(own, { tags: ["vip"] }, 2), { names: "aef", parts: 4 })
      assert.deepStrictEqual(yield* membersOf(own, { tags: ["vip"] }, 5), { names: "aef", parts: 2 })
      assert.deepStrictEqual(yield* membersOf(own, { tags: ["none"] }, 4), { names: "", parts: 2 })
    }).pipe(Effect.provide(ContactDirectory.layer))
  )
})
