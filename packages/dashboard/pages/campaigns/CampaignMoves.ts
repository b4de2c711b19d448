/**
 * Which status a person may give to a campaign in each status: the table of the state machine as data, so that the pages need not
 * load it. CampaignMoves.test.ts compares it with the machine's.
 */
import type { Campaign } from "@trunkline/client"

export type CampaignStatus = Campaign["status"]

export const moves: Readonly<Record<CampaignStatus, ReadonlyArray<CampaignStatus>>> = {
  draft: ["scheduled", "cancelled"],
  scheduled: ["running", "paused", "draft", "cancelled"],
  running: ["paused", "completed", "cancelled"],
  paused: ["running", "scheduled", "cancelled"],
  insufficient_balance: ["running", "paused", "cancelled"],
  completed: [],
  cancelled: []
}

/** While a campaign is in one of these, people may be added to its list. */
export const takesContacts: ReadonlyArray<CampaignStatus> = ["draft", "scheduled", "paused"]

export const hasEnded = (status: CampaignStatus): boolean => moves[status].length === 0
