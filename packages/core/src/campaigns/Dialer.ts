/** The background dialer: takes the campaigns that are due, decides in one transaction for each, and has the calls placed. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Accounts, isActive } from "../access/index.ts"
import { type NewEvent, Outbox } from "../events/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { lock, Storage, StorageError } from "../storage/index.ts"
import { type Call, CampaignLegs, Gate, Placing } from "../telephony/index.ts"
import { closesAt, isZone, windowOf } from "./CallingWindow.ts"
import { start } from "./Campaign.ts"
import { completed, outOfCredit, paused, refusedOnce } from "./CampaignCalls.ts"
import { campaignEvent } from "./CampaignEvents.ts"
import { type CampaignContact, CampaignContactStore, type CampaignState, CampaignStore } from "./CampaignStore.ts"
import { afterAttempt } from "./ContactLife.ts"
import { holdUp, linesOf, lookAgainAt } from "./DialPlan.ts"

/** Contacts of deleted campaigns that one transaction removes. */
const sweepSize = 1000

/** Campaigns that one pass takes at most. */
const passSize = 100

/** Campaigns decided side by side; on SQLite they share a commit. */
const atOnce = 16

/** Contacts that one transaction fails without a call at most, so that a list full of them does not hold up others. */
const passedOver = 100

/** When the gate refuses for a reason that only a person can mend. */
const refusedAgainMs = 10 * Instant.second

/** How long a campaign waits after a failure that does not pass by itself. */
const defectAgainMs = Instant.minute

export interface DialReport {
  /** Campaigns that were looked at. */
  readonly campaigns: number
  /** Calls that were opened. */
  readonly calls: number
  /** Campaigns whose processing failed. */
  readonly failed: number
}

export class Dialer extends Context.Service<
  Dialer,
  {
    /** One pass over the campaigns that are due. Its cost depends on what is due, not on what exists. */
    readonly tick: Effect.Effect<DialReport, StorageError>
    /** When the next campaign is due, or null. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Removes a part of what deleted campaigns have left. */
    readonly sweep: Effect.Effect<void, StorageError>
  }
>()("@trunkline/core/campaigns/Dialer") {
  static readonly layer = Layer.effect(
    Dialer,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const legs = yield* CampaignLegs
      const campaigns = yield* CampaignStore
      const contacts = yield* CampaignContactStore
      const gate = yield* Gate
      const outbox = yield* Outbox
      const placing = yield* Placing
      const storage = yield* Storage

      /** Contacts that may be dialed now: in preview those approved, else due retries first, then the list in its order. */
      const dueContacts = Effect.fnUntraced(function* (campaign: CampaignState, at: Instant.Instant, limit: number) {
        if (campaign.dialMode === "preview") return yield* contacts.dueApproved(campaign.id, at, limit)
        const retries = yield* contacts.dueRetries(campaign.id, at, limit)
        return retries.length === limit
          ? retries
          : [...retries, ...(yield* contacts.fresh(campaign.id, limit - retries.length))]
      })

      const situation = Effect.fnUntraced(function* (campaign: CampaignState, due: number) {
        const account = yield* accounts.find(campaign.tenantId)
        const preview = campaign.dialMode === "preview"
        return {
          campaign,
          accountOpen: account !== null && isActive(account) && account.voiceCampaigns,
          // The gate knows, and answers when it is asked.
          affordable: true,
          carrierBusyUntil: null,
          openCalls: (yield* legs.open(campaign.id)).length,
          due,
          awaiting: preview && due === 0 ? (yield* contacts.awaiting(campaign.id, 1)).length : 0,
          nextRetryAt: due === 0 ? yield* contacts.nextRetryAt(campaign.id, preview) : null
        }
      })

      /** Tries one contact at the gate. */
      const dial = Effect.fnUntraced(function* (
        campaign: CampaignState,
        contact: CampaignContact,
        burstId: Ids.BurstId | null,
        leg: number,
        at: Instant.Instant
      ) {
        return yield* gate.open(
          {
            tenantId: campaign.tenantId,
            to: contact.phone,
            toKey: contact.matchKey,
            botId: campaign.botId,
            fromNumberId: campaign.fromNumberId,
            campaignId: campaign.id,
            contactId: contact.id,
            attempt: contact.attempts + 1,
            burstId,
            detectMachine: campaign.amdEnabled,
            voicemailTemplateId: campaign.voicemailTemplateId,
            windowClosesAt: closesAt(windowOf(campaign), at)
          },
          // The first leg of a burst waits for a free start slot like any call; the others start as soon as the carrier allows.
          leg > 0
        )
      })

      const failListed = Effect.fnUntraced(function* (
        campaign: CampaignState,
        contact: CampaignContact,
        at: Instant.Instant
      ) {
        const after = afterAttempt({
          outcome: { _tag: "Listed", rang: false },
          at,
          before: contact,
          maxAttempts: campaign.maxAttempts,
          window: windowOf(campaign)
        })
        yield* contacts.save({ ...contact, ...after })
        return { ...campaign, failedContacts: campaign.failedContacts + 1 }
      })

      /** One campaign's turn, under its lock. Answers with the campaign as it is to be saved. */
      const turn = Effect.fnUntraced(function* (present: CampaignState, at: Instant.Instant) {
        let campaign = present
        const opened: Array<Call> = []
        const burstId = campaign.dialMode === "parallel" ? yield* Ids.fresh<"Burst">() : null
        for (let failed = 0; failed < passedOver; ) {
          const lines = linesOf(campaign) - opened.length
          const due = yield* dueContacts(campaign, at, lines)
          const hold = opened.length > 0 ? null : holdUp(yield* situation(campaign, due.length), at)
          if (hold !== null) return { campaign: { ...campaign, nextDialAt: lookAgainAt(hold, at) }, opened, events: [] }
          let passed = 0
          for (const contact of due) {
            if (contact.attempts >= campaign.maxAttempts) {
              // The limit was lowered while the contact waited.
              yield* contacts.save({ ...contact, status: "failed", nextAttemptAt: null })
              campaign = { ...campaign, failedContacts: campaign.failedContacts + 1 }
              passed += 1
              continue
            }
            const answer = yield* dial(campaign, contact, burstId, opened.length, at)
            if (answer._tag === "Opened") {
              opened.push(answer.call)
              yield* contacts.save({ ...contact, status: "calling", nextAttemptAt: null, callId: answer.call.id })
              campaign = { ...campaign, lastDialAt: answer.call.startedAt, nextDialAt: null }
              continue
            }
            if (answer._tag === "Later") {
              return {
                campaign: { ...campaign, nextDialAt: opened.length > 0 ? null : answer.until },
                opened,
                events: []
              }
            }
            switch (answer.why) {
              case "suppressed":
                campaign = yield* failListed(campaign, contact, at)
                passed += 1
                continue
              case "payment":
              case "monthly_budget":
              case "credits":
                return { campaign: outOfCredit(campaign), opened, events: [] }
              case "caller":
                return { opened, ...refusedOnce(campaign, "caller_number_missing", Instant.plus(at, refusedAgainMs)) }
              default:
                return { campaign: { ...campaign, nextDialAt: Instant.plus(at, refusedAgainMs) }, opened, events: [] }
            }
          }
          // Places that were left empty go to the next on the list.
          if (passed === 0) return { campaign, opened, events: [] }
          failed += passed
        }
        return { campaign: { ...campaign, nextDialAt: at }, opened, events: [] }
      })

      const begin = (campaign: CampaignState, at: Instant.Instant): CampaignState | null => {
        if (campaign.scheduledAt === null || campaign.scheduledAt > at || Result.isFailure(start(campaign.status)))
          return null
        return { ...campaign, status: "running", refusals: 0 }
      }

      const decide = Effect.fnUntraced(function* (id: Ids.CampaignId) {
        yield* lock("campaign", id)
        const at = yield* Instant.now
        let campaign = yield* campaigns.get(id)
        // Another process was faster.
        if (campaign === null || campaign.nextDialAt === null || campaign.nextDialAt > at)
          return { calls: [], events: [] }
        const announced: Array<NewEvent> = []
        if (campaign.status === "scheduled") {
          const started = begin(campaign, at)
          if (started === null) {
            yield* campaigns.save({ ...campaign, nextDialAt: campaign.scheduledAt })
            return { calls: [], events: [] }
          }
          campaign = { ...started, updatedAt: at }
          announced.push(campaignEvent("campaign.started", campaign))
        }
        if (campaign.status !== "running") {
          yield* campaigns.save({ ...campaign, nextDialAt: null })
          return { calls: [], events: [] }
        }
        if (!isZone(campaign.timezone)) {
          yield* Effect.logError(`campaign ${id} is paused: there is no clock for its time zone ${campaign.timezone}`)
          const { campaign: halted, events } = paused(campaign, "timezone_unknown")
          yield* campaigns.save(halted)
          return { calls: [], events: yield* outbox.append([...announced, ...events]) }
        }
        const before = completed(campaign)
        const went =
          before.events.length > 0
            ? { campaign: before.campaign, opened: [], events: before.events }
            : yield* turn(campaign, at)
        const after = completed(went.campaign)
        yield* campaigns.save(after.campaign)
        const events = yield* outbox.append([...announced, ...went.events, ...after.events])
        return { calls: went.opened, events }
      })

      const postpone = Effect.fnUntraced(
        function* (id: Ids.CampaignId) {
          yield* lock("campaign", id)
          const campaign = yield* campaigns.get(id)
          if (campaign === null || campaign.nextDialAt === null) return
          yield* campaigns.save({ ...campaign, nextDialAt: Instant.plus(yield* Instant.now, defectAgainMs) })
        },
        storage.transact,
        // A storage that cannot write this has logged its own failure.
        (written) => Effect.ignoreCause(written)
      )

      /** One campaign that cannot be processed must not stop the others, nor fill the log: it is postponed. */
      const failing = Effect.fnUntraced(function* (id: Ids.CampaignId, cause: Cause.Cause<StorageError>) {
        yield* Effect.logError("dialing for a campaign", id, cause)
        const error = Cause.squash(cause)
        if (!(error instanceof StorageError && error.isRetryable)) yield* postpone(id)
        return { calls: 0, failed: 1 }
      })

      const work = (id: Ids.CampaignId) =>
        Effect.gen(function* () {
          const { calls: opened, events } = yield* storage.transact(decide(id))
          yield* outbox.publish(events)
          for (const call of opened) yield* placing.start(call)
          return { calls: opened.length, failed: 0 }
        }).pipe(Effect.catchCause((cause) => failing(id, cause)))

      const tick = Effect.gen(function* () {
        const due = yield* storage.read(campaigns.due(yield* Instant.now, passSize))
        const worked = yield* Effect.forEach(due, work, { concurrency: atOnce })
        return {
          campaigns: due.length,
          calls: worked.reduce((sum, { calls }) => sum + calls, 0),
          failed: worked.reduce((sum, { failed }) => sum + failed, 0)
        }
      })

      return Dialer.of({
        tick,
        nextDue: storage.read(campaigns.nextDue),
        sweep: Effect.asVoid(storage.transact(campaigns.sweep(sweepSize)))
      })
    })
  )
}
