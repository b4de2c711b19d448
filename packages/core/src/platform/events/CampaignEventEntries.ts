/** The life of campaigns, of calls and of template messages alike, as receivers of events see it. Pure. */
import * as Schema from "effect/Schema"
import { event } from "../room/index.ts"
import * as EventFields from "./EventFields.ts"

const { means, orNull, payload, uuid, text, count, exampleId } = EventFields

const statuses = ["draft", "scheduled", "running", "paused", "insufficient_balance", "completed", "cancelled"] as const

/** Source: docs/reference/events.md#catalogue. */
const campaignFields = {
  campaign_id: means(uuid, "The campaign"),
  kind: means(Schema.Literals(["voice", "template"]), "Whether it calls people, or sends a template to them"),
  name: means(text, "Its name"),
  status: means(Schema.Literals(statuses), "Its status after the change"),
  total_contacts: means(count, "How many contacts it has"),
  completed_contacts: means(
    count,
    "How many of them are `done`; of a template campaign, how many are `sent`, `delivered`, `read` or `skipped`"
  ),
  failed_contacts: means(count, "How many of them are `failed`"),
  dial_mode: means(
    orNull(Schema.Literals(["preview", "power", "parallel"])),
    "How it dials; null of a template campaign"
  ),
  phone_number_id: means(
    orNull(text),
    "The number that a template campaign sends from, by the upstream platform's id; null of a campaign of calls"
  ),
  template: means(
    orNull(
      Schema.Struct({
        name: means(Schema.String, "The name of the template"),
        language: means(Schema.String, "Its language, as the upstream platform writes it")
      })
    ),
    "The template that is sent; null of a campaign of calls"
  )
}

const CampaignData = payload("CampaignEventData", campaignFields)

/** Why the service has paused a campaign. */
const campaignFailures = [
  "configuration_refused",
  "caller_number_missing",
  "timezone_unknown",
  "classification",
  "spam_rate",
  "invalid_content",
  "template_missing",
  "template_rejected",
  "template_paused",
  "template_disabled",
  "template_deleted",
  "template_category",
  "flow_blocked",
  "marketing_not_permitted",
  "credentials",
  "payment",
  "account_restricted",
  "quality",
  "failure_rate",
  "number_disconnected",
  "start_refused"
] as const

const CampaignFailedData = payload("CampaignFailedEventData", {
  ...campaignFields,
  reason: means(
    Schema.Literals(campaignFailures),
    "Why the campaign is paused. Of a campaign of calls: the carrier refuses our credentials or caller number, or needs a caller number and there is none, or the platform has no clock for the campaign's time zone. Of a template campaign: its `pause_reason`"
  )
})

const campaign = {
  campaign_id: exampleId("ca01"),
  kind: "voice",
  name: "Autumn renewals",
  status: "running",
  total_contacts: 250,
  completed_contacts: 0,
  failed_contacts: 0,
  dial_mode: "power",
  phone_number_id: null,
  template: null
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
  fires:
    "when the service cannot place calls and has paused the campaign, or has paused a template campaign for one of its reasons",
  source: "product",
  data: CampaignFailedData,
  example: { ...campaign, status: "paused", reason: "configuration_refused" }
})

export const campaignEvents = [campaignStartedEvent, campaignCompletedEvent, campaignFailedEvent] as const
