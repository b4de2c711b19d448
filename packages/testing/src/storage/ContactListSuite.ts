/** Lists of campaigns and of their contacts, as people filter and search them. */
import { assert } from "@effect/vitest"
import { type CampaignContact, Instant, PhoneNumber, read, transact } from "@trunkline/core/effect"
import {
  CallListStore,
  CallStore,
  CampaignContactStore,
  CampaignStore,
  ContactListStore,
  SuppressionStore
} from "@trunkline/core/storage"
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

  it.effect("a list is read on behind a place of it, also where contacts have gone meanwhile", () =>
    Effect.gen(function* () {
      const store = yield* ContactListStore
      const { campaign, rows } = yield* addPeople()
      const after = (seq: number, status: "pending" | null = null) =>
        Effect.map(read(store.after(campaign.id, { ...everyContact, status }, seq, 2)), (found) =>
          found.map((contact) => contact.seq)
        )
      assert.deepStrictEqual(yield* after(-1), [0, 1])
      yield* transact(store.remove(rows[1]!))
      assert.deepStrictEqual(yield* after(1), [2, 3])
      assert.deepStrictEqual(yield* after(-1, "pending"), [0, 2])
      assert.deepStrictEqual(yield* after(5), [])
    })
  )

  it.effect("failed contacts wait again as if they were new, but for those that are suppressed", () =>
    Effect.gen(function* () {
      const contacts = yield* CampaignContactStore
      const store = yield* ContactListStore
      const suppression = yield* SuppressionStore
      const campaign = Rows.campaign(Rows.id())
      const failed = (seq: number, phone: string, lastError: "busy" | "no_answer" = "busy") =>
        Rows.contact(campaign, seq, {
          ...{ phone, lastError, status: "failed", attempts: 3, approvedAt: Rows.at(1), approvedBy: "user:anna" },
          matchKey: PhoneNumber.usable(phone)!.key
        })
      const rows = [
        failed(0, "+14155550101"),
        failed(1, "+14155550102"),
        failed(2, "+49 30 901820"),
        failed(3, "5550104", "no_answer"),
        Rows.contact(campaign, 4, { status: "done", attempts: 1 }),
        failed(5, "+14155550106")
      ]
      yield* transact(contacts.add(rows))
      // The whole number, its end, and a longer one that ends as the contact's short number does.
      for (const phone of ["+1 415 555 0102", "30901820", "+12125550104"])
        yield* transact(
          suppression.add({ ...Rows.entry(campaign.tenantId), phone, matchKey: PhoneNumber.usable(phone)!.key })
        )
      const other = Rows.entry(Rows.id())
      yield* transact(suppression.add({ ...other, matchKey: PhoneNumber.usable("+14155550101")!.key }))
      const of = { tenantId: campaign.tenantId, campaignId: campaign.id }
      assert.strictEqual(yield* read(store.countFailed(campaign.id, ["busy"])), 4)
      assert.strictEqual(yield* read(store.countFailed(campaign.id, ["no_answer", "machine"])), 1)
      const ids = rows.slice(0, 5).map(({ id }) => id)
      assert.strictEqual(yield* transact(store.retry({ ...of, campaignId: Rows.id() }, { _tag: "Contacts", ids })), 0)
      assert.strictEqual(yield* transact(store.retry(of, { _tag: "Contacts", ids })), 1)
      assert.deepStrictEqual(yield* read(contacts.find(campaign.id, rows[0]!.id)), {
        ...{ ...rows[0]!, status: "pending", attempts: 0, lastError: null, approvedAt: null, approvedBy: null }
      })
      assert.strictEqual(yield* transact(store.retry(of, { _tag: "LastErrors", lastErrors: ["no_answer", "busy"] })), 1)
      const tally = yield* read(store.tally(campaign.id, Rows.at(9)))
      assert.deepStrictEqual(Object.fromEntries(tally.byStatus), { pending: 2, done: 1, failed: 3 })
    })
  )

  it.effect("calls of an account are found by their ids", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const store = yield* CallListStore
      const tenantId = Rows.id<"Account">()
      const made = [Rows.call(tenantId), Rows.call(tenantId), Rows.call(tenantId)]
      const foreign = Rows.call(Rows.id())
      yield* transact(Effect.forEach([...made, foreign], calls.add))
      const ids = [made[2]!.id, made[0]!.id, foreign.id, Rows.id<"Call">()]
      const found = yield* read(store.many(tenantId, ids))
      assert.deepStrictEqual(found.map(({ id }) => id).sort(), [made[0]!.id, made[2]!.id].sort())
      assert.deepStrictEqual(yield* read(store.many(tenantId, [])), [])
    })
  )
})
