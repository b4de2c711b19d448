/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { after, change, nothing, storeTopics } from "../changes/index.ts"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { type ReadMetrics, type RoomMetrics, room, sample, type Worker } from "../room/index.ts"
import type { StorageError } from "../storage/index.ts"
import { billingEvents } from "./BillingEventEntries.ts"
import { Bonuses } from "./Bonuses.ts"
import { BonusStore } from "./BonusStore.ts"
import { BudgetStore } from "./BudgetStore.ts"
import { ConversationQuota } from "./ConversationQuota.ts"
import { CreditEntryStore } from "./CreditEntryStore.ts"
import { CreditStore } from "./CreditStore.ts"
import { Credits } from "./Credits.ts"
import { KeyLimits } from "./KeyLimits.ts"
import { Ledger } from "./Ledger.ts"
import { LedgerStore } from "./LedgerStore.ts"
import { LimitStore } from "./LimitStore.ts"
import { Metering } from "./Metering.ts"
import * as Money from "./Money.ts"
import { PlanUsage } from "./PlanUsage.ts"
import { QuotaStore } from "./QuotaStore.ts"
import { Spending } from "./Spending.ts"
import { UsageLog } from "./UsageLog.ts"
import { UsageLogStore } from "./UsageLogStore.ts"

const workers = Effect.gen(function* () {
  const bonuses = yield* Bonuses
  const metering = yield* Metering
  return [
    {
      name: "expiry of reservations",
      everyMs: 10 * Instant.second,
      tick: metering.sweep
    },
    // A new month's bonus is booked within a minute of its beginning.
    { name: "monthly bonuses", everyMs: 15 * Instant.second, tick: bonuses.tick }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const metrics = {
  declared: {
    trunkline_credits_reserved: {
      type: "gauge",
      labels: ["kind"],
      of: "installation",
      help: "Credits that open calls and running requests hold of balances"
    },
    trunkline_credits_spent_total: {
      type: "counter",
      labels: ["kind"],
      of: "process",
      help: "Credits that ended calls and requests have cost, whether or not the plan deducts them"
    }
  },
  reader: Effect.map(
    Metering,
    ({ spent }): ReadMetrics =>
      ({ underWay }) => {
        const reserved = underWay?.inference.reduce((sum, one) => sum + one.reserved, 0n)
        return {
          ...(reserved === undefined
            ? {}
            : {
                trunkline_credits_reserved: [sample(Money.toNumber(reserved), { kind: "inference" })]
              }),
          trunkline_credits_spent_total: [sample(Money.toNumber(spent()), { kind: "inference" })]
        }
      }
  )
} satisfies RoomMetrics

const ofAccounts = (rows: ReadonlyArray<{ readonly tenantId: Ids.AccountId }>) =>
  rows.map(({ tenantId }) => change(tenantId, "account"))

const changes = [
  // What it grants is added to the balance.
  storeTopics(BonusStore, { record: nothing }),
  // Spending of an account changes together with its balance, or with what is reserved of that.
  storeTopics(BudgetStore, { reserve: nothing, settle: nothing, markReported: nothing, forgetReports: nothing }),
  storeTopics(CreditStore, {
    open: (tenantId) => change(tenantId, "account"),
    reserve: (tenantId) => change(tenantId, "account"),
    addToReservation: ({ tenantId }) => change(tenantId, "account"),
    removeReservation: after((reserved) => (reserved === null ? null : change(reserved.tenantId, "account"))),
    settle: (tenantId) => change(tenantId, "account"),
    add: (tenantId) => change(tenantId, "account"),
    log: ({ tenantId }) => change(tenantId, "account")
  }),
  storeTopics(LedgerStore, {
    load: after(({ lapsed }) => (lapsed.length === 0 ? null : ofAccounts(lapsed))),
    save: ({ balances, counts, holds, usage }) => [
      ...ofAccounts(balances),
      ...ofAccounts(counts),
      ...ofAccounts(holds),
      // A key shows what it has spent, and when it was last used.
      ...usage.map(({ keyId, tenantId }) =>
        keyId === null ? change(tenantId, "account") : change(tenantId, "account", "keys")
      )
    ],
    renew: nothing,
    removeLeases: nothing
  }),
  storeTopics(LimitStore, { trimRequests: nothing }),
  storeTopics(QuotaStore, {
    begin: ({ tenantId }) => change(tenantId, "account"),
    end: ({ tenantId }) => change(tenantId, "account")
  }),
  storeTopics(UsageLogStore, { add: ({ tenantId }) => change(tenantId, "account") })
]

export const Room = room({
  name: "platform/billing",
  stores: [BonusStore, BudgetStore, CreditEntryStore, CreditStore, LedgerStore, LimitStore, QuotaStore, UsageLogStore],
  changes,
  parts: Layer.provideMerge(
    Layer.mergeAll(
      Bonuses.layer,
      ConversationQuota.layer,
      Metering.layer,
      KeyLimits.layer,
      PlanUsage.layer,
      Spending.layer,
      UsageLog.layer,
      Ledger.renewing
    ),
    Layer.merge(Credits.layer, Layer.provideMerge(Ledger.claims, Ledger.layer))
  ),
  workers,
  events: billingEvents,
  metrics
})
