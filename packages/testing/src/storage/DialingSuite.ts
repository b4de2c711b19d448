/** Whom the dialer gets to see, in which order; and how a campaign's list goes away. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import { CampaignContactStore, CampaignStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import { listedContacts } from "../ListedContacts.ts"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const seqs = (contacts: ReadonlyArray<{ readonly seq: number }>) => contacts.map(({ seq }) => seq)

/** Contacts of a campaign that wait for everything that a contact can wait for, and one of another campaign. */
const waitingContacts = (campaign: ReturnType<typeof Rows.campaign>) => {
  const contact = (seq: number, over: Parameters<typeof Rows.contact>[2] = {}) => Rows.contact(campaign, seq, over)
  return [
    contact(1),
    contact(0),
    contact(2, { status: "approved", approvedAt: Rows.at(20) }),
    contact(3, { nextAttemptAt: Rows.at(50), attempts: 1 }),
    contact(4, { nextAttemptAt: Rows.at(40), attempts: 1 }),
    contact(5, { nextAttemptAt: Rows.at(40), attempts: 2 }),
    contact(6, { status: "approved", approvedAt: Rows.at(10), nextAttemptAt: Rows.at(60), attempts: 1 }),
    contact(7, { status: "pending", approvedAt: Rows.at(15), nextAttemptAt: Rows.at(30), attempts: 1 }),
    contact(8, { status: "calling", approvedAt: Rows.at(1), attempts: 1 }),
    contact(9, { status: "done", approvedAt: Rows.at(1), attempts: 1 }),
    contact(10, { status: "failed", nextAttemptAt: Rows.at(1), attempts: 1 }),
    Rows.contact(Rows.campaign(Rows.id()), 11)
  ]
}

export const dialing = suite("dialing", ({ it }) => {
  it.effect("contacts are found by what they wait for, each kind in its order, and by nothing once they are done", () =>
    Effect.gen(function* () {
      const store = yield* CampaignContactStore
      const campaign = Rows.campaign(Rows.id())
      yield* transact(store.add(waitingContacts(campaign)))
      const of = campaign.id
      assert.deepStrictEqual(seqs(yield* read(store.due(of, Rows.at(29), 10))), [0, 1, 2])
      assert.deepStrictEqual(seqs(yield* read(store.due(of, Rows.at(29), 2))), [0, 1])
      assert.deepStrictEqual(seqs(yield* read(store.due(of, Rows.at(50), 10))), [7, 4, 5, 3, 0, 1, 2])
      assert.deepStrictEqual(seqs(yield* read(store.due(of, Rows.at(50), 5))), [7, 4, 5, 3, 0])
      assert.deepStrictEqual(seqs(yield* read(store.due(of, Rows.at(50), 2))), [7, 4])
      assert.deepStrictEqual(seqs(yield* read(store.dueApproved(of, Rows.at(29), 10))), [2])
      assert.deepStrictEqual(seqs(yield* read(store.dueApproved(of, Rows.at(60), 10))), [6, 7, 2])
      assert.deepStrictEqual(seqs(yield* read(store.pendingApproval(of, 10))), [0, 1, 4, 5, 3])
      assert.deepStrictEqual(seqs(yield* read(store.pendingApproval(of, 3))), [0, 1, 4])
      assert.deepStrictEqual(seqs(yield* read(store.pendingApproval(of, 2))), [0, 1])
      assert.strictEqual(yield* read(store.nextRetryAt(of, false)), Rows.at(30))
      assert.strictEqual(yield* read(store.nextRetryAt(of, true)), Rows.at(30))
      assert.strictEqual(yield* read(store.countApproved(of)), 3)

      const seventh = (yield* read(listedContacts(of, { limit: 1, offset: 7 })))[0]!
      yield* transact(store.save({ ...seventh, status: "done" }))
      assert.strictEqual(yield* read(store.nextRetryAt(of, false)), Rows.at(40))
      assert.strictEqual(yield* read(store.nextRetryAt(of, true)), Rows.at(60))
      assert.strictEqual(yield* read(store.countApproved(of)), 2)
      assert.isNull(yield* read(store.nextRetryAt(Rows.id(), false)))
      assert.deepStrictEqual(yield* read(store.pendingApproval(Rows.id(), 5)), [])
    })
  )

  it.effect("campaigns are due soonest first, and only when they have an instant", () =>
    Effect.gen(function* () {
      const store = yield* CampaignStore
      assert.isNull(yield* read(store.nextDue))
      const instants = [Rows.at(30), null, Rows.at(10), Rows.at(20), Rows.at(20)]
      const campaigns = instants.map((nextDialAt) => Rows.campaign(Rows.id(), { nextDialAt }))
      yield* transact(Effect.forEach(campaigns, store.add))
      const due = campaigns.slice(2).map(({ botId, id, tenantId }) => ({ botId, id, tenantId }))
      const look = { at: Rows.at(20), limit: 10, except: [] }
      assert.deepStrictEqual(yield* read(store.due(look)), due)
      assert.deepStrictEqual(yield* read(store.due({ ...look, limit: 2 })), due.slice(0, 2))
      assert.deepStrictEqual(yield* read(store.due({ ...look, at: Rows.at(9) })), [])
      assert.deepStrictEqual(yield* read(store.due({ ...look, except: [due[0]!.tenantId] })), due.slice(1))
      assert.deepStrictEqual(yield* read(store.due({ ...look, except: [Rows.id()] })), due)
      assert.strictEqual(yield* read(store.nextDue), Rows.at(10))
    })
  )

  // Verifies: C-112, C-113.
  it.effect("a short list goes with its campaign", () =>
    Effect.gen(function* () {
      const [campaigns, contacts] = [yield* CampaignStore, yield* CampaignContactStore]
      const [campaign, other] = [Rows.campaign(Rows.id(), { totalContacts: 20 }), Rows.campaign(Rows.id())]
      const kept = Rows.contact(other, 0)
      yield* transact(
        Effect.all([
          campaigns.add(campaign),
          campaigns.add(other),
          contacts.add(Array.from({ length: 20 }, (_, seq) => Rows.contact(campaign, seq))),
          contacts.add([kept])
        ])
      )
      assert.isTrue(yield* transact(campaigns.remove(campaign.tenantId, campaign.id)))
      assert.deepStrictEqual(yield* read(listedContacts(campaign.id, { limit: 100, offset: 0 })), [])
      assert.deepStrictEqual(yield* read(contacts.find(other.id, kept.id)), kept)
      assert.strictEqual(yield* transact(campaigns.sweep(100)), 0)
    })
  )

  it.effect("a long list is swept in parts after its campaign is gone, also by several at once", () =>
    Effect.gen(function* () {
      const [campaigns, contacts] = [yield* CampaignStore, yield* CampaignContactStore]
      const campaign = Rows.campaign(Rows.id(), { totalContacts: 2600 })
      const other = Rows.campaign(Rows.id(), { totalContacts: 1 })
      const kept = Rows.contact(other, 0)
      yield* transact(
        Effect.all([
          campaigns.add(campaign),
          campaigns.add(other),
          contacts.add(Array.from({ length: 2600 }, (_, seq) => Rows.contact(campaign, seq))),
          contacts.add([kept])
        ])
      )
      assert.isTrue(yield* transact(campaigns.remove(campaign.tenantId, campaign.id)))
      assert.isNull(yield* read(campaigns.findInAnyAccount(campaign.id)))
      const parts = yield* Effect.forEach([1, 2, 3], () => transact(campaigns.sweep(1000)), { concurrency: 3 })
      for (const part of parts) assert.isAtMost(part, 1000)
      let swept = parts.reduce((sum, part) => sum + part, 0)
      for (let part = 1; part > 0; swept += part) part = yield* transact(campaigns.sweep(1000))
      assert.strictEqual(swept, 2600)
      assert.deepStrictEqual(yield* read(listedContacts(campaign.id, { limit: 1, offset: 0 })), [])
      assert.deepStrictEqual(yield* read(contacts.find(other.id, kept.id)), kept)
    })
  )
})
