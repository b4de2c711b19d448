/** Conversations whose upstreams are slow, broken, empty or lying. Verifies: PIPE-2, PIPE-4, LIVE-3, LIVE-4. */

import { setTimeout as sleep } from "node:timers/promises"
import { atMost } from "@trunkline/testing/slow-machine"
import type { FakeHearing, FakeReply, FakeSpeech } from "@trunkline/testing/upstreams"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, shortTimeout, until, type VoiceClient, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const [llm, otherLlm] = ["gemma-4-26b-a4b-it", "oss-120b"]
const [tts, otherTts] = ["bulbul:v3", "tts-1"]

/** What the model answers to what a caller says, by the case's name in it. */
const thoughts: Readonly<Record<string, (model: string) => FakeReply>> = {
  "is fine": () => ({ text: "It is fine." }),
  "fails on the first": (model) => (model === llm ? { status: 500 } : { text: "The other one answers." }),
  fails: () => ({ status: 500 }),
  hangs: () => ({ fault: "hangs" }),
  "says nothing": () => ({ text: "" }),
  "is no stream": () => ({ raw: "<html>Bad gateway</html>" }),
  "is broken JSON": () => ({ raw: 'data: {"choices":[{"delta":\n\ndata: [DONE]\n\n' }),
  "is a sign": () => ({ text: "👍" }),
  breaks: () => ({ text: "Let me think about that. There are ", fault: "breaks" }),
  "calls for ever": () => ({ calls: [{ id: "same", name: "no_such_function", arguments: "{}" }] }),
  "is dressed up": () => ({
    text: "**Hello** 👋 there, see [our page](https://example.com/a?b=c) for `more`.\n\n- One thing.\n- Another thing."
  }),
  "cannot be spoken": () => ({ text: "Unspeakable words." }),
  "hangs in speech": () => ({ text: "Hanging words." }),
  "breaks in speech": () => ({ text: "Broken words are these. And these are never heard." }),
  "speaks with the other": () => ({ text: "Second voice." })
}

const speech = (text: string, model: string): number | FakeSpeech => {
  if (text.startsWith("Unspeakable")) return -1
  if (text.startsWith("Hanging")) return { fault: "hangs" }
  if (text.startsWith("Broken")) return { ms: 300, fault: "breaks" }
  if (text.startsWith("Second") && model === tts) return { raw: "" }
  return text.length * 10
}

/** The listening models of the cases. */
const hearings: Readonly<Record<string, string | FakeHearing>> = {
  "nova-3": { status: 500 },
  "ink-whisper": { fault: "hangs" },
  "saaras:v4": { raw: "<html>Bad gateway</html>" },
  "deepgram-nova-3": "  "
}

const short = shortTimeout(1500)

let world: VoiceWorld
beforeAll(async () => {
  world = await voiceWorld({
    options: { voice: { llmTimeoutMs: short, sttTimeoutMs: short, ttsTimeoutMs: short } },
    fake: {
      thinks: (_, messages, model) => {
        const said = messages.filter(({ role }) => role === "user").at(-1)?.content
        return thoughts[String(said)]?.(model) ?? { text: "Hello." }
      },
      speaks: speech,
      hears: (_, model) => hearings[model] ?? "is fine"
    }
  })
})
afterAll(() => world.stop())

const say = (client: VoiceClient, content: string) => client.send({ type: "InjectUserMessage", content })

/** Hangs up, and returns the session's rows. */
const left = async (client: VoiceClient) => {
  client.socket.close()
  const session = await world.ended(client)
  const rows = await world.ask("GET", `/v1/usage/logs?session_id=${session.id}`)
  const transcript = await world.ask("GET", `/v1/voice/sessions/${session.id}/transcript`)
  return { session, rows: rows.body as ReadonlyArray<Answer>, transcript: transcript.body as ReadonlyArray<Answer> }
}

/** Waits until the agent has been heard to its end as many times: then it is stored. */
const played = async (client: VoiceClient, times = 1) => {
  const { request_id: id } = await client.hears("Welcome")
  const transcript = async (): Promise<ReadonlyArray<Answer>> =>
    (await world.ask("GET", `/v1/voice/sessions/${String(id)}/transcript`)).body
  const count = async () => (await transcript()).filter(({ role }) => role === "assistant").length
  await until("the agent was heard", async () => (await count()) === times)
}

/** Waits until a request for speech of the session has failed. */
const unspoken = async (client: VoiceClient) => {
  const { request_id: id } = await client.hears("Welcome")
  const rows = async (): Promise<ReadonlyArray<Answer>> =>
    (await world.ask("GET", `/v1/usage/logs?session_id=${String(id)}`)).body
  await until("a request failed", async () =>
    (await rows()).some(({ service, status }) => service === "tts" && status !== 200)
  )
}

const thoughtOf = (content: string) =>
  world.upstream.of("llm").filter(({ body }) => (body.messages as ReadonlyArray<Answer>).at(-1)?.content === content)

const trouble = "I am having trouble right now. Please say that again in a moment."
const goodbye = "I am sorry, something is wrong here. Goodbye."

describe.concurrent("a language model", () => {
  it.each(["fails", "hangs", "says nothing", "is no stream", "is broken JSON", "is a sign", "calls for ever"])(
    "that %s is said to be in trouble, and ends the session the second time",
    async (fault) => {
      const client = await world.begin()
      say(client, fault)
      await client.hears("AgentAudioDone")
      expect(client.texts("assistant")).toBe(trouble)
      say(client, fault)
      expect(await client.hears("Error")).toMatchObject({ code: "FAILED_TO_THINK" })
      expect(await client.closed).toEqual({ code: 1000, reason: "agent_error" })
      expect(client.texts("assistant")).toBe(`${trouble} ${goodbye}`)
      const { session, transcript } = await left(client)
      expect(session).toMatchObject({ status: "failed", end_reason: "agent_error", turn_count: 2 })
      expect(transcript.map(({ role }) => role)).toEqual(
        fault === "calls for ever"
          ? ["user", ...Array(4).fill("tool"), "assistant", "user", ...Array(4).fill("tool"), "assistant"]
          : ["user", "assistant", "user", "assistant"]
      )
      // What went wrong is nothing that the model knows of.
      expect(JSON.stringify(thoughtOf(fault).at(-1)?.body)).not.toContain("I am having trouble")
    }
  )

  it("that fails is replaced by the next, and passed over by the next turn", async () => {
    const client = await world.begin({ think: [{ provider: { model: llm } }, { provider: { model: otherLlm } }] })
    say(client, "fails on the first")
    await client.hears("AgentAudioDone")
    expect(client.messages.filter(({ type }) => type === "Warning")).toMatchObject([{ code: "THINK_REQUEST_FAILED" }])
    expect(client.texts("assistant")).toBe("The other one answers.")
    const { length } = thoughtOf("fails on the first")
    say(client, "fails on the first")
    await client.hears("AgentAudioDone", 2)
    expect(
      thoughtOf("fails on the first")
        .slice(length)
        .map(({ body }) => body.model)
    ).toEqual([otherLlm])
    const { rows } = await left(client)
    expect(rows.filter(({ model, credits }) => model === llm && credits > 0)).toEqual([])
    expect(rows.filter(({ model, status }) => model === otherLlm && status === 200)).toHaveLength(2)
  })

  it("whose answer breaks after words leaves them as they are, and the session goes on", async () => {
    const client = await world.begin()
    say(client, "breaks")
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("Let me think about that. There are")
    await played(client)
    say(client, "is fine")
    await client.hears("AgentAudioDone", 2)
    const { transcript } = await left(client)
    expect(transcript[1]).toMatchObject({ role: "assistant", text: "Let me think about that. There are" })
  })

  it("whose run is abandoned is broken off at once, and nothing of it is said or stored", async () => {
    const client = await world.begin()
    const { length } = thoughtOf("hangs")
    say(client, "hangs")
    await until("the model is asked", () => thoughtOf("hangs").length > length)
    const run = thoughtOf("hangs").at(-1)
    const from = Date.now()
    say(client, "is fine")
    await until("the run is broken off", () => run?.brokenOffAt != null)
    expect(run!.brokenOffAt! - from).toBeLessThan(atMost(600))
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("Hello.")
    const { transcript } = await left(client)
    // Both messages are one turn, which has one reply.
    expect(transcript.map(({ role, text }) => `${role} ${text}`)).toEqual([
      "user hangs",
      "user is fine",
      "assistant Hello."
    ])
  })

  it("that writes for the eye is spoken for the ear, and billed for what is spoken", async () => {
    const client = await world.begin()
    say(client, "is dressed up")
    await client.hears("AgentAudioDone")
    const said = client.texts("assistant")
    expect(said).toMatch(/^Hello there, see our page for more\./)
    expect(said).not.toMatch(/[*`👋[\]]|https?:|example\.com/u)
    const { rows } = await left(client)
    const spoken = rows.filter(({ service }) => service === "tts")
    const asked = world.upstream.of("tts").map(({ body }) => String(body.input))
    expect(asked.join(" ")).toContain("see our page for more")
    const points = client.messages.flatMap(({ content, role, type }) =>
      type === "ConversationText" && role === "assistant" ? [...String(content)].length : []
    )
    expect(spoken.reduce((sum, { units }) => sum + units, 0)).toBe(points.reduce((sum, n) => sum + n, 0))
  })
})

describe.concurrent("a model that speaks", () => {
  it.each(["cannot be spoken", "hangs in speech"])("%s: the second reply ends the session", async (fault) => {
    const client = await world.begin()
    say(client, fault)
    await unspoken(client)
    expect(client.types).not.toContain("AgentStartedSpeaking")
    say(client, fault)
    expect(await client.hears("Error")).toMatchObject({ code: "FAILED_TO_SPEAK" })
    expect(await client.closed).toEqual({ code: 1000, reason: "agent_error" })
    // The goodbye is another sentence, which can be spoken.
    expect(client.texts("assistant")).toBe(goodbye)
    const { rows } = await left(client)
    expect(rows.filter(({ service, status, credits }) => service === "tts" && status !== 200 && credits > 0)).toEqual(
      []
    )
  })

  it("that cannot speak the greeting ends the session before it begins", async () => {
    const client = await world.begin({ greeting: "Unspeakable greeting." })
    expect(await client.hears("Error")).toMatchObject({ code: "FAILED_TO_SPEAK" })
    expect(await client.closed).toEqual({ code: 1000, reason: "start_failed" })
    expect(await world.ended(client)).toMatchObject({ status: "failed", end_reason: "start_failed" })
  })

  it("that fails is replaced by the next, and passed over by the next sentence", async () => {
    const speak = [{ provider: { model: tts } }, { provider: { model: otherTts, voice: "alloy" } }]
    const client = await world.begin({ speak })
    say(client, "speaks with the other")
    await client.hears("AgentAudioDone")
    expect(client.messages.filter(({ type }) => type === "Warning")).toMatchObject([{ code: "SPEAK_REQUEST_FAILED" }])
    expect(client.texts("assistant")).toBe("Second voice.")
    say(client, "is fine")
    await client.hears("AgentAudioDone", 2)
    const { rows } = await left(client)
    const speaking = rows.filter(({ service, status }) => service === "tts" && status === 200)
    expect(speaking.map(({ model }) => model)).toEqual([otherTts, otherTts])
  })

  it("whose sound breaks off is heard as far as it came, and the session goes on", async () => {
    const client = await world.begin()
    say(client, "breaks in speech")
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("Broken words are these.")
    expect(client.soundBytes).toBeGreaterThanOrEqual(250 * 48)
    await played(client)
    say(client, "is fine")
    await client.hears("AgentAudioDone", 2)
    expect(client.texts("assistant")).toBe("Broken words are these. It is fine.")
    await left(client)
  })
})

describe.concurrent("a model that listens", () => {
  const listening = (model: string) => ({ listen: { provider: { model } } })

  // Verifies: V-212.
  it.each([
    ["fails", "nova-3"],
    ["hangs", "ink-whisper"],
    ["answers nonsense", "saaras:v4"]
  ])("that %s has the agent ask again, and ends the session the third time", async (_, model) => {
    const client = await world.begin(listening(model))
    for (const n of [1, 2]) {
      await client.speak(700)
      await client.hears("AgentAudioDone", n)
      await played(client, n)
    }
    expect(client.texts("assistant")).toBe(
      Array(2).fill("Sorry, I did not catch that. Could you say it again?").join(" ")
    )
    await client.speak(700)
    expect(await client.hears("Error")).toMatchObject({ code: "ASR_CONNECTION_CLOSED" })
    expect(await client.closed).toEqual({ code: 1000, reason: "agent_error" })
    const warned = client.messages.filter(({ type }) => type === "Warning")
    expect(warned.map(({ code }) => code)).toEqual(Array(3).fill("LISTEN_REQUEST_FAILED"))
    const { rows, session } = await left(client)
    const lines = world.log
      .map(({ message }) => message)
      .filter((line) => line.startsWith(`the voice session ${session.id}: listening by ${model} failed`))
    expect(lines).toHaveLength(3)
    const times = lines.map((line) => Number(/ after (\d+) ms: upstream \w+: \w+: ./.exec(line)?.[1]))
    // The time to the transcript is 1,500 ms. A timer counts by another clock than the log, which may be a few milliseconds apart.
    expect(times.map((ms) => ms >= 1490)).toEqual(Array(3).fill(model === "ink-whisper"))
    expect(rows.filter(({ credits, service }) => service === "stt" && credits > 0)).toEqual([])
  })

  it("that hears nothing has nothing answered", async () => {
    const client = await world.begin(listening("deepgram-nova-3"))
    const { length } = world.upstream.of("stt")
    await client.speak(700)
    await until("it was asked", () => world.upstream.of("stt").length > length)
    await sleep(500)
    expect(client.types).not.toContain("ConversationText")
    expect(client.types).not.toContain("AgentStartedSpeaking")
    await left(client)
  })

  it("that hangs is replaced by the agent's fallback", async () => {
    const { body: bot } = await world.ask("POST", "/api/v1/bots", {
      ...{ name: "Ada", system_prompt: "You are Ada." },
      config: { model: llm, stt_model: "ink-whisper", stt_fallback_model: "saaras:v3" }
    })
    const client = world.connect()
    await client.hears("Welcome")
    client.send({ type: "Settings", agent: bot.id })
    await client.hears("SettingsApplied")
    await client.speak(700)
    await client.hears("AgentAudioDone")
    expect(client.texts("user")).toBe("is fine")
    const { rows } = await left(client)
    const heard = rows.filter(({ credits, service }) => service === "stt" && credits > 0)
    expect(heard.map(({ model }) => model)).toEqual(["saaras:v3"])
  })
})
