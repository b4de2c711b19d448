/** The life of campaigns, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"
import { CampaignStatus } from "./Campaign.ts"
import { DialMode } from "./DialingSettings.ts"

const { means, payload, uuid, text, count, exampleId } = EventFields

/** Source: docs/reference/events.md#catalogue. */
const campaignFields = {
  campaign_id: means(uuid, "The campaign"),
  name: means(text, "Its name"),
  status: means(CampaignStatus, "Its status after the change"),
  total_contacts: means(count, "How many contacts it has"),
  completed_contacts: means(count, "How many of them are `done`"),
  failed_contacts: means(count, "How many of them are `failed`"),
  dial_mode: means(DialMode, "How it dials")
}

const CampaignData = payload("CampaignEventData", campaignFields)

const CampaignFailedData = payload("CampaignFailedEventData", {
  ...campaignFields,
  reason: means(
    Schema.Literals(["configuration_refused", "caller_number_missing", "timezone_unknown"]),
    "Why no calls can be placed: the carrier refuses our credentials or caller number, or needs a caller number and there is none, or the platform has no clock for the campaign's time zone"
  )
})

const campaign = {
  campaign_id: exampleId("ca01"),
  name: "Autumn renewals",
  status: "running",
  total_contacts: 250,
  completed_contacts: 0,
  failed_contacts: 0,
  dial_mode: "power"
} as const

export const campaignStartedEvent = event({
  name: "campaign.started",
  surface: "platform",
  place: 50,
  category: "Campaigns",
  fires: "on every entry into `running`",
  source: "product",
  data: CampaignData,
  example: campaign
})

export const campaignCompletedEvent = event({
  name: "campaign.completed",
  surface: "platform",
  place: 50,
  category: "Campaigns",
  fires: "on entry into `completed`, by hand or by itself",
  source: "product",
  data: CampaignData,
  example: { ...campaign, status: "completed", completed_contacts: 231, failed_contacts: 19 }
})

export const campaignFailedEvent = event({
  name: "campaign.failed",
  surface: "platform",
  place: 50,
  category: "Campaigns",
  fires: "when the service cannot place calls and has paused the campaign",
  source: "product",
  data: CampaignFailedData,
  example: { ...campaign, status: "paused", reason: "configuration_refused" }
})

export const campaignEvents = [campaignStartedEvent, campaignCompletedEvent, campaignFailedEvent] as const
