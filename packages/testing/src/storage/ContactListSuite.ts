/** Lists of campaigns and of their contacts, as people filter and search them. */
import { assert } from "@effect/vitest"
import { type CampaignContact, Instant, PhoneNumber, read, transact } from "@trunkline/core/effect"
import {
  CallListStore,
  type CallSearch,
  CallStore,
  CampaignContactStore,
  CampaignStore,
  ContactListStore,
  HoldStore,
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

  it.effect("contacts wait for an approval in the order of dialing, those that were skipped at the end", () =>
    Effect.gen(function* () {
      const contacts = yield* CampaignContactStore
      const holds = yield* HoldStore
      const campaign = Rows.campaign(Rows.id())
      const contact = (seq: number, over: Partial<CampaignContact> = {}) => Rows.contact(campaign, seq, over)
      yield* transact(
        contacts.add([
          contact(0, { skippedAt: Rows.at(9) }),
          contact(1, { nextAttemptAt: Rows.at(50) }),
          contact(2),
          contact(3, { status: "approved", approvedAt: Rows.at(1) }),
          contact(4, { approvedAt: Rows.at(1), nextAttemptAt: Rows.at(3) }),
          contact(5, { nextAttemptAt: Rows.at(40) }),
          contact(6, { skippedAt: Rows.at(8), nextAttemptAt: Rows.at(2) }),
          contact(7),
          contact(8, { status: "failed" })
        ])
      )
      const waiting = (limit: number) =>
        Effect.map(read(holds.waiting(campaign.id, limit)), (found) => found.map(({ seq }) => seq))
      assert.deepStrictEqual(yield* waiting(9), [2, 7, 5, 1, 6, 0])
      for (const limit of [1, 2, 3, 5]) assert.deepStrictEqual(yield* waiting(limit), [2, 7, 5, 1, 6].slice(0, limit))
      assert.deepStrictEqual(yield* read(holds.waiting(Rows.id(), 9)), [])
    })
  )

  it.effect("each holder has one hold on a campaign, each contact one holder, and holds lapse", () =>
    Effect.gen(function* () {
      const holds = yield* HoldStore
      const { campaign, rows } = yield* addPeople()
      const [ada, jorg] = rows
      const hold = (actor: string, contactId: CampaignContact["id"], until: number) => ({
        ...{ tenantId: campaign.tenantId, campaignId: campaign.id, actor, contactId },
        ...{ subject: actor, name: null, until: Rows.at(until) }
      })
      const put = (held: ReturnType<typeof hold>) => transact(holds.put(held))
      const present = (at: number) =>
        Effect.map(read(holds.ofCampaign(campaign.id, Rows.at(at))), (found) =>
          found.map(({ actor, contactId }) => [actor, contactId]).sort()
        )
      yield* put(hold("anna", ada!.id, 10))
      yield* put(hold("ben", jorg!.id, 20))
      assert.deepStrictEqual(yield* present(9), [
        ["anna", ada!.id],
        ["ben", jorg!.id]
      ])
      assert.deepStrictEqual(yield* present(10), [["ben", jorg!.id]])
      yield* put(hold("ben", ada!.id, 20))
      assert.deepStrictEqual(yield* present(0), [["ben", ada!.id]])
      const of = { tenantId: campaign.tenantId, campaignId: campaign.id }
      assert.isFalse(yield* transact(holds.release({ ...of, actor: "anna" })))
      assert.isTrue(yield* transact(holds.release({ ...of, actor: "ben" })))
      yield* put(hold("anna", ada!.id, 10))
      assert.isFalse(yield* transact(holds.releaseContact(jorg!)))
      assert.isTrue(yield* transact(holds.releaseContact(ada!)))
      yield* put(hold("anna", ada!.id, 10))
      yield* transact(CampaignStore.use((store) => store.add(campaign)))
      yield* transact(CampaignStore.use((store) => store.remove(campaign.tenantId, campaign.id)))
      assert.deepStrictEqual(yield* present(0), [])
    })
  )

  it.effect("calls to a person are found by the digits of the number, newest first", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const store = yield* CallListStore
      const tenantId = Rows.id<"Account">()
      const key = (phone: string) => PhoneNumber.usable(phone)!.key
      const to = (phone: string, account = tenantId) => Rows.call(account, { to: phone, toKey: key(phone) })
      const made = [
        ...[to("+14155550101"), to("4155550101"), to("555-0101"), to("+12125550101")],
        ...[to("+14155550199"), to("+14155550101", Rows.id())]
      ]
      yield* transact(Effect.forEach(made, calls.add))
      const found = (phone: string, limit = 9) =>
        Effect.map(read(store.toPerson(tenantId, key(phone), limit)), (calls) =>
          calls.map(({ id }) => made.findIndex((call) => call.id === id))
        )
      assert.deepStrictEqual(yield* found("+1 415 555 0101"), [2, 1, 0])
      assert.deepStrictEqual(yield* found("5550101"), [3, 2, 1, 0])
      assert.deepStrictEqual(yield* found("+14155550101", 2), [2, 1])
      assert.deepStrictEqual(yield* found("+14155550177"), [])
    })
  )

  it.effect("calls are found by each filter, by several together, and read on behind a call", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const store = yield* CallListStore
      const tenantId = Rows.id<"Account">()
      const [campaignId, botId, fromNumberId] = [Rows.id<"Campaign">(), Rows.id<"Bot">(), Rows.id<"Number">()]
      const to = (phone: string) => ({ to: phone, toKey: PhoneNumber.usable(phone)!.key })
      const made = [
        Rows.call(tenantId, { ...to("+14155550101"), campaignId, botId, createdAt: Rows.at(10) }),
        Rows.call(tenantId, { ...to("5550101"), fromNumberId, outcome: "Interested", createdAt: Rows.at(20) }),
        Rows.call(tenantId, { ...to("+12125550199"), campaignId, outcome: "Other", createdAt: Rows.at(30) }),
        Rows.call(tenantId, { ...to("+14155550101"), answeredBy: "human", endReason: "busy", createdAt: Rows.at(40) })
      ]
      yield* transact(Effect.forEach([...made, Rows.call(Rows.id(), { campaignId, outcome: "Other" })], calls.add))
      const none: CallSearch = {
        ...{ campaignId: null, contactId: null, status: null, botId: null, fromNumberId: null, endReason: null },
        ...{ answeredBy: null, outcome: null, to: null, since: null, until: null }
      }
      const placesOf = (found: ReadonlyArray<{ readonly id: unknown }>) =>
        found.map(({ id }) => made.findIndex((call) => call.id === id))
      const found = Effect.fnUntraced(function* (search: Partial<CallSearch>) {
        const asked = { ...none, ...search }
        const rows = yield* read(store.list(tenantId, asked, page))
        assert.strictEqual(yield* read(store.count(tenantId, asked)), rows.length)
        return placesOf(rows)
      })
      const key = PhoneNumber.usable("+14155550101")!.key
      assert.deepStrictEqual(yield* found({}), [3, 2, 1, 0])
      assert.deepStrictEqual(yield* found({ to: key }), [3, 1, 0])
      assert.deepStrictEqual(yield* found({ to: PhoneNumber.usable("5550199")!.key }), [2])
      assert.deepStrictEqual(yield* found({ campaignId }), [2, 0])
      assert.deepStrictEqual(yield* found({ campaignId, outcome: "Other" }), [2])
      assert.deepStrictEqual(yield* found({ to: key, campaignId }), [0])
      assert.deepStrictEqual(yield* found({ botId }), [0])
      assert.deepStrictEqual(yield* found({ fromNumberId }), [1])
      assert.deepStrictEqual(yield* found({ answeredBy: "human" }), [3])
      assert.deepStrictEqual(yield* found({ endReason: "busy", to: key }), [3])
      assert.deepStrictEqual(yield* found({ since: Rows.at(20), until: Rows.at(40) }), [2, 1])
      assert.deepStrictEqual(yield* found({ contactId: Rows.id() }), [])
      const behind = (id: CallSearch["to"] | null, before: number | null) =>
        Effect.map(
          read(store.before(tenantId, { ...none, to: id }, before === null ? null : made[before]!.id, 2)),
          placesOf
        )
      assert.deepStrictEqual(yield* behind(null, null), [3, 2])
      assert.deepStrictEqual(yield* behind(null, 2), [1, 0])
      assert.deepStrictEqual(yield* behind(key, 3), [1, 0])
      assert.deepStrictEqual(yield* behind(key, 0), [])
    })
  )

  it.effect("contacts are found by what was noted of their latest call", () =>
    Effect.gen(function* () {
      const calls = yield* CallStore
      const campaigns = yield* CampaignStore
      const contacts = yield* CampaignContactStore
      const store = yield* ContactListStore
      const { campaign, rows } = yield* addPeople()
      const [ada, jorg] = rows
      const of = { campaignId: campaign.id, outcome: "Interested" }
      const made = [
        Rows.call(campaign.tenantId, { ...of, contactId: ada!.id, endedAt: Rows.at(9) }),
        Rows.call(campaign.tenantId, { ...of, contactId: jorg!.id, endedAt: Rows.at(9) }),
        Rows.call(campaign.tenantId, { campaignId: campaign.id, contactId: jorg!.id })
      ]
      yield* transact(campaigns.add(campaign))
      yield* transact(Effect.forEach(made, calls.add))
      yield* transact(contacts.save({ ...ada!, callId: made[0]!.id }))
      // Of an earlier call of his it was noted, and not of the latest.
      yield* transact(contacts.save({ ...jorg!, callId: made[2]!.id }))
      const found = (outcome: string) =>
        Effect.map(read(store.list(campaign.id, { ...everyContact, outcome }, page)), namesOf)
      assert.deepStrictEqual(yield* found("Interested"), ["Ada Lovelace"])
      assert.deepStrictEqual(yield* found("Other"), [])
      assert.strictEqual(yield* read(store.count(campaign.id, { ...everyContact, outcome: "Interested" })), 1)
    })
  )
})
