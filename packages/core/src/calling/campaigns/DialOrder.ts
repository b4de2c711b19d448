/** In which order campaigns that are due are decided: account by account in turn, so that one with many delays no other. Pure. */
import type * as Ids from "../CallingIds.ts"
import type { DueCampaign } from "./CampaignStore.ts"

/** Accounts that have more than `share` of the campaigns: others may be due behind them. */
export const crowdingAccounts = (due: ReadonlyArray<DueCampaign>, share: number): ReadonlyArray<Ids.AccountId> =>
  [...Map.groupBy(due, ({ tenantId }) => tenantId)].flatMap(([tenantId, campaigns]) =>
    campaigns.length > share ? [tenantId] : []
  )

/** The same from a place on, and those before it at the end. */
export const fromPlace = <A>(all: ReadonlyArray<A>, place: number): ReadonlyArray<A> => [
  ...all.slice(place),
  ...all.slice(0, place)
]

/** The first of every account, then the second of every account that has another, and so on; up to `limit`. */
export const inTurn = (due: ReadonlyArray<DueCampaign>, limit: number): ReadonlyArray<DueCampaign> => {
  const seen = new Map<Ids.AccountId, number>()
  const placed = due.map((campaign) => {
    const place = seen.get(campaign.tenantId) ?? 0
    seen.set(campaign.tenantId, place + 1)
    return { campaign, place }
  })
  return placed
    .toSorted((a, b) => a.place - b.place)
    .slice(0, limit)
    .map(({ campaign }) => campaign)
}
