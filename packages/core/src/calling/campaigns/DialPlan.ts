/** Decides whether a campaign may dial now, and if not, why not and until when: for the dialer and the live view. Pure. */
import * as Schema from "effect/Schema"
import { Instant, isWithinHours, localDay, nextOpening, windowOf } from "../../platform/kernel/index.ts"
import type { AgentRefusal } from "../calls/index.ts"
import type { CampaignState } from "./Campaign.ts"

/** Reasons why nothing is dialed. Source: docs/reference/campaigns.md#waiting-for. */
export const HoldReason = Schema.Literals([
  "not_running",
  "account",
  "credits",
  "provider",
  "window",
  "daily_limit",
  "approval",
  "lines",
  "pace",
  "nothing_due"
])
export type HoldReason = typeof HoldReason.Type

export interface Hold {
  readonly reason: HoldReason
  /** When it ends by itself, or null where it takes an event. */
  readonly until: Instant.Instant | null
}

/** What decides about the next call, beside its admission. */
export interface Situation {
  readonly campaign: CampaignState
  /** The account is active and has the feature. */
  readonly accountOpen: boolean
  /** Calls of the campaign that have not ended. */
  readonly openCalls: number
  /** Calls of the campaign that were started today in its zone; counted only where its day has a limit. */
  readonly startedToday?: number
  /** Contacts that may be dialed now; at least one if there is any. */
  readonly due: number
  /** In preview mode: contacts that wait for a person's approval; at least one if there is any. */
  readonly pendingApproval: number
  /** When the next contact that is dialable at all becomes due. */
  readonly nextRetryAt: Instant.Instant | null
}

/** What the admission of a call would find now. The dialer does not predict it: it asks for admission. */
export interface AdmissionForecast {
  /** The account may spend: it has a payment method where it needs one. */
  readonly maySpend: boolean
  /** Free credit and the rest of the month's budget cover one minute. */
  readonly affordable: boolean
  /** Why the campaign's agent could not answer one more call; null where it could, or no agent answers. */
  readonly agentRefusal: AgentRefusal | null
  /** The carrier accepts no further call before then. */
  readonly carrierBusyUntil: Instant.Instant | null
}

type Rule<S> = (situation: S, at: Instant.Instant) => Hold | null

const notRunning: Rule<Situation> = ({ campaign: { scheduledAt, status } }) =>
  status === "running" || status === "insufficient_balance"
    ? null
    : { reason: "not_running", until: status === "scheduled" ? scheduledAt : null }

const account: Rule<Situation> = ({ accountOpen }) => (accountOpen ? null : { reason: "account", until: null })

const spending: Rule<AdmissionForecast> = ({ maySpend }) => (maySpend ? null : { reason: "account", until: null })

const conversations: Rule<AdmissionForecast> = ({ agentRefusal }) =>
  agentRefusal === "conversations" ? { reason: "account", until: null } : null

const places: Rule<AdmissionForecast> = ({ agentRefusal }) =>
  agentRefusal === "places" ? { reason: "lines", until: null } : null

const credits: Rule<AdmissionForecast> = ({ affordable }) => (affordable ? null : { reason: "credits", until: null })

/** What stopped the campaign has been repaired: it continues when a person sets it to `running`. */
const notResumed: Rule<Situation> = ({ campaign }) =>
  campaign.status === "running" ? null : { reason: "not_running", until: null }

const provider: Rule<AdmissionForecast> = ({ carrierBusyUntil }, at) =>
  carrierBusyUntil !== null && carrierBusyUntil > at ? { reason: "provider", until: carrierBusyUntil } : null

const window: Rule<Situation> = ({ campaign }, at) =>
  isWithinHours(windowOf(campaign), at) ? null : { reason: "window", until: nextOpening(windowOf(campaign), at) }

/** Calls that today's limit still allows. */
const leftToday = ({ campaign: { maxCallsPerDay }, startedToday = 0 }: Situation): number =>
  maxCallsPerDay === null ? Number.POSITIVE_INFINITY : maxCallsPerDay - startedToday

/** Dialing continues at the next midnight of the zone, or when the window opens after it. */
const dailyLimit: Rule<Situation> = (situation, at) => {
  const { campaign } = situation
  if (leftToday(situation) > 0) return null
  return { reason: "daily_limit", until: nextOpening(windowOf(campaign), localDay(campaign.timezone, at).end) }
}

const approval: Rule<Situation> = ({ campaign, due, nextRetryAt, pendingApproval }) =>
  campaign.dialMode === "preview" && due === 0 && pendingApproval > 0
    ? { reason: "approval", until: nextRetryAt }
    : null

/** One call at a time, or one parallel dial at a time: the next starts when the last has ended. */
const lines: Rule<Situation> = ({ openCalls }) => (openCalls > 0 ? { reason: "lines", until: null } : null)

/** In power mode the next call starts `paceSeconds` after the last one started, at the earliest. */
const pace: Rule<Situation> = ({ campaign: { dialMode, lastDialAt, paceSeconds } }, at) => {
  if (dialMode !== "power" || lastDialAt === null) return null
  const until = Instant.plus(lastDialAt, paceSeconds * Instant.second)
  return until > at ? { reason: "pace", until } : null
}

const nothingDue: Rule<Situation> = ({ due, nextRetryAt }) =>
  due === 0 ? { reason: "nothing_due", until: nextRetryAt } : null

/** In the order in which they are reported: the first that holds. */
const dialing: ReadonlyArray<Rule<Situation>> = [window, dailyLimit, approval, lines, pace, nothingDue]
const ownRules: ReadonlyArray<Rule<Situation>> = [notRunning, account, notResumed, ...dialing]
const allRules: ReadonlyArray<Rule<Situation & AdmissionForecast>> = [
  ...[notRunning, account, spending, credits, notResumed],
  ...[conversations, provider, ...dialing, places]
]

const first = <S>(rules: ReadonlyArray<Rule<S>>, situation: S, at: Instant.Instant): Hold | null => {
  for (const rule of rules) {
    const hold = rule(situation, at)
    if (hold !== null) return hold
  }
  return null
}

/** Why a campaign asks for no admission at this instant; null when it may. */
export const dialingHold = (situation: Situation, at: Instant.Instant): Hold | null => first(ownRules, situation, at)

/** Why nothing is dialed at this instant; null when the next call may start. */
export const holdReason = (situation: Situation & AdmissionForecast, at: Instant.Instant): Hold | null =>
  first(allRules, situation, at)

/** How many calls may be started at once when nothing holds the campaign up. */
export const linesOf = ({ dialMode, parallelLines }: CampaignState): number =>
  dialMode === "parallel" ? parallelLines : 1

/** How many calls a turn may still start that has started some. */
export const callsAllowed = (situation: Situation, started: number): number =>
  Math.max(0, Math.min(linesOf(situation.campaign) - started, leftToday(situation)))

/** True when no contact is left to call: the list has contacts, and each of them has ended. */
export const isFinished = ({ completedContacts, failedContacts, totalContacts }: CampaignState): boolean =>
  totalContacts > 0 && completedContacts + failedContacts >= totalContacts

/** An account may be opened again at any time, by another process too. */
const accountRecheckMs = 5 * Instant.second

/** When the dialer has to check again a campaign that is held up; null: when something happens. */
export const recheckAt = (hold: Hold, at: Instant.Instant): Instant.Instant | null => {
  switch (hold.reason) {
    case "account":
      return Instant.plus(at, accountRecheckMs)
    case "not_running":
    case "credits":
    case "lines":
      return null
    default:
      return hold.until
  }
}
