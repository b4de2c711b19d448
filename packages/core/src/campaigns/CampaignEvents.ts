/** What campaigns tell others. Pure. */
import type { EventName, NewEvent } from "../events/index.ts"
import type { Campaign } from "./Campaign.ts"

/** Source: docs/events.md#catalogue. */
export const campaignEvent = (
  event: Extract<EventName, `campaign.${string}`>,
  campaign: Campaign,
  more: Readonly<Record<string, unknown>> = {}
): NewEvent => ({
  event,
  tenantId: campaign.tenantId,
  botId: campaign.botId,
  data: {
    campaign_id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    total_contacts: campaign.totalContacts,
    completed_contacts: campaign.completedContacts,
    failed_contacts: campaign.failedContacts,
    dial_mode: campaign.dialMode,
    ...more
  }
})
