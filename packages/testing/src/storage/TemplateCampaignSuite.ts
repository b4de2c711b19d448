/** Template campaigns and the changes of their contacts, on a database. Verifies: TCMP-2. */
import { assert } from "@effect/vitest"
import { type Ids, read, transact } from "@trunkline/core/effect"
import {
  type ContactChange,
  ContactChangeStore,
  type TemplateCampaign,
  TemplateCampaignStore,
  TemplateContactStore
} from "@trunkline/core/storage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { idsOf, page, tenantId } from "./ChatRows.ts"
import * as Rows from "./Rows.ts"
import { gate, suite } from "./Subject.ts"

const add = (...campaigns: ReadonlyArray<TemplateCampaign>) =>
  transact(TemplateCampaignStore.use((store) => Effect.forEach(campaigns, store.add, { discard: true })))

const addChanges = (...changes: ReadonlyArray<ContactChange>) =>
  transact(ContactChangeStore.use((store) => Effect.forEach(changes, store.add, { discard: true })))

const changesOf = (...ids: ReadonlyArray<Ids.TemplateCampaignId>) =>
  read(ContactChangeStore.use((store) => store.ofCampaigns(ids)))

/** Changes of contacts of one campaign, oldest first. */
const manyChanges = (campaign: TemplateCampaign, n: number) =>
  Array.from({ length: n }, () => Rows.contactChange(Rows.templateContact(campaign, 0)))

const all = { status: null, phoneNumberId: null }

export const templateCampaigns = suite("template campaigns", ({ it, sideBySide }) => {
  it.effect("a campaign is read as it was written, by its own account alone, and written anew, nulls too", () =>
    Effect.gen(function* () {
      const store = yield* TemplateCampaignStore
      const full = Rows.templateCampaign(tenantId(), {
        ...{ name: "Été 👍", status: "paused", pauseReason: "quality", scheduledAt: Rows.at(1) },
        ...{ parameters: { "body.1": { value: "é" }, "header.media": { field: "custom.file", fallback: null } } },
        ...{ maxPerSecond: 1000, maxPerDay: 1_000_000, pauseOnQuality: "never", nextTurnAt: Rows.at(9_000_000) },
        ...{ pricing: { marketing: { billable: 3, free: 1 } }, startedAt: Rows.at(2), completedAt: Rows.at(3) },
        ...{ nextSeq: 7, nextSlot: 1_780_000_000_123_456, dayStart: Rows.at(4), dayMessages: 5 },
        ...{ failuresSince: Rows.at(5), invalidInRow: 6 }
      })
      const bare = Rows.templateCampaign(full.tenantId)
      yield* add(full, bare)
      for (const campaign of [full, bare]) {
        assert.deepStrictEqual(yield* read(store.find(campaign.tenantId, campaign.id)), campaign)
        assert.deepStrictEqual(yield* read(store.findInAnyAccount(campaign.id)), campaign)
        assert.isNull(yield* read(store.find(tenantId(), campaign.id)))
      }
      const now = { ...bare, id: full.id, phoneId: full.phoneId, name: "Now", counts: { ...bare.counts, sent: 4 } }
      yield* transact(store.save(now))
      assert.deepStrictEqual(yield* read(store.find(full.tenantId, full.id)), now)
      assert.deepStrictEqual(yield* read(store.find(bare.tenantId, bare.id)), bare)
    })
  )

  it.effect("campaigns are listed newest first, by status and number, page by page", () =>
    Effect.gen(function* () {
      const store = yield* TemplateCampaignStore
      const own = tenantId()
      const campaigns = (["draft", "running", "running", "paused", "completed"] as const).map((status, nth) =>
        Rows.templateCampaign(own, { status, phoneNumberId: nth % 2 === 0 ? "1" : "2" })
      )
      yield* add(...campaigns, Rows.templateCampaign(tenantId()))
      const newest = idsOf(campaigns.toReversed())
      const listed = (filter: Parameters<typeof store.list>[1], limits = page) =>
        Effect.map(read(store.list(own, filter, limits)), idsOf)
      assert.deepStrictEqual(yield* listed(all), newest)
      assert.deepStrictEqual(yield* listed(all, { limit: 2, offset: 1 }), newest.slice(1, 3))
      assert.deepStrictEqual(yield* listed({ ...all, status: "running" }), [newest[2]!, newest[3]!])
      assert.deepStrictEqual(yield* listed({ ...all, phoneNumberId: "2" }), [newest[1]!, newest[3]!])
      assert.deepStrictEqual(yield* listed({ status: "running", phoneNumberId: "1" }), [newest[2]!])
      assert.strictEqual(yield* read(store.count(own, all)), 5)
      assert.strictEqual(yield* read(store.count(own, { status: "running", phoneNumberId: "2" })), 1)
      assert.strictEqual(yield* read(store.count(tenantId(), all)), 0)
    })
  )

  it.effect("campaigns whose turn it is are found, soonest first", () =>
    Effect.gen(function* () {
      const store = yield* TemplateCampaignStore
      const own = tenantId()
      const turns = [-3000, -1000, -2000, 5000, null]
      const campaigns = turns.map((turn) =>
        Rows.templateCampaign(own, { nextTurnAt: turn === null ? null : Rows.at(turn) })
      )
      yield* add(...campaigns)
      const due = yield* read(store.due(Rows.at(-1000), 10))
      assert.deepStrictEqual(
        due,
        [0, 2, 1].map((nth) => {
          const { id, phoneId } = campaigns[nth]!
          return { id, tenantId: own, phoneId }
        })
      )
      assert.strictEqual((yield* read(store.due(Rows.at(-1000), 2))).length, 2)
      assert.deepStrictEqual(yield* read(store.due(Rows.at(-3001), 10)), [])
      assert.strictEqual(yield* read(store.nextDue), Rows.at(-3000))
    })
  )

  it.effect("the campaigns of a number are found by their status and template, in the order of their ids", () =>
    Effect.gen(function* () {
      const store = yield* TemplateCampaignStore
      const own = tenantId()
      const phoneId = Rows.id<"Phone">()
      const [german, english, other, ended] = [
        Rows.templateCampaign(own, { phoneId, status: "paused", templateLanguage: "de" }),
        Rows.templateCampaign(own, { phoneId, status: "running", templateLanguage: "en" }),
        Rows.templateCampaign(own, { phoneId, status: "paused", templateName: "other" }),
        Rows.templateCampaign(own, { phoneId, status: "completed", templateLanguage: "de" })
      ]
      yield* add(english, german, other, ended, Rows.templateCampaign(own, { status: "running" }))
      const statuses = ["running", "paused"] as const
      const using = (language: string | null) =>
        Effect.map(read(store.using(phoneId, { name: "order_sent", language }, statuses)), idsOf)
      assert.deepStrictEqual(yield* using(null), idsOf([german, english]))
      assert.deepStrictEqual(yield* using("de"), idsOf([german]))
    })
  )

  it.effect("changes are taken oldest first, each once, and those of other campaigns stay", () =>
    Effect.gen(function* () {
      const waiting = yield* ContactChangeStore
      const [campaign, other] = [Rows.templateCampaign(tenantId()), Rows.templateCampaign(tenantId())]
      const contact = Rows.templateContact(campaign, 0)
      const changes = [
        Rows.contactChange(contact, { pricing: { category: "marketing", type: null, billable: true }, at: Rows.at(1) }),
        Rows.contactChange(contact, { from: "sent", to: "failed", meaning: "undeliverable", at: Rows.at(2) }),
        Rows.contactChange(contact, { from: "read", to: "read", isReply: true, at: Rows.at(3) })
      ]
      const [foreign] = manyChanges(other, 1)
      yield* addChanges(changes[2]!, changes[0]!, foreign!, changes[1]!)
      assert.deepStrictEqual(yield* changesOf(campaign.id), changes)
      assert.deepStrictEqual(yield* changesOf(campaign.id, other.id), [...changes, foreign!])
      assert.deepStrictEqual(yield* changesOf(), [])
      assert.deepStrictEqual(yield* transact(waiting.take(campaign.id, 2)), changes.slice(0, 2))
      assert.deepStrictEqual(yield* transact(waiting.take(campaign.id, 2)), changes.slice(2))
      assert.deepStrictEqual(yield* transact(waiting.take(campaign.id, 2)), [])
      assert.deepStrictEqual(yield* changesOf(campaign.id, other.id), [foreign!])
    })
  )

  it.effect("of changes that many take at the same time each is taken once", () =>
    Effect.gen(function* () {
      const waiting = yield* ContactChangeStore
      const campaign = Rows.templateCampaign(tenantId())
      const changes = manyChanges(campaign, 40)
      yield* addChanges(...changes)
      const taken = yield* Effect.all(
        Array.from({ length: 6 }, () => transact(waiting.take(campaign.id, 10))),
        { concurrency: "unbounded" }
      )
      const rest = yield* transact(waiting.take(campaign.id, 100))
      assert.deepStrictEqual([...idsOf(taken.flat()), ...idsOf(rest)].sort(), [...idsOf(changes)].sort())
    })
  )

  sideBySide("a transaction that takes changes does not wait for another one that does", () =>
    Effect.gen(function* () {
      const waiting = yield* ContactChangeStore
      const campaign = Rows.templateCampaign(tenantId())
      const changes = manyChanges(campaign, 4)
      yield* addChanges(...changes)
      const [hasTaken, mayEnd] = [yield* gate, yield* gate]
      const first = yield* Effect.forkChild(
        transact(
          Effect.gen(function* () {
            const taken = yield* waiting.take(campaign.id, 2)
            yield* Deferred.succeed(hasTaken, undefined)
            yield* Deferred.await(mayEnd)
            return taken
          })
        )
      )
      yield* Deferred.await(hasTaken)
      const second = yield* transact(waiting.take(campaign.id, 4))
      yield* Deferred.succeed(mayEnd, undefined)
      assert.deepStrictEqual(idsOf(second), idsOf(changes.slice(2)))
      assert.deepStrictEqual(idsOf(yield* Fiber.join(first)), idsOf(changes.slice(0, 2)))
    })
  )

  it.effect("campaigns with changes are found, each once, with when the first was written", () =>
    Effect.gen(function* () {
      const store = yield* ContactChangeStore
      const campaigns = Array.from({ length: 3 }, () => Rows.templateCampaign(tenantId()))
      for (const [nth, campaign] of campaigns.entries())
        yield* addChanges(
          ...manyChanges(campaign, nth).map((change, later) => ({ ...change, at: Rows.at(nth + later) }))
        )
      const own = idsOf(campaigns)
      const waiting = Effect.map(read(store.waiting(1000)), (found) =>
        found.filter(({ campaignId }) => own.includes(campaignId))
      )
      assert.sameDeepMembers(
        [...(yield* waiting)],
        [1, 2].map((nth) => ({ campaignId: own[nth]!, at: Rows.at(nth) }))
      )
      assert.strictEqual((yield* read(store.waiting(1))).length, 1)
      yield* transact(ContactChangeStore.use((changes) => changes.take(own[1]!, 10)))
      assert.deepStrictEqual(yield* waiting, [{ campaignId: own[2]!, at: Rows.at(2) }])
    })
  )

  it.effect("a campaign is removed once, by its own account alone, with its contacts and their changes", () =>
    Effect.gen(function* () {
      const [store, contacts] = [yield* TemplateCampaignStore, yield* TemplateContactStore]
      const own = tenantId()
      const [campaign, other] = [Rows.templateCampaign(own, { nextSeq: 1 }), Rows.templateCampaign(own, { nextSeq: 1 })]
      const [gone, left] = [Rows.templateContact(campaign, 0), Rows.templateContact(other, 0)]
      yield* add(campaign, other)
      yield* transact(contacts.add([gone, left]))
      yield* addChanges(Rows.contactChange(gone), Rows.contactChange(left))
      assert.isFalse(yield* transact(store.remove(tenantId(), campaign.id)))
      assert.isTrue(yield* transact(store.remove(own, campaign.id)))
      assert.isFalse(yield* transact(store.remove(own, campaign.id)))
      assert.isNull(yield* read(store.findInAnyAccount(campaign.id)))
      assert.isNull(yield* read(contacts.byId(gone.id)))
      assert.deepStrictEqual(yield* changesOf(campaign.id), [])
      assert.deepStrictEqual(yield* read(contacts.byId(left.id)), left)
      assert.strictEqual((yield* changesOf(other.id)).length, 1)
    })
  )

  it.effect("a long list is swept in parts once its campaign is gone, and nothing sees it meanwhile", () =>
    Effect.gen(function* () {
      const [store, contacts] = [yield* TemplateCampaignStore, yield* TemplateContactStore]
      const own = tenantId()
      const [campaign, other] = [Rows.templateCampaign(own, { nextSeq: 2001 }), Rows.templateCampaign(own)]
      const list = [
        Rows.templateContact(campaign, 0, { status: "sending", settleBy: Rows.at(-9000) }),
        Rows.templateContact(campaign, 1, { status: "unknown", settleBy: Rows.at(-9000) }),
        ...[2, 3, 4].map((seq) => Rows.templateContact(campaign, seq))
      ]
      const left = Rows.templateContact(other, 0)
      yield* add(campaign, other)
      yield* transact(contacts.add([...list, left]))
      yield* addChanges(Rows.contactChange(list[0]!), Rows.contactChange(list[1]!), Rows.contactChange(left))
      assert.isTrue(yield* transact(store.remove(own, campaign.id)))
      assert.isNull(yield* read(contacts.byId(list[0]!.id)))
      assert.deepStrictEqual(yield* read(contacts.byId(left.id)), left)
      const found = yield* read(contacts.overdue(Rows.at(0), 1000))
      assert.deepStrictEqual(
        found.filter(({ campaignId }) => campaignId === campaign.id),
        []
      )
      assert.strictEqual(yield* transact(store.sweep(3)), 5)
      assert.strictEqual(yield* transact(store.sweep(3)), 2)
      assert.strictEqual(yield* transact(store.sweep(3)), 0)
      assert.deepStrictEqual(yield* changesOf(campaign.id), [])
      assert.deepStrictEqual(yield* read(contacts.byId(left.id)), left)
      assert.strictEqual((yield* changesOf(other.id)).length, 1)
    })
  )
})
