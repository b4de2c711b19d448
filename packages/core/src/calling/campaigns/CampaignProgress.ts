/** Decides how a campaign continues: completion, lack of credit, refusals by the carrier. Pure. */
import * as Result from "effect/Result"
import type { campaignFailedEvent, EventOf, NewEvent } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { Call } from "../calls/index.ts"
import { type CampaignState, complete, halt, runOutOfCredits } from "./Campaign.ts"
import { campaignEvent, campaignFailed } from "./CampaignEvents.ts"
import { isFinished } from "./DialPlan.ts"

/** A campaign is paused after this number of refusals in a row because of our configuration. Source: docs/reference/campaigns.md#the-service-cannot-dial. */
const refusalLimit = 3

/** A changed campaign and the events of the change. */
export interface Progress {
  readonly campaign: CampaignState
  readonly events: ReadonlyArray<NewEvent>
}

/** Completes a running campaign that has no contact left to call. Pure. */
export const completed = (campaign: CampaignState): Progress => {
  const move = complete(campaign.status)
  if (!isFinished(campaign) || Result.isFailure(move) || move.success._tag === "Stay") return { campaign, events: [] }
  const ended: CampaignState = { ...campaign, status: "completed", nextDialAt: null }
  return { campaign: ended, events: [campaignEvent("campaign.completed", ended)] }
}

/** Stops a campaign whose account cannot pay for another minute. Pure. */
export const outOfCredit = (campaign: CampaignState): CampaignState =>
  Result.isSuccess(runOutOfCredits(campaign.status))
    ? { ...campaign, status: "insufficient_balance", nextDialAt: null }
    : campaign

/** Why the service cannot place calls: the reason in `campaign.failed`. Source: docs/reference/events.md#catalogue. */
type CannotDial = EventOf<typeof campaignFailedEvent>["data"]["reason"]

/** Pauses a campaign that the service cannot dial, and publishes the reason. Pure. */
export const paused = (campaign: CampaignState, reason: CannotDial): Progress => {
  const halted: CampaignState = { ...campaign, refusals: 0, status: "paused", nextDialAt: null }
  return { campaign: halted, events: [campaignFailed(halted, reason)] }
}

/** Counts an order that was refused because of our configuration, and pauses the campaign at the last one allowed. Pure. */
export const countRefusal = (campaign: CampaignState, reason: CannotDial, retryAt: Instant.Instant): Progress => {
  const refusals = campaign.refusals + 1
  if (refusals < refusalLimit || Result.isFailure(halt(campaign.status))) {
    return { campaign: { ...campaign, refusals, nextDialAt: retryAt }, events: [] }
  }
  return paused(campaign, reason)
}

/** Has a running campaign dialed again at an instant: a line is free. No other campaign dials. Pure. */
export const redialAt = (campaign: CampaignState, at: Instant.Instant): CampaignState =>
  campaign.status === "running" ? { ...campaign, nextDialAt: at } : campaign

/** The pace counts from the start of a call's row, which is later than planned where the call was placed late. Pure. */
export const startedBy = (campaign: CampaignState, { startedAt }: Pick<Call, "startedAt">): CampaignState => ({
  ...campaign,
  lastDialAt: campaign.lastDialAt === null ? startedAt : Instant.later(campaign.lastDialAt, startedAt)
})
