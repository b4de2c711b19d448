/** Contacts of template campaigns, on a database. Verifies: TCMP-1. */
import { assert } from "@effect/vitest"
import { type Message, PhoneNumber, read, transact } from "@trunkline/core/effect"
import {
  CustomerStore,
  MessageStore,
  type TemplateCampaign,
  type TemplateContact,
  type TemplateContactFilter,
  TemplateContactStore,
  TemplateListStore
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { addCustomers, addMessages, idsOf, page, someone, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const add = (...contacts: ReadonlyArray<TemplateContact>) =>
  transact(TemplateContactStore.use((store) => store.add(contacts)))

const seqsOf = (found: ReadonlyArray<TemplateContact>) => found.map(({ seq }) => seq)

const everybody: TemplateContactFilter = { status: null, reason: null, replied: null, phone: null }

/** One contact for each of these, in the order of the list. */
const listOf = (campaign: TemplateCampaign, each: ReadonlyArray<Partial<TemplateContact>>) =>
  each.map((over, seq) => Rows.templateContact(campaign, seq, over))

/** A contact as one of them is that has come as far as one can. */
const full: Partial<TemplateContact> = {
  ...{ name: "Zoë 👍", userId: "IN.1", variables: { "1": "é", "header.media": "https://example.com/ü" } },
  ...{ status: "failed", reason: "rejected", error: { code: 131000, message: "“No” 👍" }, attempts: 4 },
  ...{ nextAttemptAt: Rows.at(1), pairWaits: 2, hasWaitedForMarketing: true, held: true, values: { "body.1": "é" } },
  ...{ messageId: Rows.id(), msgid: "wamid.=/+", conversationId: Rows.id(), hasBegun: true, settleBy: Rows.at(2) },
  ...{ outcomeAt: Rows.at(3), sentAt: Rows.at(4), deliveredAt: Rows.at(5), readAt: Rows.at(6), failedAt: Rows.at(7) },
  ...{ repliedAt: Rows.at(8), reply: { messageId: Rows.id(), text: null, button: "Yes" } },
  pricing: { category: "marketing", type: "regular", billable: true }
}

export const templateContacts = suite("contacts of template campaigns", ({ it }) => {
  it.effect("a contact is read as it was written, of its own campaign alone, and written anew, nulls too", () =>
    Effect.gen(function* () {
      const store = yield* TemplateContactStore
      const lists = yield* TemplateListStore
      const campaign = Rows.templateCampaign(tenantId())
      const rows = listOf(campaign, [full, { phone: null, matchKey: null, userId: "IN.2" }, {}])
      yield* add(...rows)
      for (const row of rows) {
        assert.deepStrictEqual(yield* read(lists.find(campaign.id, row.id)), row)
        assert.deepStrictEqual(yield* read(store.byId(row.id)), row)
        assert.isNull(yield* read(lists.find(Rows.id(), row.id)))
      }
      const { id, matchKey, name, pricing, repliedAt, reply, seq, userId, variables } = rows[0]!
      const now = { ...rows[2]!, id, seq, matchKey, name, userId, variables, pricing, repliedAt, reply }
      assert.isTrue(yield* transact(store.save(now, rows[0]!.status)))
      assert.deepStrictEqual(yield* read(store.byId(id)), now)
      assert.isFalse(yield* transact(store.save({ ...now, attempts: 9 }, rows[0]!.status)))
      assert.deepStrictEqual(yield* read(store.byId(id)), now)
      assert.deepStrictEqual(yield* read(store.byId(rows[1]!.id)), rows[1]!)
    })
  )

  it.effect("contacts are found by the last digits of a phone and by the network's id, on one campaign alone", () =>
    Effect.gen(function* () {
      const lists = yield* TemplateListStore
      const [campaign, other] = [Rows.templateCampaign(tenantId()), Rows.templateCampaign(tenantId())]
      const of = (phone: string) => ({ phone, matchKey: PhoneNumber.usable(phone)!.key, userId: `IN.${phone}` })
      const rows = listOf(campaign, [of("+14155550123"), of("5550123"), of("+14155550124")])
      yield* add(...rows, Rows.templateContact(other, 0, of("+14155550123")))
      const near = yield* read(lists.near(campaign.id, PhoneNumber.seekRange(rows[0]!.matchKey!)))
      assert.sameDeepMembers(
        [...near],
        rows.slice(0, 2).map(({ id, matchKey }) => ({ id, matchKey }))
      )
      assert.isTrue(yield* read(lists.isUserOn(campaign.id, "IN.5550123")))
      assert.isFalse(yield* read(lists.isUserOn(other.id, "IN.5550123")))
    })
  )

  it.effect("whom to write to: retries that are due, soonest first, then the others in the order of the list", () =>
    Effect.gen(function* () {
      const store = yield* TemplateContactStore
      const [campaign, other] = [Rows.templateCampaign(tenantId()), Rows.templateCampaign(tenantId())]
      const rows = listOf(campaign, [
        { nextAttemptAt: Rows.at(50) },
        {},
        { nextAttemptAt: Rows.at(20) },
        ...[{ status: "sent" as const }, { status: "failed" as const, nextAttemptAt: Rows.at(1) }, {}],
        { nextAttemptAt: Rows.at(20) }
      ])
      yield* add(...rows.toReversed(), Rows.templateContact(other, 0))
      const due = (at: number, limit: number) => Effect.map(read(store.due(campaign.id, Rows.at(at), limit)), seqsOf)
      assert.deepStrictEqual(yield* due(30, 10), [2, 6, 1, 5])
      assert.deepStrictEqual(yield* due(50, 10), [2, 6, 0, 1, 5])
      assert.deepStrictEqual(yield* due(50, 4), [2, 6, 0, 1])
      assert.deepStrictEqual(yield* due(19, 1), [1])
      assert.strictEqual(yield* read(store.nextRetryAt(campaign.id)), Rows.at(20))
      assert.isNull(yield* read(store.nextRetryAt(other.id)))
    })
  )

  it.effect("contacts that should have been settled are found over all campaigns, oldest first", () =>
    Effect.gen(function* () {
      const store = yield* TemplateContactStore
      const campaigns = [Rows.templateCampaign(tenantId()), Rows.templateCampaign(tenantId())]
      const rows = campaigns.flatMap((campaign, nth) =>
        listOf(campaign, [
          { status: "sending", settleBy: Rows.at(-500 - nth) },
          { status: "sending", settleBy: Rows.at(-100) },
          { status: "unknown", settleBy: Rows.at(-700 + nth) },
          { status: "unknown", settleBy: Rows.at(-100) },
          { status: "sent" }
        ])
      )
      yield* add(...rows)
      const overdue = [rows[2]!, rows[7]!, rows[5]!, rows[0]!]
      assert.deepStrictEqual(yield* read(store.overdue(Rows.at(-500), 10)), overdue)
      assert.deepStrictEqual(yield* read(store.overdue(Rows.at(-500), 1)), [rows[2]!])
      assert.strictEqual(yield* read(store.nextOverdue), Rows.at(-700))
      for (const row of rows) yield* transact(store.save({ ...row, status: "failed", settleBy: null }, row.status))
      assert.isNull(yield* read(store.nextOverdue))
    })
  )

  it.effect("a request begins once, and only a contact whose request has not begun waits again", () =>
    Effect.gen(function* () {
      const store = yield* TemplateContactStore
      const campaign = Rows.templateCampaign(tenantId())
      const sending = { status: "sending", settleBy: Rows.at(1), nextAttemptAt: null } as const
      const rows = listOf(campaign, [sending, sending, { ...sending, hasBegun: true }, { status: "queued" }])
      yield* add(...rows)
      const ids = rows.map(({ id }) => id)
      const [first, second, third, fourth] = rows as [
        TemplateContact,
        TemplateContact,
        TemplateContact,
        TemplateContact
      ]
      assert.deepStrictEqual(yield* transact(store.begin([first.id, third.id, fourth.id], Rows.at(5))), [first.id])
      assert.deepStrictEqual(yield* read(store.byId(first.id)), { ...first, hasBegun: true, settleBy: Rows.at(5) })
      assert.isTrue(yield* transact(store.requeue(second)))
      assert.deepStrictEqual(yield* read(store.byId(second.id)), { ...second, status: "queued", settleBy: null })
      for (const row of rows) assert.isFalse(yield* transact(store.requeue(row)))
      assert.deepStrictEqual(yield* transact(store.begin(ids, Rows.at(9))), [])
      assert.deepStrictEqual(yield* transact(store.begin([], Rows.at(9))), [])
    })
  )

  it.effect("a reply and a price that are written at once are both kept", () =>
    Effect.gen(function* () {
      const store = yield* TemplateContactStore
      const row = Rows.templateContact(Rows.templateCampaign(tenantId()), 0, { status: "sent" })
      yield* add(row)
      const pricing = { category: "marketing", type: null, billable: true }
      const reply = { messageId: Rows.id<"Message">(), text: "Yes", button: null }
      assert.isTrue(yield* transact(store.save({ ...row, pricing }, "sent")))
      assert.isTrue(yield* transact(store.save({ ...row, repliedAt: Rows.at(3), reply }, "sent")))
      assert.deepStrictEqual(yield* read(store.byId(row.id)), { ...row, pricing, repliedAt: Rows.at(3), reply })
    })
  )

  it.effect("the last outcomes of a campaign are those since an instant, newest first", () =>
    Effect.gen(function* () {
      const store = yield* TemplateContactStore
      const [campaign, other] = [Rows.templateCampaign(tenantId()), Rows.templateCampaign(tenantId())]
      const failed = { status: "failed", reason: "platform", outcomeAt: Rows.at(20) } as const
      yield* add(
        ...listOf(campaign, [
          { status: "sent", outcomeAt: Rows.at(10), sentAt: Rows.at(10) },
          { status: "read", outcomeAt: Rows.at(30), sentAt: Rows.at(30) },
          failed,
          { status: "skipped", reason: "opted_out" }
        ]),
        ...listOf(other, [{ status: "sent", outcomeAt: Rows.at(90), sentAt: Rows.at(90) }])
      )
      const [read30, failed20, sent10] = [
        { status: "read", reason: null },
        { status: "failed", reason: "platform" },
        { status: "sent", reason: null }
      ] as const
      const last = (since: number, limit: number) => read(store.lastOutcomes(campaign.id, Rows.at(since), limit))
      assert.deepStrictEqual(yield* last(0, 10), [read30, failed20, sent10])
      assert.deepStrictEqual(yield* last(0, 2), [read30, failed20])
      assert.deepStrictEqual(yield* last(20, 10), [read30, failed20])
      const sent = (since: number) => read(store.sentSince(campaign.id, Rows.at(since)))
      assert.deepStrictEqual([yield* sent(10), yield* sent(11), yield* sent(31)], [2, 1, 0])
    })
  )

  it.effect("failed contacts with one of some reasons wait again, as if nobody had written to them", () =>
    Effect.gen(function* () {
      const store = yield* TemplateContactStore
      const lists = yield* TemplateListStore
      const [campaign, other] = [Rows.templateCampaign(tenantId()), Rows.templateCampaign(tenantId())]
      const [platform, country] = [{ ...full, reason: "platform" } as const, { ...full, reason: "country" } as const]
      const rows = listOf(campaign, [platform, country, { status: "skipped", reason: "blocked" }, platform])
      const foreign = Rows.templateContact(other, 0, platform)
      yield* add(...rows, foreign)
      const own = { tenantId: campaign.tenantId, campaignId: campaign.id }
      assert.strictEqual(yield* transact(lists.retry({ ...own, tenantId: tenantId() }, ["platform"])), 0)
      assert.strictEqual(yield* transact(lists.retry(own, ["platform", "blocked", "rejected"])), 2)
      const { pricing, repliedAt, reply } = rows[0]!
      const { id, matchKey, name, seq, userId, variables } = rows[0]!
      assert.deepStrictEqual(yield* read(store.byId(id)), {
        ...Rows.templateContact(campaign, seq),
        ...{ id, matchKey, name, userId, variables, pricing, repliedAt, reply }
      })
      for (const row of [rows[1]!, rows[2]!, foreign]) assert.deepStrictEqual(yield* read(store.byId(row.id)), row)
    })
  )

  it.effect("contacts are listed in the order of the list, by every set of filters, and counted alike", () =>
    Effect.gen(function* () {
      const lists = yield* TemplateListStore
      const [campaign, other] = [Rows.templateCampaign(tenantId()), Rows.templateCampaign(tenantId())]
      const of = (phone: string) => ({ phone, matchKey: PhoneNumber.usable(phone)!.key })
      const each: ReadonlyArray<Partial<TemplateContact>> = [
        { ...of("+14155550123"), status: "failed", reason: "platform" },
        { ...of("+14155550124"), status: "failed", reason: "country", repliedAt: Rows.at(1) },
        { ...of("+494155550123"), status: "skipped", reason: "platform" },
        { ...of("+14155550125"), status: "read", repliedAt: Rows.at(2) },
        { ...of("+914155550123"), status: "failed", reason: "platform", repliedAt: Rows.at(3) },
        { ...of("+14155550126") },
        { phone: null, matchKey: null, userId: "IN.1", status: "failed", reason: "platform" }
      ]
      const rows = listOf(campaign, each)
      yield* add(...rows.toReversed(), ...listOf(other, each))
      const phone = PhoneNumber.seekRange(rows[0]!.matchKey!)
      for (const status of [null, "failed", "queued"] as const)
        for (const reason of [null, "platform", "country"] as const)
          for (const replied of [null, true, false])
            for (const range of [null, phone]) {
              const filter = { status, reason, replied, phone: range }
              const expected = rows.filter(
                (row) =>
                  (status === null || row.status === status) &&
                  (reason === null || row.reason === reason) &&
                  (replied === null || (row.repliedAt !== null) === replied) &&
                  (range === null || (row.matchKey !== null && row.matchKey >= range.from && row.matchKey < range.to))
              )
              const name = JSON.stringify(filter)
              assert.deepStrictEqual(yield* read(lists.list(campaign.id, filter, page)), expected, name)
              assert.strictEqual(yield* read(lists.count(campaign.id, filter)), expected.length, name)
              assert.deepStrictEqual(
                yield* read(lists.after(campaign.id, filter, 0, 2)),
                expected.filter(({ seq }) => seq > 0).slice(0, 2),
                name
              )
            }
      assert.deepStrictEqual(yield* read(lists.list(campaign.id, everybody, { limit: 2, offset: 3 })), rows.slice(3, 5))
    })
  )

  it.effect("reasons are counted by the network's code, the most frequent first, at most 20", () =>
    Effect.gen(function* () {
      const lists = yield* TemplateListStore
      const [campaign, other] = [Rows.templateCampaign(tenantId()), Rows.templateCampaign(tenantId())]
      const failed = (code: number | null) =>
        ({ status: "failed", reason: "platform", error: { code, message: "m" } }) as const
      const skipped = { status: "skipped", reason: "opted_out" } as const
      yield* add(
        ...listOf(campaign, [failed(2), failed(2), failed(2), failed(131016), skipped, skipped, failed(null), {}]),
        ...listOf(
          other,
          Array.from({ length: 30 }, (_, nth) => failed(nth))
        )
      )
      const found = yield* read(lists.failures(campaign.id))
      assert.deepStrictEqual(found.slice(0, 2), [
        { reason: "platform", code: 2, count: 3 },
        { reason: "opted_out", code: null, count: 2 }
      ])
      assert.sameDeepMembers(found.slice(2), [
        { reason: "platform", code: 131016, count: 1 },
        { reason: "platform", code: null, count: 1 }
      ])
      assert.strictEqual((yield* read(lists.failures(other.id))).length, 20)
    })
  )

  it.effect("a contact alone is removed, by its own account and campaign", () =>
    Effect.gen(function* () {
      const lists = yield* TemplateListStore
      const campaign = Rows.templateCampaign(tenantId())
      const rows = listOf(campaign, [{}, {}])
      yield* add(...rows)
      yield* transact(lists.remove({ ...rows[0]!, tenantId: tenantId() }))
      yield* transact(lists.remove({ ...rows[0]!, campaignId: Rows.id() }))
      assert.strictEqual(yield* read(lists.count(campaign.id, everybody)), 2)
      yield* transact(lists.remove(rows[0]!))
      assert.deepStrictEqual(yield* read(lists.list(campaign.id, everybody, page)), [rows[1]!])
    })
  )

  it.effect("the contact that was written to last is that of a customer's newest message of a campaign", () =>
    Effect.gen(function* () {
      const [store, customers] = [yield* TemplateContactStore, yield* CustomerStore]
      const { customer: into, number } = yield* someone()
      const from = Rows.customer(number, { phone: null, userRef: "IN.9" })
      yield* addCustomers([from])
      const campaign = Rows.templateCampaign(number.tenantId)
      const rows = listOf(campaign, [{}, {}, {}])
      yield* add(...rows)
      const sent = (customer: typeof from, contact: TemplateContact, over: Partial<Message> = {}) =>
        Rows.message(customer, {
          ...{ direction: "outbound", role: "agent", type: "template", status: "sent" },
          ...{ campaignId: campaign.id, contactId: contact.id, ...over }
        })
      const last = (id: typeof into.id) => read(store.lastWrittenTo(id))
      assert.isNull(yield* last(into.id))
      yield* addMessages([
        sent(into, rows[0]!),
        sent(from, rows[1]!),
        sent(into, rows[2]!, { direction: "inbound", role: "user", status: "received" }),
        Rows.message(into)
      ])
      assert.deepStrictEqual([yield* last(into.id), yield* last(from.id)], [rows[0]!, rows[1]!])
      yield* transact(customers.absorb({ from: from.id, into: into.id }))
      assert.deepStrictEqual(yield* last(into.id), rows[1]!)
      yield* transact(TemplateListStore.use((lists) => lists.remove(rows[1]!)))
      assert.isNull(yield* last(into.id))
    })
  )

  it.effect("a campaign's message that is being sent is left to its contact, however long ago it began", () =>
    Effect.gen(function* () {
      const messages = yield* MessageStore
      const { customer } = yield* someone()
      const sending = { direction: "outbound", role: "agent", status: "sending", msgid: null } as const
      const own = Rows.message(customer, { ...sending, campaignId: Rows.id(), contactId: Rows.id() })
      const other = Rows.message(customer, sending)
      yield* addMessages([own, other])
      const expired = yield* transact(messages.expireStaleSends(Rows.at(1000), 10))
      assert.deepStrictEqual(idsOf(expired), [other.id])
      assert.deepStrictEqual(yield* read(messages.byId(own.id)), own)
    })
  )
})
