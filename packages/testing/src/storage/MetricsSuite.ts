/** What an operator's monitoring counts in the database. */
import { assert } from "@effect/vitest"
import { read, transact } from "@trunkline/core/effect"
import {
  BatchQueueStore,
  CallStore,
  CampaignStore,
  CreditStore,
  CustomerStore,
  DeliveryStore,
  type LedgerChanges,
  LedgerStore,
  MetricsStore,
  type ProcessHold,
  ReplyQueueStore,
  type Service,
  SubscriptionStore,
  TemplateCampaignStore
} from "@trunkline/core/storage"
import type { UnderWay } from "@trunkline/core/testing"
import * as Effect from "effect/Effect"
import * as Rows from "./Rows.ts"
import { suite } from "./Subject.ts"

const sorted = (found: UnderWay): UnderWay => ({
  ...found,
  calls: found.calls.toSorted((a, b) => (a.status < b.status ? -1 : 1)),
  inference: found.inference.toSorted((a, b) => (a.service < b.service ? -1 : 1))
})

const noneDue = { campaigns: null, calls: null, deliveries: null, replies: null, batches: null, analyses: null }

const noChanges: Omit<LedgerChanges, "processId"> = {
  ...{ balances: [], counts: [], spending: [], windows: [], requests: [] },
  ...{ slots: [], holds: [], lease: null, usage: [], entries: [], runs: [], freed: [] }
}

export const metrics = suite("metrics", ({ it }) => {
  // Verifies: D-266.
  it.effect("count what is under way and what waits, of all accounts, and nothing that has ended", () =>
    Effect.gen(function* () {
      const look = Effect.map(read(MetricsStore.use((store) => store.underWay)), sorted)
      const nothing = {
        ...{ calls: [], deliveries: 0, replies: 0, templateCampaigns: 0, inference: [] },
        ...{ reservedByCalls: 0n, due: noneDue }
      }
      assert.deepStrictEqual(yield* look, nothing)
      const [one, other] = [Rows.id<"Account">(), Rows.id<"Account">()]
      const hold = (service: Service, running: number, reserved: bigint): ProcessHold => ({
        ...{ tenantId: one, ownerId: one, service, month: "2026-11", period: "none" },
        ...{ running, calls: running, amount: reserved, reserved }
      })
      yield* transact(
        Effect.gen(function* () {
          const [calls, customers, credits] = [yield* CallStore, yield* CustomerStore, yield* CreditStore]
          const [queue, ledger] = [yield* ReplyQueueStore, yield* LedgerStore]
          const [webhooks, deliveries] = [yield* SubscriptionStore, yield* DeliveryStore]
          for (const tenantId of [one, other]) yield* calls.add(Rows.call(tenantId, { status: "ringing" }))
          yield* calls.add(Rows.call(one, { status: "in_progress" }))
          yield* calls.add(Rows.call(one, { status: "completed", endedAt: Rows.at(5), checkAt: null }))
          const webhook = Rows.webhook(one)
          yield* webhooks.add(webhook)
          yield* deliveries.add([
            Rows.delivery(webhook, { nextAt: Rows.at(1) }),
            Rows.delivery(webhook, { nextAt: Rows.at(2) }),
            Rows.delivery(webhook, { status: "delivered", nextAt: null }),
            Rows.delivery(webhook, { status: "failed", nextAt: null })
          ])
          const number = Rows.number(one)
          for (const dueAt of [Rows.at(1), null]) {
            const customer = Rows.customer(number)
            yield* customers.add(customer)
            yield* queue.save(Rows.replyJob({ customerId: customer.id, dueAt }))
          }
          const templateCampaigns = yield* TemplateCampaignStore
          for (const tenantId of [one, other]) {
            for (const status of ["running", "paused", "completed"] as const) {
              yield* templateCampaigns.add(Rows.templateCampaign(tenantId, { status }))
            }
          }
          yield* ledger.save({
            ...noChanges,
            processId: Rows.id(),
            holds: [hold("stt", 2, 11n), hold("llm", 1, 7n), hold("embedding", 0, 0n)]
          })
          for (const amount of [3n, 4n]) {
            yield* credits.addToReservation({
              id: Rows.id(),
              tenantId: other,
              amount,
              budgeted: 9n,
              createdAt: Rows.at(0)
            })
          }
        })
      )
      assert.deepStrictEqual(yield* look, {
        calls: [
          { status: "in_progress", n: 1 },
          { status: "ringing", n: 2 }
        ],
        deliveries: 2,
        replies: 1,
        templateCampaigns: 2,
        inference: [
          { service: "llm", n: 1, reserved: 7n },
          { service: "stt", n: 2, reserved: 11n }
        ],
        reservedByCalls: 7n,
        due: { ...noneDue, calls: Rows.call(one).checkAt, deliveries: Rows.at(1), replies: Rows.at(1) }
      })
    })
  )

  // Verifies: D-266.
  it.effect("show when the first row of a queue was due, or will be, whichever process may claim it", () =>
    Effect.gen(function* () {
      const tenantId = Rows.id<"Account">()
      yield* transact(
        Effect.gen(function* () {
          const [campaigns, batches] = [yield* CampaignStore, yield* BatchQueueStore]
          for (const nextDialAt of [Rows.at(9), Rows.at(8), null]) {
            yield* campaigns.add(Rows.campaign(tenantId, { nextDialAt }))
          }
          yield* batches.add(tenantId, Rows.at(7))
        })
      )
      const { due } = yield* read(MetricsStore.use((store) => store.underWay))
      assert.deepStrictEqual([due.campaigns, due.batches, due.analyses], [Rows.at(8), Rows.at(7), null])
    })
  )
})
