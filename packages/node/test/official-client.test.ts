/** The protocol's own client library, unchanged, against our address. Verifies: ASOC-2. */
import { setTimeout as sleep } from "node:timers/promises"
import { DeepgramClient } from "@deepgram/sdk"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Answer, type VoiceWorld, voice, voiceWorld } from "./VoiceWorld.ts"

let world: VoiceWorld
beforeAll(async () => {
  world = await voiceWorld({
    fake: { hears: () => "What time is it?", thinks: () => ({ text: "It is noon." }) }
  })
})
afterAll(() => world.stop())

// Verifies: V-1, V-13.
it("the official client holds a conversation, and does not connect again once it is over", async () => {
  const client = new DeepgramClient({ apiKey: world.key, baseUrl: world.origin.replace("http", "ws") } as Answer)
  const connection = await client.agent.v1.connect({} as Answer)
  const messages: Array<Answer> = []
  let soundBytes = 0
  let opened = 0
  connection.on("open", () => {
    opened += 1
  })
  connection.on("message", (message: Answer) => {
    if (typeof message?.type === "string" && !(message instanceof Blob)) messages.push(message)
    else soundBytes += message.byteLength ?? message.size
  })
  connection.connect()
  await connection.waitForOpen()
  connection.sendSettings({
    type: "Settings",
    audio: {
      input: { encoding: "linear16", sample_rate: 24_000 },
      output: { encoding: "linear16", sample_rate: 16_000, container: "none" }
    },
    agent: {
      language: "en",
      listen: { provider: { type: "deepgram", version: "v1", model: "saaras:v3" } },
      think: { provider: { type: "open_ai", model: "gemma-4-26b-a4b-it" }, prompt: "You tell the time." },
      speak: { provider: { type: "deepgram", model: "bulbul:v3" } },
      greeting: "Hello."
    }
  } as Answer)
  const types = () => messages.map(({ type }) => type)
  const until = async (type: string, count = 1) => {
    for (let tries = 0; types().filter((one) => one === type).length < count; tries++) {
      if (tries > 6000) throw new Error(`no ${type}: ${types()}`)
      await sleep(50)
    }
  }
  await until("SettingsApplied")
  await until("AgentAudioDone")
  await sleep(300)
  const samples = new Int16Array(2000 * 24)
  samples.set(voice(900), 200 * 24)
  for (let at = 0; at < samples.length; at += 960) {
    connection.sendMedia(samples.slice(at, at + 960))
    await sleep(38)
  }
  await until("LatencyReport")
  connection.sendKeepAlive({ type: "KeepAlive" })
  connection.sendInjectUserMessage({ type: "InjectUserMessage", content: "And the date?" })
  await until("LatencyReport", 2)
  expect(types()).toEqual(
    expect.arrayContaining(["Welcome", "UserStartedSpeaking", "ConversationText", "History", "AgentStartedSpeaking"])
  )
  expect(soundBytes).toBeGreaterThan(1000)
  const { request_id } = messages.find(({ type }) => type === "Welcome")
  await world.ask("DELETE", `/v1/voice/sessions/${request_id}`)
  // The library waits for at least a second before it connects again.
  await sleep(2500)
  expect(opened).toBe(1)
  expect(types().filter((type) => type === "Welcome")).toHaveLength(1)
  connection.close()
})
