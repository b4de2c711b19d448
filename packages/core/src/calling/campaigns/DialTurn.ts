/** Decides a campaign's turn at the dialer: whom to dial, and what follows from each admission. Pure. */
import * as Result from "effect/Result"
import type { NewEvent } from "../../platform/events/index.ts"
import { closesAt, Instant, isZone, windowOf } from "../../platform/kernel/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { AdmissionOptions, AdmissionResult, Call, CallRequest, Refusal } from "../calls/index.ts"
import { type CampaignState, start } from "./Campaign.ts"
import type { CampaignContact } from "./CampaignContact.ts"
import { campaignEvent } from "./CampaignEvents.ts"
import { completed, countRefusal, outOfCredit, type Progress, paused } from "./CampaignProgress.ts"
import { afterAttempt, type Outcome } from "./ContactLifecycle.ts"
import { callsAllowed, dialingHold, recheckAt, type Situation } from "./DialPlan.ts"

/** Contacts that one turn fails without a call at most, so that a list full of them does not delay other campaigns. */
const maxSkips = 100

/** How long a campaign waits when admission refuses for a reason that only a person can resolve. */
const refusedAgainMs = 10 * Instant.second

/** How long a campaign waits for a place for its agent: sessions of other campaigns and clients end at any time. */
const placeAgainMs = 2 * Instant.second

/** What the dialer does with a campaign that was due: dials, or only saves it. */
export interface Visit extends Progress {
  readonly dials: boolean
  /** Why an operator has to act. */
  readonly fault?: string
}

/** Decides about a campaign, as it is under its lock; null when another process was faster. */
export const planVisit = (campaign: CampaignState | null, at: Instant.Instant): Visit | null => {
  if (campaign === null || campaign.nextDialAt === null || campaign.nextDialAt > at) return null
  if (campaign.status === "scheduled") {
    const { scheduledAt } = campaign
    if (scheduledAt === null || scheduledAt > at || Result.isFailure(start(campaign.status))) {
      return { dials: false, campaign: { ...campaign, nextDialAt: scheduledAt }, events: [] }
    }
    const started: CampaignState = { ...campaign, status: "running", refusals: 0, updatedAt: at }
    return planDialing(started, [campaignEvent("campaign.started", started)])
  }
  return campaign.status === "running"
    ? planDialing(campaign, [])
    : { dials: false, campaign: { ...campaign, nextDialAt: null }, events: [] }
}

const planDialing = (campaign: CampaignState, events: ReadonlyArray<NewEvent>): Visit => {
  if (!isZone(campaign.timezone)) {
    const halted = paused(campaign, "timezone_unknown")
    const fault = `campaign ${campaign.id} is paused: there is no clock for its time zone ${campaign.timezone}`
    return { dials: false, campaign: halted.campaign, events: [...events, ...halted.events], fault }
  }
  const progress = completed(campaign)
  return { dials: progress.events.length === 0, campaign: progress.campaign, events: [...events, ...progress.events] }
}

/** A campaign's turn so far. */
export interface Turn extends Progress {
  readonly calls: ReadonlyArray<Call>
  /** The parallel dial that its calls belong to; null in other modes. */
  readonly burstId: Ids.BurstId | null
  /** Its calls are going to be conversations with the campaign's agent. */
  readonly awaitsAgent: boolean
  /** Contacts that were failed without a call. */
  readonly skipped: number
  readonly isOver: boolean
}

export const beginTurn = (
  campaign: CampaignState,
  { awaitsAgent, burstId }: Pick<Turn, "awaitsAgent" | "burstId">
): Turn => ({
  awaitsAgent,
  campaign,
  calls: [],
  events: [],
  burstId,
  skipped: 0,
  isOver: false
})

export type Decision =
  /** Ask for admission of a call to this contact. */
  | { readonly _tag: "Dial"; readonly contact: CampaignContact }
  /** Its attempts are used up: the limit was lowered while it waited. */
  | { readonly _tag: "Fail"; readonly contact: CampaignContact }

export interface TurnPlan {
  readonly turn: Turn
  /** In this order, as long as the turn is not over. */
  readonly decisions: ReadonlyArray<Decision>
}

/** Decides what to do with the contacts that are due. Nobody is dialed while the campaign is held up. */
export const planTurn = (
  turn: Turn,
  { contacts, situation }: { readonly contacts: ReadonlyArray<CampaignContact>; readonly situation: Situation },
  at: Instant.Instant
): TurnPlan => {
  const hold = turn.calls.length > 0 ? null : dialingHold(situation, at)
  if (hold !== null) return { turn: over(turn, recheckAt(hold, at)), decisions: [] }
  const decisions = contacts.slice(0, callsAllowed(situation, turn.calls.length)).map(
    (contact): Decision => ({
      _tag: contact.attempts >= turn.campaign.maxAttempts ? "Fail" : "Dial",
      contact
    })
  )
  return { turn, decisions }
}

/** The call to ask admission for. */
export const requestOf = (
  { awaitsAgent, burstId, campaign }: Turn,
  contact: CampaignContact,
  at: Instant.Instant
): CallRequest => ({
  awaitsAgent,
  tenantId: campaign.tenantId,
  to: contact.phone,
  botId: campaign.botId,
  fromNumberId: campaign.fromNumberId,
  campaignId: campaign.id,
  contactId: contact.id,
  attempt: contact.attempts + 1,
  burstId,
  detectMachine: campaign.amdEnabled,
  voicemailTemplateId: campaign.voicemailTemplateId,
  windowClosesAt: closesAt(windowOf(campaign), at)
})

/** The first leg of a parallel dial waits for a free start slot like any call; the others start as soon as the carrier allows. */
export const admissionOf = ({ calls }: Turn): AdmissionOptions => ({
  waitForSlot: calls.length > 0 ? "any" : "within a second"
})

/** A turn after a decision, and the contact as it is to be saved. */
export interface TurnStep {
  readonly turn: Turn
  readonly contact: CampaignContact | null
}

/** The turn after a contact was failed without a call. */
export const afterFailure = (turn: Turn, contact: CampaignContact): TurnStep => ({
  turn: {
    ...turn,
    campaign: { ...turn.campaign, failedContacts: turn.campaign.failedContacts + 1 },
    skipped: turn.skipped + 1
  },
  contact: { ...contact, status: "failed", nextAttemptAt: null }
})

/** The turn after admission has answered for a contact. */
export const afterAdmission = (
  turn: Turn,
  contact: CampaignContact,
  result: AdmissionResult,
  at: Instant.Instant
): TurnStep => {
  switch (result._tag) {
    case "Admitted":
      return {
        turn: {
          ...turn,
          calls: [...turn.calls, result.call],
          campaign: { ...turn.campaign, lastDialAt: result.call.startedAt, nextDialAt: null }
        },
        contact: { ...contact, status: "calling", nextAttemptAt: null, callId: result.call.id }
      }
    case "Deferred":
      return { turn: over(turn, turn.calls.length > 0 ? null : result.until), contact: null }
    case "Refused":
      switch (result.reason) {
        case "suppressed":
          return afterFailure(turn, undialed(turn, contact, { _tag: "Suppressed", rang: false }, at))
        case "number":
          return afterFailure(turn, undialed(turn, contact, { _tag: "UnusableNumber" }, at))
        default:
          return { turn: afterRefusal(turn, result.reason, at), contact: null }
      }
  }
}

const undialed = (
  { campaign }: Turn,
  contact: CampaignContact,
  outcome: Outcome,
  at: Instant.Instant
): CampaignContact => ({
  ...contact,
  ...afterAttempt({
    outcome,
    at,
    before: contact,
    maxAttempts: campaign.maxAttempts,
    window: windowOf(campaign)
  })
})

const afterRefusal = (turn: Turn, reason: Exclude<Refusal, "number" | "suppressed">, at: Instant.Instant): Turn => {
  switch (reason) {
    case "payment":
    case "monthly_budget":
    case "credits":
      return { ...turn, campaign: outOfCredit(turn.campaign), isOver: true }
    case "caller":
      return {
        ...turn,
        ...countRefusal(turn.campaign, "caller_number_missing", Instant.plus(at, refusedAgainMs)),
        isOver: true
      }
    case "account":
    case "conversations":
    case "feature":
      return over(turn, Instant.plus(at, refusedAgainMs))
    // A parallel dial goes on with the lines that it has.
    case "places":
      return over(turn, turn.calls.length > 0 ? null : Instant.plus(at, placeAgainMs))
  }
}

const over = (turn: Turn, nextDialAt: Instant.Instant | null): Turn => ({
  ...turn,
  campaign: { ...turn.campaign, nextDialAt },
  isOver: true
})

/** The turn after all decisions of a plan: lines that contacts without a call left free go to the next on the list. */
export const afterPlan = (before: Turn, turn: Turn, at: Instant.Instant): Turn => {
  if (turn.isOver) return turn
  if (turn.skipped === before.skipped) return { ...turn, isOver: true }
  return turn.skipped < maxSkips ? turn : over(turn, at)
}
