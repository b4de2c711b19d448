/** Decides whether a campaign may dial now, and if not, why not and until when. The dialer and the live view ask here. Pure. */
import { Instant } from "../kernel/index.ts"
import { isOpen, nextOpening, windowOf } from "./CallingWindow.ts"
import type { CampaignState } from "./CampaignStore.ts"

/** In the order in which they are told: the first that holds. Source: docs/campaigns.md#waiting-for. */
export type HoldReason =
  | "not_running"
  | "account"
  | "credits"
  | "provider"
  | "window"
  | "approval"
  | "lines"
  | "pace"
  | "nothing_due"

export interface Hold {
  readonly reason: HoldReason
  /** When it ends by itself, or null where it takes an event. */
  readonly until: Instant.Instant | null
}

export interface Situation {
  readonly campaign: CampaignState
  /** The account is active, may spend and has the feature. */
  readonly accountOpen: boolean
  /** Free credit and what is left of the month's budget cover one minute. */
  readonly affordable: boolean
  /** The carrier takes no further call before then. */
  readonly carrierBusyUntil: Instant.Instant | null
  /** Calls of the campaign that have not ended. */
  readonly openCalls: number
  /** Contacts that may be dialed now; at least one if there is any. */
  readonly due: number
  /** In preview mode: contacts that wait for a person's word. */
  readonly awaiting: number
  /** When the next contact that is dialable at all becomes due. */
  readonly nextRetryAt: Instant.Instant | null
}

/** Why nothing is dialed at this instant; null when the next call may start. */
export const holdUp = (situation: Situation, at: Instant.Instant): Hold | null => {
  const { campaign } = situation
  if (campaign.status !== "running" && campaign.status !== "insufficient_balance") {
    return { reason: "not_running", until: campaign.status === "scheduled" ? campaign.scheduledAt : null }
  }
  if (!situation.accountOpen) return { reason: "account", until: null }
  if (!situation.affordable) return { reason: "credits", until: null }
  // What stopped it is mended: it goes on when a person says so.
  if (campaign.status !== "running") return { reason: "not_running", until: null }
  if (situation.carrierBusyUntil !== null && situation.carrierBusyUntil > at) {
    return { reason: "provider", until: situation.carrierBusyUntil }
  }
  const window = windowOf(campaign)
  if (!isOpen(window, at)) return { reason: "window", until: nextOpening(window, at) }
  if (campaign.dialMode === "preview" && situation.due === 0 && situation.awaiting > 0) {
    return { reason: "approval", until: situation.nextRetryAt }
  }
  // One call at a time, or one burst at a time: the next starts when the last has ended.
  if (situation.openCalls > 0) return { reason: "lines", until: null }
  const paced = paceUntil(campaign)
  if (paced !== null && paced > at) return { reason: "pace", until: paced }
  return situation.due === 0 ? { reason: "nothing_due", until: situation.nextRetryAt } : null
}

/** In power mode the next call starts `paceSeconds` after the last one started, at the earliest. */
const paceUntil = ({ dialMode, lastDialAt, paceSeconds }: CampaignState): Instant.Instant | null =>
  dialMode === "power" && lastDialAt !== null ? Instant.plus(lastDialAt, paceSeconds * Instant.second) : null

/** How many calls may be started at once when nothing holds the campaign up. */
export const linesOf = ({ dialMode, parallelLines }: CampaignState): number =>
  dialMode === "parallel" ? parallelLines : 1

/** True when nobody on the list is left to call: it has contacts, and each of them has ended. */
export const isFinished = ({ completedContacts, failedContacts, totalContacts }: CampaignState): boolean =>
  totalContacts > 0 && completedContacts + failedContacts >= totalContacts

/** An account may be opened again at any time, by another process too. */
const accountRecheckMs = 5 * Instant.second

/** When the dialer has to look again at a campaign that is held up; null: when something happens. */
export const lookAgainAt = (hold: Hold, at: Instant.Instant): Instant.Instant | null => {
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
