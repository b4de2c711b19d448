/** In which order due campaigns are decided: account by account in turn. */
import { describe, expect, it } from "vitest"
import type { DueCampaign } from "../../../src/calling/campaigns/CampaignStore.ts"
import { crowdingAccounts, fromPlace, inTurn } from "../../../src/calling/campaigns/DialOrder.ts"
import { Ids } from "../../../src/platform/kernel/index.ts"

const due = (...names: ReadonlyArray<string>): ReadonlyArray<DueCampaign> =>
  names.map((id) => ({ id: Ids.as(id), tenantId: Ids.as(id[0]!), botId: null }))

const ids = (campaigns: ReadonlyArray<DueCampaign>) => campaigns.map(({ id }) => id as string)

describe("campaigns that are due", () => {
  it("are decided account by account in turn: none has its second before each had its first", () => {
    expect(ids(inTurn(due("a1", "a2", "a3", "b1", "c1", "b2"), 10))).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"])
  })

  it("are decided soonest first where every account has one", () => {
    expect(ids(inTurn(due("c1", "a1", "b1"), 2))).toEqual(["c1", "a1"])
  })

  it("are decided from another place on where another process decides the first ones", () => {
    expect(ids(fromPlace(due("a1", "b1", "c1"), 1))).toEqual(["b1", "c1", "a1"])
    expect(ids(fromPlace(due("a1", "b1"), 0))).toEqual(["a1", "b1"])
  })

  it("of an account with more than its share crowd out others", () => {
    expect(crowdingAccounts(due("a1", "a2", "a3", "b1", "b2"), 2)).toEqual(["a"])
    expect(crowdingAccounts(due("a1", "a2"), 2)).toEqual([])
  })
})
