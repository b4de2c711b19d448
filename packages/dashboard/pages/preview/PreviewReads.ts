/** What the preview desk reads. */
import { useQuery } from "@tanstack/react-query"
import type { Call, Campaign } from "@trunkline/client"
import { queryClient } from "../frame/QueryCache.ts"
import { api } from "../frame/ServerRequests.ts"

/** A campaign in one of these may be called, now or later. */
const unfinished = "draft,scheduled,running,paused,insufficient_balance"

/** Campaigns whose calls somebody has to approve. They are few, and each call of theirs changes them: a note does not read them again. */
export const useCampaigns = () =>
  useQuery({
    queryKey: ["preview", "campaigns"],
    queryFn: async ({ signal }) => {
      const found: Array<Campaign> = []
      for await (const campaign of api.campaigns.list({ status: unfinished, limit: 100 }, { signal }))
        if (campaign.dial_mode === "preview") found.push(campaign)
      return found
    },
    staleTime: 30_000
  })

/** What is fixed of the campaign: its live view has what changes. */
export const usePreviewed = (id: string | undefined) =>
  useQuery({
    enabled: id !== undefined,
    queryKey: ["preview", "campaign", id],
    queryFn: ({ signal }) => api.campaigns.get(id ?? "", { signal }),
    staleTime: 30_000
  })

export const useDeskLive = (id: string) =>
  useQuery({
    queryKey: ["preview", "live", id],
    queryFn: ({ signal }) => api.campaigns.live(id, { signal }),
    meta: { topics: [`campaign:${id}`, "account"] }
  })

/** After a refusal: how the campaign stands now. */
export const readCampaignAgain = (id: string): void => {
  for (const queryKey of [
    ["preview", "campaigns"],
    ["preview", "campaign", id],
    ["preview", "live", id]
  ])
    void queryClient.invalidateQueries({ queryKey })
}

/** The row of a contact on its campaign's list: it is found by its number. */
export const contactNow = async (campaignId: string, contact: { readonly id: string; readonly phone: string }) => {
  const q = contact.phone.replace(/\D/g, "")
  // Several rows may have one number.
  const { items } = await api.campaigns.listContacts(campaignId, { q, limit: 500 })
  return items.find(({ id }) => id === contact.id)
}

/** Calls that a desk may still look for have begun lately. */
const newestCalls = 50

/** The campaign's newest calls, while the call of somebody who was approved is looked for. */
export const useNewestCalls = (campaignId: string, isWanted: boolean) =>
  useQuery({
    queryKey: ["preview", "calls", campaignId],
    queryFn: async ({ signal }) =>
      (await api.calls.list({ campaign_id: campaignId, limit: newestCalls }, { signal })).items,
    enabled: isWanted,
    staleTime: 0,
    meta: { topics: [`campaign:${campaignId}`], urgent: true }
  })

/** A call of this desk. It is shown as it was found, and read at once: it may have changed before anybody listened for it. */
export const useOwnCall = (id: string | null, found: ReadonlyArray<Call> | undefined, foundAt: number) =>
  useQuery<Call>({
    queryKey: ["preview", "call", id],
    queryFn: ({ signal }) => api.calls.get(id ?? "", { signal }),
    enabled: id !== null,
    initialData: () => found?.find((call) => call.id === id),
    initialDataUpdatedAt: foundAt,
    staleTime: 0,
    meta: { topics: [`call:${id}`], own: true }
  })
