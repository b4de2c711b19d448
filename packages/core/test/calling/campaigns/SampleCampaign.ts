/** A campaign to begin a test with. */
import { type CampaignState, CampaignStatus, newCampaign } from "../../../src/calling/campaigns/Campaign.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"
import { start } from "../calls/SampleCall.ts"

export const runningCampaign: CampaignState = {
  ...newCampaign(
    { name: "Autumn", timezone: "UTC", quietHoursStart: 0, quietHoursEnd: 24 },
    {
      id: Ids.as("01936f00-0000-7000-8000-000000000003"),
      tenantId: Ids.as("01936f00-0000-7000-8000-000000000002"),
      at: start
    }
  ),
  status: "running",
  totalContacts: 3,
  nextSeq: 3
}

export const campaignStatusesButRunning = CampaignStatus.literals.filter((status) => status !== "running")
