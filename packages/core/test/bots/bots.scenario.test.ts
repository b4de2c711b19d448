/** Agents, as far as calls need them. Verifies: BOTS-1. */
import { Accounts, Bots, Ids } from "@trunkline/core/effect"
import { describe, expect } from "vitest"
import { scenario } from "../telephony/Scenarios.ts"

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
})
