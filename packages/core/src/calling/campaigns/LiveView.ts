/** What a campaign is doing at this moment, and if nothing, why. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Doer, spenderOf, spendingRefusal } from "../../platform/accounts/index.ts"
import { Credits } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { type Read, Storage, type StorageError } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import {
  AgentPlaces,
  type Call,
  CallAdmission,
  CallStore,
  ExpectedAnswers,
  type OpenCallStatus,
  TelephonySettings
} from "../calls/index.ts"
import type { Campaign, CampaignState } from "./Campaign.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import { CampaignNotFound } from "./CampaignErrors.ts"
import { CampaignContactStore, CampaignStore } from "./CampaignStore.ts"
import { shownHold } from "./ContactViews.ts"
import { type AdmissionForecast, type Hold, holdReason } from "./DialPlan.ts"
import { makeDialSituation } from "./DialSituation.ts"
import { HoldStore } from "./HoldStore.ts"
import type { PreviewHold } from "./PreviewHold.ts"

/** Contacts that wait for approval, in the answer. */
const maxPendingShown = 50

const abandonWindowMs = 30 * Instant.day

/** What a campaign is doing, and if nothing, why. Source: docs/reference/campaigns.md#live. */
export interface LiveRecord {
  /** The campaign that was asked for. */
  readonly campaignId: Ids.CampaignId
  /** The campaign's status. */
  readonly status: Campaign["status"]
  /** How contacts are dialed: each after its approval, one after the other, or several at a time. */
  readonly dialMode: Campaign["dialMode"]
  /** The shortest time between the starts of two calls, in seconds. */
  readonly paceSeconds: number
  /** The largest number of calls at a time in the parallel mode. */
  readonly parallelLines: number
  /** The calls that are under way. */
  readonly activeCalls: ReadonlyArray<{
    readonly callId: Ids.CallId
    readonly contactId: Ids.ContactId | null
    readonly phone: string
    readonly name: string | null
    readonly status: OpenCallStatus
    readonly burstId: Ids.BurstId | null
    readonly isWinner: boolean
    readonly startedAt: Instant.Instant
  }>
  /** The first 50 in dialing order. */
  readonly awaitingApproval: ReadonlyArray<{
    readonly contactId: Ids.ContactId
    readonly phone: string
    readonly name: string | null
    readonly attempts: number
    readonly createdAt: Instant.Instant
    /** Who is looking at it at the preview desk, and until when nobody else is shown it. */
    readonly heldBy: Doer | null
    readonly heldUntil: Instant.Instant | null
  }>
  /** The number of contacts that wait for an approval, those after the first 50 included. */
  readonly awaitingApprovalTotal: number
  /** Why nothing is dialed at the moment; null while something is, or where nothing is left to dial. */
  readonly waitingFor: Hold | null
  /** Abandoned calls as a part of all answered ones in the last 30 days: 0 to 1. */
  readonly abandonRate: number
}

export class LiveView extends Context.Service<
  LiveView,
  {
    readonly of: (
      tenantId: Ids.AccountId,
      id: Ids.CampaignId
    ) => Effect.Effect<LiveRecord, CampaignNotFound | StorageError>
  }
>()("@trunkline/core/calling/campaigns/LiveView") {
  static readonly layer = Layer.effect(
    LiveView,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const admission = yield* CallAdmission
      const expected = yield* ExpectedAnswers
      const calls = yield* CallStore
      const campaigns = yield* CampaignStore
      const contacts = yield* CampaignContactStore
      const credits = yield* Credits
      const holds = yield* HoldStore
      const places = yield* AgentPlaces
      const situations = yield* makeDialSituation
      const storage = yield* Storage
      const { creditsPerMinute } = yield* TelephonySettings

      const covers = (left: bigint | null) => left === null || left >= creditsPerMinute

      const forecast = Effect.fnUntraced(function* (
        { botId, nextDialAt, refusals, tenantId }: CampaignState,
        at: Instant.Instant
      ): Effect.fn.Return<AdmissionForecast, StorageError, Read> {
        const account = yield* accounts.find(tenantId)
        const room = account === null ? null : yield* credits.headroom(spenderOf(account), at)
        const awaitsAgent = account !== null && (yield* expected.byAgent(tenantId, botId))
        return {
          agentRefusal: awaitsAgent ? yield* places.check(account, at) : null,
          maySpend: account !== null && spendingRefusal(account, at) === null,
          affordable: room !== null && covers(room.credits) && covers(room.budget),
          carrierBusyUntil: latest(yield* admission.busyUntil(at), refusals > 0 ? nextDialAt : null)
        }
      })

      const waitingFor = Effect.fnUntraced(function* (campaign: CampaignState, at: Instant.Instant) {
        const due = yield* situations.dueContacts(campaign, { at, limit: 1 })
        const account = yield* accounts.find(campaign.tenantId)
        const situation = yield* situations.load(campaign, { account, at, due: due.length })
        return holdReason({ ...situation, ...(yield* forecast(campaign, at)) }, at)
      })

      const activeCalls = Effect.fnUntraced(function* (open: ReadonlyArray<Call>) {
        const called = yield* contacts.many(open.flatMap(({ contactId }) => contactId ?? []))
        const byId = new Map(called.map((contact) => [contact.id, contact]))
        return open.map((call) => {
          const contact = call.contactId === null ? undefined : byId.get(call.contactId)
          return {
            callId: call.id,
            contactId: call.contactId,
            phone: contact?.phone ?? call.to,
            name: contact?.name ?? null,
            // Of a call that has not ended.
            status: call.status as OpenCallStatus,
            burstId: call.burstId,
            isWinner: call.isWinner,
            startedAt: call.startedAt
          }
        })
      })

      const abandonRate = Effect.fnUntraced(function* (id: Ids.CampaignId, at: Instant.Instant) {
        const { abandoned, answered } = yield* calls.answerCounts(id, Instant.plus(at, -abandonWindowMs))
        return answered === 0 ? 0 : abandoned / answered
      })

      /** From the totals, so that it costs the same for ten contacts and for a million. */
      const countPendingApproval = Effect.fnUntraced(function* (campaign: CampaignState, open: ReadonlyArray<Call>) {
        const calling = open.filter(({ contactId }) => contactId !== null).length
        const approved = yield* contacts.countApproved(campaign.id)
        return campaign.totalContacts - campaign.completedContacts - campaign.failedContacts - calling - approved
      })

      const load = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.CampaignId) {
        const campaign = yield* campaigns.find(tenantId, id)
        if (campaign === null) return yield* new CampaignNotFound({ id })
        const at = yield* Instant.now
        const isPreview = campaign.dialMode === "preview"
        const open = yield* calls.openOfCampaign(id)
        const held = isPreview ? yield* holds.ofCampaign(id, at) : []
        const holdOf = new Map(held.map((hold) => [hold.contactId, hold]))
        const awaiting = isPreview ? yield* contacts.pendingApproval(id, maxPendingShown) : []
        return {
          campaignId: id,
          status: campaign.status,
          dialMode: campaign.dialMode,
          paceSeconds: campaign.paceSeconds,
          parallelLines: campaign.parallelLines,
          activeCalls: yield* activeCalls(open),
          awaitingApproval: awaiting.map((contact) => waitingContact(contact, holdOf.get(contact.id))),
          awaitingApprovalTotal: isPreview ? yield* countPendingApproval(campaign, open) : 0,
          waitingFor: yield* waitingFor(campaign, at),
          abandonRate: yield* abandonRate(id, at)
        }
      })

      return LiveView.of({ of: (tenantId, id) => storage.read(load(tenantId, id)) })
    })
  )
}

const waitingContact = (contact: CampaignContact, hold: PreviewHold | undefined) => {
  const { attempts, createdAt, id, name, phone } = contact
  return { contactId: id, phone, name, attempts, createdAt, ...shownHold(contact, hold) }
}

const latest = (a: Instant.Instant | null, b: Instant.Instant | null): Instant.Instant | null =>
  a === null || b === null ? (a ?? b) : Instant.later(a, b)
