/** What a campaign is doing at this moment, and if nothing, why. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, spenderOf, spendingRefusal } from "../access/index.ts"
import { Credits } from "../billing/index.ts"
import { type Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { type Call, CampaignLegs, Gate, TelephonySettings } from "../telephony/index.ts"
import type { Campaign } from "./Campaign.ts"
import { CampaignNotFound } from "./CampaignErrors.ts"
import { type CampaignContact, CampaignContactStore, type CampaignState, CampaignStore } from "./CampaignStore.ts"
import { type Hold, holdUp } from "./DialPlan.ts"

/** Contacts that wait for approval, in the answer. */
const awaitingShown = 50

const abandonWindowMs = 30 * Instant.day

export interface ActiveCall {
  readonly call: Call
  readonly phone: string
  readonly name: string | null
}

export interface Live {
  readonly campaign: Campaign
  readonly activeCalls: ReadonlyArray<ActiveCall>
  readonly awaitingApproval: ReadonlyArray<CampaignContact>
  readonly awaitingApprovalTotal: number
  readonly waitingFor: Hold | null
  /** Answered calls of the last 30 days that nobody could talk to, as a part of all answered ones: 0 to 1. */
  readonly abandonRate: number
}

export class LiveView extends Context.Service<
  LiveView,
  {
    readonly of: (tenantId: Ids.AccountId, id: Ids.CampaignId) => Effect.Effect<Live, CampaignNotFound | StorageError>
  }
>()("@trunkline/core/campaigns/LiveView") {
  static readonly layer = Layer.effect(
    LiveView,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const legs = yield* CampaignLegs
      const campaigns = yield* CampaignStore
      const contacts = yield* CampaignContactStore
      const credits = yield* Credits
      const gate = yield* Gate
      const storage = yield* Storage
      const { creditsPerMinute } = yield* TelephonySettings

      const dueNow = Effect.fnUntraced(function* (campaign: CampaignState, at: Instant.Instant) {
        if (campaign.dialMode === "preview") return (yield* contacts.dueApproved(campaign.id, at, 1)).length
        return (yield* contacts.dueRetries(campaign.id, at, 1)).length + (yield* contacts.fresh(campaign.id, 1)).length
      })

      const see = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.CampaignId) {
        const campaign = yield* campaigns.find(tenantId, id)
        if (campaign === null) return yield* new CampaignNotFound({ id })
        const at = yield* Instant.now
        const preview = campaign.dialMode === "preview"
        const open = yield* legs.open(id)
        const people = new Map(
          (yield* contacts.many(open.flatMap(({ contactId }) => contactId ?? []))).map((one) => [one.id, one])
        )
        const awaitingApproval = preview ? yield* contacts.awaiting(id, awaitingShown) : []
        const awaitingApprovalTotal = preview ? yield* countAwaiting(campaign, open) : 0
        const account = yield* accounts.find(tenantId)
        const room = account === null ? null : yield* credits.room(spenderOf(account), at)
        const covers = (left: bigint | null) => left === null || left >= creditsPerMinute
        const { abandoned, answered } = yield* legs.answerCounts(id, Instant.plus(at, -abandonWindowMs))
        const waitingFor = holdUp(
          {
            campaign,
            accountOpen: account?.voiceCampaigns === true && spendingRefusal(account, at) === null,
            affordable: room !== null && covers(room.credits) && covers(room.budget),
            carrierBusyUntil: latest(yield* gate.busyUntil(at), campaign.refusals > 0 ? campaign.nextDialAt : null),
            openCalls: open.length,
            due: yield* dueNow(campaign, at),
            awaiting: awaitingApprovalTotal,
            nextRetryAt: yield* contacts.nextRetryAt(id, preview)
          },
          at
        )
        return {
          campaign,
          activeCalls: open.map((call) => {
            const contact = call.contactId === null ? undefined : people.get(call.contactId)
            return { call, phone: contact?.phone ?? call.to, name: contact?.name ?? null }
          }),
          awaitingApproval,
          awaitingApprovalTotal,
          waitingFor,
          abandonRate: answered === 0 ? 0 : abandoned / answered
        }
      })

      /** From the totals, so that it costs the same for ten contacts and for a million. */
      const countAwaiting = Effect.fnUntraced(function* (campaign: CampaignState, open: ReadonlyArray<Call>) {
        const calling = open.filter(({ contactId }) => contactId !== null).length
        const approved = yield* contacts.countApproved(campaign.id)
        return campaign.totalContacts - campaign.completedContacts - campaign.failedContacts - calling - approved
      })

      return LiveView.of({ of: (tenantId, id) => storage.read(see(tenantId, id)) })
    })
  )
}

const latest = (a: Instant.Instant | null, b: Instant.Instant | null): Instant.Instant | null =>
  a === null || b === null ? (a ?? b) : Instant.later(a, b)
