/** Events of campaigns. Pure. */
import type { EventData, NewEvent } from "../../platform/events/index.ts"
import type { Campaign } from "./Campaign.ts"

/** Source: docs/reference/events.md#catalogue. */
export const campaignEvent = (event: "campaign.started" | "campaign.completed", campaign: Campaign): NewEvent => ({
  event,
  tenantId: campaign.tenantId,
  botId: campaign.botId,
  data: dataOf(campaign)
})

/** Source: docs/reference/events.md#catalogue. */
export const campaignFailed = (
  campaign: Campaign,
  reason: EventData<"campaign.failed">["reason"]
): NewEvent<"campaign.failed"> => ({
  event: "campaign.failed",
  tenantId: campaign.tenantId,
  botId: campaign.botId,
  data: { ...dataOf(campaign), reason }
})

const dataOf = (campaign: Campaign): EventData<"campaign.started"> => ({
  campaign_id: campaign.id,
  name: campaign.name,
  status: campaign.status,
  total_contacts: campaign.totalContacts,
  completed_contacts: campaign.completedContacts,
  failed_contacts: campaign.failedContacts,
  dial_mode: campaign.dialMode
})
