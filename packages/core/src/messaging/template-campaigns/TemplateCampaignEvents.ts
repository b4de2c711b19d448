/** Events of template campaigns. Pure. Source: docs/reference/events.md#catalogue. */
import type {
  campaignCompletedEvent,
  campaignFailedEvent,
  campaignStartedEvent,
  EventOf
} from "../../platform/events/index.ts"
import type { ConnectedNumber } from "../channels/index.ts"
import type { PauseReason } from "./SendResult.ts"
import { type TemplateCampaign, totalOf } from "./TemplateCampaign.ts"

/** They are about the agent of the campaign's number. */
type Number = Pick<ConnectedNumber, "botId"> | null

const dataOf = (campaign: TemplateCampaign): EventOf<typeof campaignStartedEvent>["data"] => {
  const { delivered, failed, read, sent, skipped } = campaign.counts
  return {
    campaign_id: campaign.id,
    kind: "template",
    name: campaign.name,
    status: campaign.status,
    total_contacts: totalOf(campaign.counts),
    completed_contacts: sent + delivered + read + skipped,
    failed_contacts: failed,
    dial_mode: null,
    phone_number_id: campaign.phoneNumberId,
    template: { name: campaign.templateName, language: campaign.templateLanguage }
  }
}

export const templateCampaignEvent = (
  event: "campaign.started" | "campaign.completed",
  campaign: TemplateCampaign,
  number: Number
): EventOf<typeof campaignStartedEvent | typeof campaignCompletedEvent> => ({
  event,
  tenantId: campaign.tenantId,
  botId: number?.botId ?? null,
  data: dataOf(campaign)
})

export const templateCampaignFailed = (
  campaign: TemplateCampaign,
  reason: PauseReason,
  number: Number
): EventOf<typeof campaignFailedEvent> => ({
  event: "campaign.failed",
  tenantId: campaign.tenantId,
  botId: number?.botId ?? null,
  data: { ...dataOf(campaign), reason }
})
