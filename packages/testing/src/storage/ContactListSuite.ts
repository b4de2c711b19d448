/** Lists of campaigns and of their contacts, as people filter and search them. */
import { assert } from "@effect/vitest"
import { type CampaignContact, Instant, PhoneNumber, read, transact } from "@trunkline/core/effect"
import { CampaignContactStore, CampaignStore, ContactListStore } from "@trunkline/core/storage"
import { contactSearch, everyCampaign, everyContact } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const page = { limit: 100, offset: 0 }

const namesOf = (found: ReadonlyArray<{ readonly name: string | null }>) => found.map(({ name }) => name)

const people: ReadonlyArray<Partial<CampaignContact> & { readonly phone: string }> = [
  { name: "Ada Lovelace", phone: "+1 (415) 555-0101" },
  { name: "JÖRG MÜLLER", phone: "+49.30.901820", status: "failed", lastError: "busy", attempts: 3 },
  { name: "Иван Иванов", phone: "+7 495 123-45-67", nextAttemptAt: Rows.at(50), lastError: "busy", attempts: 1 },
  { name: "Straßer", phone: "0044 20 7946 0958", status: "done" },
  { name: "50% [off]*", phone: "+14155550102", nextAttemptAt: Rows.at(90), lastError: "no_answer", attempts: 1 },
  { name: null, phone: "+14155550103", status: "approved", approvedAt: Rows.at(1), approvedBy: "user:anna" }
]

const addPeople = Effect.fnUntraced(function* () {
  const contacts = yield* CampaignContactStore
  const campaign = Rows.campaign(Rows.id())
  const rows = people.map((over, seq) => ({
    ...Rows.contact(campaign, seq),
    ...over,
    matchKey: PhoneNumber.usable(over.phone)!.key
  }))
  yield* transact(contacts.add([...rows, Rows.contact(Rows.campaign(campaign.tenantId), 0)]))
  return { campaign, rows }
})

export const contactLists = suite("contact lists", ({ it }) => {
  it.effect("campaigns are found by statuses and by a part of the name, in any case", () =>
    Effect.gen(function* () {
      const store = yield* CampaignStore
      const tenantId = Rows.id<"Account">()
      const made = [
        { ...Rows.campaign(tenantId), name: "Herbst für MÜNCHEN", status: "running" as const },
        { ...Rows.campaign(tenantId), name: "Spring", status: "paused" as const },
        { ...Rows.campaign(tenantId), name: "herbst", status: "draft" as const },
        { ...Rows.campaign(Rows.id()), name: "Herbst", status: "running" as const }
      ]
      yield* transact(Effect.forEach(made, store.add))
      const found = Effect.fnUntraced(function* (filter: Partial<typeof everyCampaign>) {
        const asked = { ...everyCampaign, ...filter }
        const rows = yield* read(store.list(tenantId, asked, page))
        assert.strictEqual(yield* read(store.count(tenantId, asked)), rows.length)
        return namesOf(rows)
      })
      assert.deepStrictEqual(yield* found({}), ["herbst", "Spring", "Herbst für MÜNCHEN"])
      assert.deepStrictEqual(yield* found({ search: "HERBST" }), ["herbst", "Herbst für MÜNCHEN"])
      assert.deepStrictEqual(yield* found({ search: "für münchen" }), ["Herbst für MÜNCHEN"])
      assert.deepStrictEqual(yield* found({ statuses: ["running", "paused"] }), ["Spring", "Herbst für MÜNCHEN"])
      assert.deepStrictEqual(yield* found({ statuses: ["draft"], search: "h" }), ["herbst"])
      assert.deepStrictEqual(yield* found({ search: "%" }), [])
      assert.deepStrictEqual(
        yield* read(store.list(tenantId, { statuses: null, search: "herbst" }, { limit: 1, offset: 1 })),
        [made[0]!]
      )
    })
  )

  it.effect("contacts are found by status, last error, a part of the name and digits of the number", () =>
    Effect.gen(function* () {
      const store = yield* ContactListStore
      const { campaign } = yield* addPeople()
      const found = Effect.fnUntraced(function* (filter: Partial<typeof everyContact>) {
        const asked = { ...everyContact, ...filter }
        const rows = yield* read(store.list(campaign.id, asked, page))
        assert.strictEqual(yield* read(store.count(campaign.id, asked)), rows.length)
        return namesOf(rows)
      })
      const searched = (text: string) => found({ search: contactSearch(text) })
      assert.deepStrictEqual(
        yield* found({}),
        people.map(({ name }) => name)
      )
      assert.deepStrictEqual(yield* found({ status: "pending" }), ["Ada Lovelace", "Иван Иванов", "50% [off]*"])
      assert.deepStrictEqual(yield* found({ lastError: "busy" }), ["JÖRG MÜLLER", "Иван Иванов"])
      assert.deepStrictEqual(yield* found({ status: "failed", lastError: "busy" }), ["JÖRG MÜLLER"])
      assert.deepStrictEqual(yield* searched("jörg mü"), ["JÖRG MÜLLER"])
      assert.deepStrictEqual(yield* searched("иванов"), ["Иван Иванов"])
      assert.deepStrictEqual(yield* searched("STRASSER"), ["Straßer"])
      assert.deepStrictEqual(yield* searched("ß"), ["Straßer"])
      assert.deepStrictEqual(yield* searched("% [OFF]*"), ["50% [off]*"])
      assert.deepStrictEqual(yield* searched("_"), [])
      assert.deepStrictEqual(yield* searched("4155550"), ["Ada Lovelace", "50% [off]*", null])
      assert.deepStrictEqual(yield* searched("+49 30"), ["JÖRG MÜLLER"])
      assert.deepStrictEqual(yield* searched("7946-0958"), ["Straßer"])
      assert.deepStrictEqual(yield* searched("50"), ["50% [off]*"])
      assert.deepStrictEqual(yield* found({ lastError: "busy", search: contactSearch("495123") }), ["Иван Иванов"])
    })
  )

  it.effect("contacts are counted by status and last error, and those that wait for later", () =>
    Effect.gen(function* () {
      const store = yield* ContactListStore
      const { campaign } = yield* addPeople()
      const tally = yield* read(store.tally(campaign.id, Rows.at(50)))
      assert.deepStrictEqual(Object.fromEntries(tally.byStatus), { pending: 3, approved: 1, failed: 1, done: 1 })
      assert.deepStrictEqual(Object.fromEntries(tally.byLastError), { busy: 2, no_answer: 1 })
      assert.strictEqual(tally.later, 1)
      assert.strictEqual((yield* read(store.tally(campaign.id, Instant.make(0)))).later, 2)
    })
  )

  it.effect("who approved a contact is kept", () =>
    Effect.gen(function* () {
      const contacts = yield* CampaignContactStore
      const { campaign, rows } = yield* addPeople()
      const [first] = rows
      yield* transact(contacts.save({ ...first!, status: "approved", approvedAt: Rows.at(2), approvedBy: "key:one" }))
      const found = yield* read(contacts.find(campaign.id, first!.id))
      assert.deepInclude(found, { approvedBy: "key:one", approvedAt: Rows.at(2) })
    })
  )
})
