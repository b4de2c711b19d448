/** What the model of the dialer remembers of a day, beside the carrier's log. */

import { type Ids, Instant, type PhoneNumber } from "@trunkline/core/effect"
import type { Day } from "./DialerDay.ts"
import type { DialerWorld } from "./DialerWorld.ts"

type Plan = Day["plan"]

/** What the days were made of: a model that never does anything proves nothing. */
export interface Seen {
  calls: number
  answered: number
  winners: number
  abandoned: number
  listed: number
  deaths: number
  unproven: number
  completed: number
  stalls: number
  lost: number
  unknown: number
  strangers: number
  /** Calls that needed no credit. */
  free: number
}

export interface Memory {
  readonly world: DialerWorld
  readonly tenantId: Ids.AccountId
  readonly campaignId: Ids.CampaignId
  readonly strangerId: Ids.AccountId
  /** The carrier identifies each call and has always answered: nothing of this day can be unknown. */
  readonly isCertain: boolean
  /** For each key that was listed, the calls that existed when the addition had answered. */
  readonly listed: Array<{ readonly key: PhoneNumber.MatchKey; readonly known: ReadonlySet<string> }>
  /** The largest number of attempts that any settings of the day allowed. */
  maxAttempts: number
  /** The daily limits that were set, and since when: a limit that may not have been stored leaves the one before in force. */
  readonly dayLimits: Array<{ readonly since: Instant.Instant; readonly limit: number | null; isCertain: boolean }>
  plan: Plan
  /** The plan on which each call was begun. */
  readonly begunOn: Map<string, Plan>
  /** Calls that were hung up for want of credit. */
  readonly unpaid: Set<string>
}

export const beginMemory = (
  given: Day,
  of: Pick<Memory, "world" | "tenantId" | "campaignId" | "strangerId">
): Memory => ({
  ...of,
  isCertain: given.findsBy === "call id" && given.isReliable,
  listed: [],
  maxAttempts: given.maxAttempts,
  dayLimits: [{ since: Instant.make(0), limit: given.perDay, isCertain: true }],
  plan: given.plan,
  begunOn: new Map(),
  unpaid: new Set()
})
