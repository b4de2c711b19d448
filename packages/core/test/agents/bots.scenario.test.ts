/** Agents, as far as calls need them. Verifies: BOTS-1, BOTS-7. */
import { Accounts, Bots, Campaigns, Ids } from "@trunkline/core/effect"
import { describe, expect } from "vitest"
import { scenario } from "../calling/calls/Scenarios.ts"

const given = { name: "Asha", type: "messaging", systemPrompt: "Be kind.", isActive: true, config: { greeting: "Hi" } }

describe("agents", () => {
  scenario("are made, read and listed newest first", function* (stage) {
    const first = yield* stage.run(Bots.use((bots) => bots.create(stage.tenant, given)))
    yield* stage.wait(1_000)
    const second = yield* stage.run(Bots.use((bots) => bots.create(stage.tenant, { ...given, name: "Bina" })))
    expect(first).toMatchObject({ ...given, tenantId: stage.tenant, createdAt: first.updatedAt })
    expect(yield* stage.run(Bots.use((bots) => bots.get(stage.tenant, first.id)))).toEqual(first)
    expect(yield* stage.run(Bots.use((bots) => bots.list(stage.tenant, { limit: 9, offset: 0 })))).toEqual({
      items: [second, first],
      total: 2
    })
    expect((yield* stage.run(Bots.use((bots) => bots.list(stage.tenant, { limit: 1, offset: 1 })))).items).toEqual([
      first
    ])
  })

  scenario("are the account's own", function* (stage) {
    const { id } = yield* stage.run(Bots.use((bots) => bots.create(stage.tenant, given)))
    const them = yield* stage.run(
      Accounts.use((accounts) => accounts.create({ name: "Other", plan: "free", voiceCampaigns: true }))
    )
    expect(yield* stage.fails(Bots.use((bots) => bots.get(them.id, id)))).toMatchObject({ _tag: "BotNotFound" })
    expect(
      yield* stage.fails(Bots.use((bots) => bots.get(stage.tenant, Ids.as("01936f00-0000-7000-8000-0000000000ff"))))
    ).toMatchObject({ _tag: "BotNotFound" })
    expect((yield* stage.run(Bots.use((bots) => bots.list(them.id, { limit: 9, offset: 0 })))).total).toBe(0)
  })

  // Verifies: D-150.
  scenario("cannot be removed while a campaign that has not ended uses them", function* (stage) {
    const { id: botId } = yield* stage.run(Bots.use((bots) => bots.create(stage.tenant, given)))
    const remove = Bots.use((bots) => bots.remove(stage.tenant, botId))
    const id = yield* stage.draft({ botId }, [])
    for (const to of ["scheduled", "running", "paused", "running"] as const) {
      expect(yield* stage.fails(remove)).toMatchObject({
        _tag: "StillInUse",
        message: "This agent is used by a campaign that has not ended. Change or end the campaign first."
      })
      yield* stage.move(id, to)
    }
    expect(yield* stage.run(Bots.use((bots) => bots.get(stage.tenant, botId)))).toMatchObject(given)
    yield* stage.move(id, "completed")
    yield* stage.run(remove)
    expect(yield* stage.fails(remove)).toMatchObject({ _tag: "BotNotFound" })
    expect((yield* stage.campaign(id)).botId).toBe(botId)
  })

  scenario("can be removed once the campaign has another agent, is cancelled or gone", function* (stage) {
    const make = stage.run(Bots.use((bots) => bots.create(stage.tenant, given)))
    const [one, two, three] = [yield* make, yield* make, yield* make]
    const remove = (botId: Ids.BotId) => stage.run(Bots.use((bots) => bots.remove(stage.tenant, botId)))
    const id = yield* stage.draft({ botId: one.id }, [])
    yield* stage.change(id, { botId: two.id })
    yield* remove(one.id)
    yield* stage.move(id, "cancelled")
    yield* remove(two.id)
    const gone = yield* stage.draft({ botId: three.id }, [])
    yield* stage.run(
      Campaigns.use((campaigns) => campaigns.remove(stage.tenant, gone, { id: "user:anna", name: "Anna" }))
    )
    yield* remove(three.id)
  })
})
