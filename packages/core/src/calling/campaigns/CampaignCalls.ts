/** What a campaign makes of its calls' moves: winners, contacts' fates, totals and completion, in the call's transaction. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Instant, windowOf } from "../../platform/kernel/index.ts"
import { lock } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { type Call, CallLife, CallStore, CallWatcher, changeLeg, type Followed, type Moved } from "../calls/index.ts"
import { outcomeOf, unplacedOutcome } from "./CallOutcome.ts"
import type { CampaignState } from "./Campaign.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import { completed, countRefusal, outOfCredit, redialAt, startedBy } from "./CampaignProgress.ts"
import { CampaignContactStore, CampaignStore } from "./CampaignStore.ts"
import { afterAttempt, type ContactAfter, type Outcome } from "./ContactLifecycle.ts"
import { DialerSignal } from "./DialerSignal.ts"

export const layer = Layer.effect(
  CallWatcher,
  Effect.gen(function* () {
    const calls = yield* CallStore
    const campaigns = yield* CampaignStore
    const contacts = yield* CampaignContactStore
    const { wake } = yield* DialerSignal

    /** The contact's fate is decided by the campaign's present dialing settings, because a further call starts under them. */
    const settle = Effect.fnUntraced(function* (
      call: Call,
      campaign: CampaignState,
      outcome: Outcome,
      at: Instant.Instant,
      refused = false
    ) {
      const contact = call.contactId === null ? null : yield* contacts.find(campaign.id, call.contactId)
      if (contact === null || contact.status !== "calling" || contact.callId !== call.id) return campaign
      const after = afterAttempt({
        outcome,
        at,
        before: contact,
        maxAttempts: campaign.maxAttempts,
        window: windowOf(campaign)
      })
      yield* contacts.save({ ...contact, ...after, ...(refused ? asBefore(contact, after) : {}) })
      return {
        ...campaign,
        completedContacts: campaign.completedContacts + (after.status === "done" ? 1 : 0),
        failedContacts: campaign.failedContacts + (after.status === "failed" ? 1 : 0)
      }
    })

    /** The first leg that reaches a person wins; every other leg is to end, and one that had been answered was abandoned. */
    const race = Effect.fnUntraced(function* (
      call: Call,
      burstId: Ids.BurstId,
      campaignId: Ids.CampaignId,
      at: Instant.Instant
    ) {
      const others = (yield* calls.legsOf(campaignId, burstId)).filter(({ id }) => id !== call.id)
      if (others.some(({ isWinner }) => isWinner)) return { call: loser(call, at), attend: [] }
      const losing = others.filter((leg) => !CallLife.isEnded(leg) && leg.stopReason === null)
      for (const { id } of losing) yield* changeLeg(calls, id, (leg) => loser(leg, at))
      return { call: { ...call, isWinner: true }, attend: losing.map(({ id }) => id) }
    })

    const follow = Effect.fnUntraced(function* (moved: Moved, campaign: CampaignState, at: Instant.Instant) {
      const { call } = moved
      switch (moved._tag) {
        case "Placed":
          if (campaign.refusals > 0) yield* campaigns.save({ ...campaign, refusals: 0 })
          return { call, events: [], attend: [] }
        case "Reached":
          return call.burstId === null
            ? { call, events: [], attend: [] }
            : { ...(yield* race(call, call.burstId, campaign.id, at)), events: [] }
        case "OutOfCredit":
          yield* campaigns.save(outOfCredit(campaign))
          return { call, events: [], attend: [] }
        case "Ended": {
          const settled = yield* settle(call, startedBy(campaign, call), outcomeOf(call), at)
          const turn = completed(redialAt(settled, at))
          yield* campaigns.save(turn.campaign)
          return { call, events: turn.events, attend: [] }
        }
        case "Unplaced": {
          const refused = moved.why === "throttled" || moved.why === "configuration"
          const settled = yield* settle(call, startedBy(campaign, call), unplacedOutcome(call), at, refused)
          const turn =
            moved.why === "configuration"
              ? countRefusal(settled, "configuration_refused", moved.retryAt)
              : completed(redialAt(settled, moved.retryAt))
          yield* campaigns.save(turn.campaign)
          return { call, events: turn.events, attend: [] }
        }
      }
    })

    return CallWatcher.of({
      before: ({ campaignId }) => (campaignId === null ? Effect.void : lock("campaign", campaignId)),
      wake,
      moved: Effect.fnUntraced(function* (moved: Moved, at: Instant.Instant) {
        const campaign =
          moved.call.campaignId === null ? null : yield* campaigns.findInAnyAccount(moved.call.campaignId)
        // A call without a campaign, or of a deleted one, changes no contact.
        return campaign === null
          ? ({ call: moved.call, events: [], attend: [] } satisfies Followed)
          : ((yield* follow(moved, campaign, at)) satisfies Followed)
      })
    })
  })
)

/** A leg may be over by the time that its answer is reported; the person who picked up was left alone all the same. */
const loser = (leg: Call, at: Instant.Instant): Call => ({
  ...CallLife.stop(leg, "lost_race", at),
  abandoned: leg.abandoned || (leg.answeredAt !== null && leg.answeredBy !== "machine")
})

/** A refusal because of our configuration called nobody: the contact keeps its attempts and its approval. */
const asBefore = (contact: CampaignContact, { attempts, status }: ContactAfter): Partial<CampaignContact> =>
  status === "pending" && attempts === 0
    ? { status: contact.approvedAt === null ? "pending" : "approved", nextAttemptAt: null }
    : {}
