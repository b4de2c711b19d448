/** What the page of a campaign offers, against the table of the state machine. */
import { Campaigns } from "@trunkline/core/domain"
import { describe, expect, it } from "vitest"
import { moves, takesContacts } from "../pages/campaigns/CampaignMoves.ts"

const { acceptsContacts, CampaignStatus, transitions } = Campaigns

describe("moves that the page of a campaign offers", () => {
  it("are those that the state machine allows to a caller, in every status", () => {
    const allowed = Object.fromEntries(
      CampaignStatus.literals.map((from) => [
        from,
        transitions.filter((row) => row.from === from && row.by.includes("caller")).map(({ to }) => to)
      ])
    )
    expect(moves).toEqual(allowed)
  })

  it("add contacts in those statuses in which the server takes them", () => {
    expect(takesContacts).toEqual(CampaignStatus.literals.filter(acceptsContacts))
  })
})
