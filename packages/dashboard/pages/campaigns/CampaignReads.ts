/** What the page of one campaign reads. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { Campaign, CampaignCounts, CampaignLive } from "@trunkline/client"
import { api } from "../frame/ServerRequests.ts"

export const useCampaign = (id: string) =>
  useQuery({
    queryKey: ["campaign", id],
    queryFn: ({ signal }) => api.campaigns.get(id, { signal }),
    meta: { topics: [`campaign:${id}`] }
  })

export const useLive = (id: string) =>
  useQuery({
    queryKey: ["campaign", id, "live"],
    queryFn: ({ signal }) => api.campaigns.live(id, { signal }),
    meta: { topics: [`campaign:${id}`, "account"], urgent: true }
  })

export const useCounts = (id: string) =>
  useQuery({
    queryKey: ["campaign", id, "counts"],
    queryFn: ({ signal }) => api.campaigns.counts(id, { signal }),
    meta: { topics: [`campaign:${id}`] },
    placeholderData: keepPreviousData
  })

/** What the parts of the page know. */
export interface Seen {
  readonly campaign: Campaign
  readonly live: CampaignLive | undefined
  readonly counts: CampaignCounts | undefined
}

/** How many people on the list have not been reached, and are not given up. */
export const waitingIn = ({ campaign, counts }: Seen): number =>
  counts === undefined
    ? campaign.total_contacts - campaign.completed_contacts - campaign.failed_contacts
    : counts.by_status.pending + counts.by_status.approved + counts.by_status.calling
