/** A campaign to begin a test with. */
import { CampaignStatus } from "../../src/campaigns/Campaign.ts"
import type { CampaignState } from "../../src/campaigns/CampaignStore.ts"
import { Ids } from "../../src/kernel/index.ts"
import { start } from "../telephony/SampleCall.ts"

export const runningCampaign: CampaignState = {
  id: Ids.as("01936f00-0000-7000-8000-000000000003"),
  tenantId: Ids.as("01936f00-0000-7000-8000-000000000002"),
  name: "Autumn",
  status: "running",
  totalContacts: 3,
  completedContacts: 0,
  failedContacts: 0,
  timezone: "UTC",
  quietHoursStart: 0,
  quietHoursEnd: 24,
  maxAttempts: 3,
  dialMode: "power",
  paceSeconds: 30,
  parallelLines: 1,
  amdEnabled: false,
  botId: null,
  fromNumberId: null,
  scheduledAt: null,
  voicemailTemplateId: null,
  createdAt: start,
  updatedAt: start,
  nextDialAt: null,
  lastDialAt: null,
  refusals: 0,
  nextSeq: 3
}

export const campaignStatusesButRunning = CampaignStatus.literals.filter((status) => status !== "running")
