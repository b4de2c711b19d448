/** What an agent on a telephone knows of the person: docs/reference/voice-agent.md#variables. Verifies: VAGT-3. */
import { simulator } from "@trunkline/providers/simulator"
import { afterAll, beforeAll, expect, it } from "vitest"
import { until } from "./VoiceSteps.ts"
import { type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

let world: VoiceWorld
beforeAll(async () => {
  world = await voiceWorld({ options: { telephony: simulator({ speed: 20 }) } })
})
afterAll(() => world.stop())

const to = "+14155550107"

// Verifies: V-120.
it("a call's agent knows the person of its number as the address book has them", async () => {
  const { body: bot } = await world.ask("POST", "/api/v1/bots", {
    name: "Asha",
    type: "voice",
    system_prompt: "You sell tea to {{company}}.",
    config: {
      model: "gemma-4-26b-a4b-it",
      greeting: "Hello {{first_name}} of {{company}}, your {{custom.plan}} plan, {{email}}. {{unknown}}"
    }
  })
  const { body: campaign } = await world.ask("POST", "/api/v1/voice-campaigns", { name: "Tea", bot_id: bot.id })
  const form = new FormData()
  const csv = `phone,name,email,company,custom.plan\n${to},Ada Lovelace,ada@example.com,Engines,gold\n`
  form.append("file", new Blob([csv], { type: "text/csv" }), "people.csv")
  form.append("dry_run", "false")
  const imported = await fetch(`${world.origin}/api/v1/voice-campaigns/${campaign.id}/contacts/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${world.key}` },
    body: form
  })
  expect(await imported.json()).toMatchObject({ dry_run: false, created: 1 })
  const { body: call } = await world.ask("POST", "/api/v1/telephony/calls", { to, bot_id: bot.id })
  const socket = new WebSocket(
    `${world.origin.replace("http", "ws")}/api/v1/telephony/simulator/calls/${call.id}/audio`,
    ["token", world.key]
  )
  const said = async () => (await world.ask("GET", `/api/v1/telephony/calls/${call.id}/transcript`)).body[0]?.text
  expect(await until(said, "a greeting")).toBe("Hello Ada of Engines, your gold plan, ada@example.com.")
  socket.close()
})
