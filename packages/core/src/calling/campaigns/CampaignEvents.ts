/** Events of campaigns. Pure. */
import type {
  campaignCompletedEvent,
  campaignFailedEvent,
  campaignStartedEvent,
  EventOf
} from "../../platform/events/index.ts"
import type { Campaign } from "./Campaign.ts"

/** Source: docs/reference/events.md#catalogue. */
export const campaignEvent = (
  event: "campaign.started" | "campaign.completed",
  campaign: Campaign
): EventOf<typeof campaignStartedEvent | typeof campaignCompletedEvent> => ({
  event,
  tenantId: campaign.tenantId,
  botId: campaign.botId,
  data: dataOf(campaign)
})

/** Source: docs/reference/events.md#catalogue. */
export const campaignFailed = (
  campaign: Campaign,
  reason: EventOf<typeof campaignFailedEvent>["data"]["reason"]
): EventOf<typeof campaignFailedEvent> => ({
  event: "campaign.failed",
  tenantId: campaign.tenantId,
  botId: campaign.botId,
  data: { ...dataOf(campaign), reason }
})

const dataOf = (campaign: Campaign): EventOf<typeof campaignStartedEvent>["data"] => ({
  campaign_id: campaign.id,
  kind: "voice",
  name: campaign.name,
  status: campaign.status,
  total_contacts: campaign.totalContacts,
  completed_contacts: campaign.completedContacts,
  failed_contacts: campaign.failedContacts,
  dial_mode: campaign.dialMode,
  phone_number_id: null,
  template: null
})
