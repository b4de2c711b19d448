/** Clients of the agent's socket that send what no client should, frame by frame. Verifies: ASOC-1, ASOC-2, ASOC-3, SOCK-3. */
import { setTimeout as sleep } from "node:timers/promises"
import { accelerated } from "@trunkline/core"
import { frame, opcodes, SocketClient } from "@trunkline/testing/http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until, type VoiceClient, type VoiceWorld, voice, voiceWorld } from "./VoiceWorld.ts"

const path = "/v1/agent/converse"
const settings = JSON.stringify({ type: "Settings", agent: { think: { provider: { model: "gemma-4-26b-a4b-it" } } } })

/** A client whose every byte is the test's, and what it has heard. */
class RawClient {
  readonly socket: SocketClient
  readonly heard: Array<Record<string, unknown>> = []

  constructor({ key, origin }: Pick<VoiceWorld, "key" | "origin">, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new SocketClient(origin, path, { headers: { authorization: `Token ${key}`, ...headers } })
  }

  /** Waits for a message of a type. */
  async hears(type: string): Promise<Record<string, unknown>> {
    for (;;) {
      const message = JSON.parse((await this.socket.next(opcodes.text)).data.toString())
      this.heard.push(message)
      if (message.type === type) return message
    }
  }

  async begin(): Promise<this> {
    expect(await this.socket.answered()).toBe(101)
    await this.hears("Welcome")
    this.socket.send(settings)
    await this.hears("SettingsApplied")
    return this
  }
}

const sessionOf = async (world: VoiceWorld, { heard }: RawClient) => {
  const id = String(heard.find(({ type }) => type === "Welcome")?.request_id)
  const session = () => world.ask("GET", `/v1/voice/sessions/${id}`)
  await until("the session is over", async () => (await session()).body.ended_at !== null)
  return (await session()).body
}

/** Sound at 24 kHz with nothing after it. */
const words = (ms: number): Int16Array<ArrayBuffer> => {
  const samples = new Int16Array((100 + ms) * 24)
  samples.set(voice(ms), 100 * 24)
  return samples
}

const mebibyte = 1024 * 1024

describe("a client that ends the caller's turn right after the last sound", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({
      fake: { hears: (nth) => `Question ${nth}, and`, thinks: () => ({ text: "It costs ten." }), speaks: () => 200 }
    })
  })
  afterAll(() => world.stop())

  // Verifies: V-44.
  it("is answered at once, with one transcription, turn by turn", async () => {
    const client = await world.begin()
    for (const nth of [1, 2, 3, 4]) {
      await client.sounds(words(700))
      client.send({ type: "ForceEndTurn" })
      await client.sounds(new Int16Array(400 * 24))
      await client.hears("LatencyReport", nth)
      await client.hears("AgentAudioDone", nth)
      await sleep(400)
    }
    expect(client.types.filter((type) => type === "UserStartedSpeaking")).toHaveLength(4)
    expect(world.upstream.of("stt")).toHaveLength(4)
    client.socket.close()
    expect(await world.ended(client)).toMatchObject({ turn_count: 4 })
  })
})

describe("what a client sends", () => {
  let world: VoiceWorld
  /** Talks before and after all others, and notices nothing. */
  let other: VoiceClient
  beforeAll(async () => {
    world = await voiceWorld({
      fake: { hears: () => "What is the price?", thinks: () => ({ text: "It costs ten." }) }
    })
    other = await world.begin()
  })
  afterAll(async () => {
    other.send({ type: "InjectUserMessage", content: "Are you still there?" })
    await other.hears("AgentAudioDone")
    expect(other.texts("assistant")).toBe("It costs ten.")
    expect(other.types).not.toContain("Warning")
    other.socket.close()
    await other.closed
    await world.stop()
  })

  it.concurrent.each([
    ["a frame without a mask", frame(opcodes.text, "{}", { isMasked: false }), 1002],
    ["a compressed frame that nobody agreed on", frame(opcodes.text, "{}", { reserved: 4 }), 1002],
    ["a frame of an unknown kind", frame(3, "x"), 1002],
    ["a text that is no UTF-8", frame(opcodes.text, Buffer.of(0x7b, 0xc3, 0x28, 0x7d)), 1007],
    ["a text that is cut within a character", frame(opcodes.text, Buffer.from('{"type":"é').subarray(0, -1)), 1007],
    ["a message of more than 1 MiB", frame(opcodes.binary, Buffer.alloc(mebibyte + 1)), 1009],
    ["a text of more than 256 KiB", frame(opcodes.text, " ".repeat(256 * 1024 + 1)), 1009]
  ])("%s: the connection is closed, and the session ends as one whose client has gone", async (_, bytes, code) => {
    const client = await new RawClient(world).begin()
    client.socket.write(bytes)
    expect((await client.socket.closeCode())[0]).toBe(code)
    client.socket.tcp.end()
    expect(await sessionOf(world, client)).toMatchObject({ status: "completed", end_reason: "client_disconnect" })
  })

  it.concurrent("does not agree on compression", async () => {
    const client = await new RawClient(world, { "sec-websocket-extensions": "permessage-deflate" }).begin()
    expect(client.socket.headers["sec-websocket-extensions"]).toBeUndefined()
    client.socket.tcp.destroy()
    expect(await sessionOf(world, client)).toMatchObject({ end_reason: "client_disconnect" })
  })

  it.concurrent("a message cut at any byte is warned of, and the session goes on", async () => {
    const client = await new RawClient(world).begin()
    const whole = JSON.stringify({ type: "InjectUserMessage", content: "What is the price?" })
    for (let at = 0; at < whole.length; at++) client.socket.send(whole.slice(0, at))
    client.socket.send(whole)
    await client.hears("AgentAudioDone")
    const warnings = client.heard.filter(({ type }) => type === "Warning")
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(["UNPARSABLE_CLIENT_MESSAGE"]))
    expect(warnings).toHaveLength(whole.length)
    client.socket.tcp.destroy()
    await sessionOf(world, client)
  })

  it.concurrent("sound in frames that end within a sample is heard like any other, and the last piece is dropped", async () => {
    const client = await new RawClient(world).begin()
    const samples = new Int16Array(2000 * 24)
    samples.set(voice(900), 200 * 24)
    const bytes = Buffer.from(samples.buffer)
    const from = performance.now()
    for (let at = 0; at < bytes.length; at += 1919) {
      client.socket.send(bytes.subarray(at, at + 1919))
      // In real time: 40 ms in each frame.
      await sleep(Math.max(0, from + at / 48 - performance.now()))
    }
    expect(await client.hears("ConversationText")).toMatchObject({ role: "user", content: "What is the price?" })
    client.socket.send(Buffer.of(0x7f))
    await client.hears("AgentAudioDone")
    expect(client.heard.map(({ type }) => type)).not.toContain("Warning")
    client.socket.tcp.destroy()
    await sessionOf(world, client)
  })

  it.concurrent("ten thousand frames of a sample each end the session, before they are looked at", async () => {
    const client = await new RawClient(world).begin()
    client.socket.write(...Array.from({ length: 10_000 }, () => frame(opcodes.binary, Buffer.alloc(2))))
    expect(await client.hears("Error")).toMatchObject({ code: "CLIENT_LIMIT_EXCEEDED" })
    expect(await client.socket.closeCode()).toEqual([1008, "client_disconnect"])
    client.socket.tcp.end()
    expect(await sessionOf(world, client)).toMatchObject({ end_reason: "client_disconnect" })
  })

  it.concurrent("what comes before the settings are applied counts afterwards", async () => {
    const kept = new RawClient(world)
    await kept.hears("Welcome")
    const message = JSON.stringify({ type: "InjectUserMessage", content: "Early." })
    kept.socket.write(
      frame(opcodes.text, settings),
      frame(opcodes.binary, Buffer.alloc(60_000)),
      frame(opcodes.text, message)
    )
    await kept.hears("AgentAudioDone")
    kept.socket.tcp.destroy()
    expect(await sessionOf(world, kept)).toMatchObject({ turn_count: 1 })
  })

  it.concurrent("a client that reads nothing is cut off, and its session is over", async () => {
    const client = await new RawClient(world).begin()
    client.socket.tcp.pause()
    // Each comes back twice, in the text and in the history: some megabytes of them are in the buffers of the system.
    const content = "x".repeat(200_000)
    const messages = Array.from({ length: 60 }, () =>
      frame(opcodes.text, JSON.stringify({ type: "InjectUserMessage", content }))
    )
    client.socket.write(...messages)
    const session = await sessionOf(world, client)
    expect(session).toMatchObject({ status: "completed", end_reason: "client_disconnect" })
    client.socket.tcp.destroy()
  })
})

it("a client that answers no ping is gone after half a minute", async () => {
  const clock = accelerated(Date.UTC(2026, 10, 21), 50)
  const world = await voiceWorld({
    options: { clock, voice: { settingsTimeoutMs: 600_000, idleTimeoutSeconds: 3600 } }
  })
  const client = await new RawClient(world).begin()
  const from = clock.now()
  await client.socket.closed()
  expect(clock.now() - from).toBeGreaterThan(29_000)
  expect(client.socket.frames.map(({ opcode }) => opcode)).not.toContain(opcodes.close)
  expect(await sessionOf(world, client)).toMatchObject({ status: "completed", end_reason: "client_disconnect" })
  await world.stop()
})
