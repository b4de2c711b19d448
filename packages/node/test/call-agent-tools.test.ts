/** What an agent does on the telephone for a caller who asks for it: docs/reference/voice-agent.md#tools. Verifies: CAGT-4, CAGT-5, CAGT-6. */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { channelProvider } from "@trunkline/core/provider"
import { recordings } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import {
  FakeChatPlatform,
  inbound,
  inboundMessages,
  sampleBusinessAccount,
  sampleNumber,
  signed
} from "@trunkline/testing/messaging"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CallOfAgent, callTo, greeting, newBot, until } from "./CallWorld.ts"
import { type Answer, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const appSecret = "the secret of the platform's app"

describe("on a call with an agent", () => {
  const platform = new FakeChatPlatform()
  let world: VoiceWorld
  let folder: string
  let runs = 0
  let thinks = (_nth: number): object => ({ text: "Yes." })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "recordings-"))
    world = await voiceWorld({
      fake: { sttMs: 30, llmMs: 30, ttsMs: 20, hears: () => "Do it, please.", thinks: () => thinks(++runs) },
      options: {
        telephony: simulator({ speed: 10 }),
        messaging: { platform: channelProvider(platform.layer), appSecret },
        workers: { replies: false },
        recordings: recordings({ folder })
      }
    })
  })
  afterAll(async () => {
    await world.stop()
    await rm(folder, { recursive: true })
  })

  const call = async (to: string, config: object = {}) => {
    runs = 0
    return await callTo(world, to, await newBot(world, config))
  }
  type Ringing = Awaited<ReturnType<typeof call>>

  /** The model calls a function at once, and then says "Done." */
  const uses = (name: string, args: object) => {
    thinks = (nth) => (nth === 1 ? { calls: [{ id: "c1", name, arguments: JSON.stringify(args) }] } : { text: "Done." })
  }
  const hangsUp = async (one: Ringing) => {
    one.callee.say({ type: "hangup" })
    await one.ended()
  }
  /** The function that the model called, and what came of it. */
  const functionOf = async (one: Ringing): Promise<Answer> => {
    await one.said("Done.")
    return (await one.transcript()).find(({ role }) => role === "tool").tool
  }
  const offered = (): ReadonlyArray<Answer> =>
    (world.upstream.of("llm").at(-1)!.body.tools as ReadonlyArray<Answer>).map((tool) => tool.function)

  describe("a chat message", () => {
    const wants = { tools: ["send_message"] }

    it("is no tool of an agent whose account has no number to send from", async () => {
      uses("send_message", { text: "Hi" })
      const one = await call("+14155550110", wants)
      await one.asks()
      await one.said("Done.")
      expect(offered().map(({ name }) => name)).not.toContain("send_message")
      expect(platform.accepted).toEqual([])
      await hangsUp(one)
      const number = {
        phone_number_id: sampleNumber.phoneNumberId,
        business_account_id: sampleBusinessAccount,
        access_token: "EAAG-x"
      }
      expect((await world.ask("POST", "/api/v1/messaging/phone_numbers", number)).status).toBe(201)
    })

    // Verifies: V-129.
    it("is refused to the model outside the window, in a sentence", async () => {
      uses("send_message", { text: "Hi", phone: "+14155550199", to: "14155550199" })
      const one = await call("+14155550111", wants)
      await one.asks()
      const { result } = await functionOf(one)
      expect(result).toContain("This customer has never written to this number")
      expect(offered().find(({ name }) => name === "send_message").parameters.properties).toEqual({
        text: expect.anything()
      })
      expect(platform.accepted).toEqual([])
      await hangsUp(one)
    })

    // Verifies: V-129.
    it("goes to the person on the line, whatever number the model names", async () => {
      const written = inbound.text("Hi", {
        from: "14155550112",
        from_user_id: undefined,
        timestamp: String(Math.floor(Date.now() / 1000) - 60)
      })
      const { bytes, headers } = signed(inboundMessages(written), appSecret)
      const delivered = await fetch(`${world.origin}/api/v1/messaging/inbound`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: Buffer.from(bytes)
      })
      expect(delivered.status).toBe(200)
      uses("send_message", { text: "Your order is ready.", phone: "+14155550199", to: "14155550199" })
      const one = await call("+14155550112", wants)
      await one.asks()
      expect(await functionOf(one)).toMatchObject({ name: "send_message", result: '{"done":true}' })
      expect(platform.accepted.map(({ body, to }) => [to, body.text])).toEqual([
        ["14155550112", expect.objectContaining({ body: "Your order is ready." })]
      ])
      await hangsUp(one)
    })

    it("is no tool of an agent that does not ask for it", async () => {
      uses("send_message", { text: "Hi" })
      const one = await call("+14155550112")
      await one.asks()
      await one.said("Done.")
      expect(offered().map(({ name }) => name)).not.toContain("send_message")
      expect(platform.accepted).toHaveLength(1)
      await hangsUp(one)
    })
  })

  describe("a transfer", () => {
    const target = (phone: string) => ({ transfer_targets: [{ name: "Sales", phone, description: "" }] })

    // Verifies: V-126.
    it("to a person on the do-not-call list is refused to the model, and the conversation goes on", async () => {
      const listed = "+14155550151"
      await world.ask("POST", "/api/v1/voice-campaigns/dnc", { entries: [{ phone: listed }] })
      uses("transfer_call", { target: "Sales" })
      const one = await call("+14155550113", target(listed))
      await one.asks()
      expect((await functionOf(one)).result).toContain("must not be called")
      expect(await one.session()).toMatchObject({ status: "active" })
      await hangsUp(one)
    })

    it("to a target that the agent does not have is refused to the model", async () => {
      uses("transfer_call", { target: "+14155550199" })
      const one = await call("+14155550114", target("+14155550152"))
      await one.asks()
      expect((await functionOf(one)).result).toContain("no such target")
      expect(await one.session()).toMatchObject({ status: "active" })
      await hangsUp(one)
    })
  })

  describe("a recording", () => {
    const files = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())

    it("is stopped and deleted by the caller's wish, and is not there afterwards", async () => {
      uses("stop_recording", {})
      const one = await call("+14155550115", { record_calls: true, recording_notice: "This call is recorded." })
      await one.said(greeting)
      expect(await files()).toHaveLength(1)
      await one.asks()
      expect(await functionOf(one)).toMatchObject({ name: "stop_recording", result: '{"done":true}' })
      expect(offered().map(({ name }) => name)).not.toContain("stop_recording")
      expect(await files()).toEqual([])
      await hangsUp(one)
      const session = await one.session()
      expect(session.recording).not.toBe("available")
      expect((await world.ask("GET", `/v1/voice/sessions/${session.id}/recording`)).status).toBe(404)
      expect(await files()).toEqual([])
    })
  })

  describe("of a campaign", () => {
    it("the contact's name is in the greeting, and in the prompt as data", async () => {
      thinks = () => ({ text: "Yes." })
      const botId = await newBot(
        world,
        { greeting: `Hello {{first_name}}. ${greeting}` },
        "You talk with {{name}} at {{phone}}."
      )
      const { body: campaign } = await world.ask("POST", "/api/v1/voice-campaigns/", {
        ...{ name: "C", bot_id: botId, timezone: "UTC", quiet_hours_start: 0, quiet_hours_end: 24 }
      })
      const path = `/api/v1/voice-campaigns/${campaign.id}`
      await world.ask("POST", `${path}/contacts`, { contacts: [{ phone: "+14155550116", name: "Ada Lovelace" }] })
      for (const status of ["scheduled", "running"]) await world.ask("POST", `${path}/status`, { status })
      const placed = await until(async () => {
        const { body } = await world.ask("GET", `/api/v1/telephony/calls?campaign_id=${campaign.id}`)
        return body[0]
      }, "the campaign's call")
      const one = new CallOfAgent(world, placed.id)
      await one.asks()
      await one.said("Yes.")
      expect((await one.transcript())[0].text).toContain("Hello Ada.")
      const [system] = world.upstream.of("llm").at(-1)!.body.messages as ReadonlyArray<{ readonly content: string }>
      expect(system!.content).toContain("You talk with ⟦Ada Lovelace⟧ at ⟦+14155550116⟧.")
      await hangsUp(one)
    })
  })

  it("nothing of this was a fault", () => {
    expect(world.log.filter(({ level }) => level === "error" || level === "warn")).toEqual([])
  })
})
