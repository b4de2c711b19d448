/** Recordings of conversations on a socket: their notice, their routes, and what happens where one cannot be written. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RecordingFailed, RecordingFiles, recordingsProvider } from "@trunkline/core/provider"
import { recordings } from "@trunkline/node"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { asks, leaves, over, sessionOf, until } from "./VoiceSteps.ts"
import { type Answer, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const root = mkdtempSync(join(tmpdir(), "trunkline-voice-recording-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe("a session that is recorded", () => {
  const folder = join(root, "kept")
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({ options: { recordings: recordings({ folder }) } })
  })
  afterAll(() => world.stop())

  const wavOf = async (id: string) => {
    const headers = { authorization: `Bearer ${world.key}` }
    const answer = await fetch(`${world.origin}/v1/voice/sessions/${id}/recording`, { headers })
    return {
      status: answer.status,
      type: answer.headers.get("content-type"),
      wav: Buffer.from(await answer.arrayBuffer())
    }
  }

  // Verifies: V-18, V-175, V-176, V-177.
  it("says so first, and is recorded from then on: two channels at the rate of the line, once it has ended", async () => {
    const client = await world.begin(
      { record_calls: true, greeting: "Hello." },
      { audio: { input: { encoding: "linear16", sample_rate: 16_000 } } }
    )
    const id = await sessionOf(client)
    await client.hears("AgentAudioDone")
    expect(readdirSync(root)).toEqual([])
    await client.hears("AgentAudioDone", 2)
    expect(client.texts("assistant")).toBe("This call is recorded. Hello.")
    asks(client)
    await client.hears("AgentAudioDone", 3)
    expect((await wavOf(id)).status).toBe(409)
    expect(await leaves(world, client)).toMatchObject({ recording: "available", status: "completed" })
    const { status, type, wav } = await wavOf(id)
    expect([status, type]).toEqual([200, "audio/wav"])
    expect([wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([2, 16_000, 16])
    const samples = new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length))
    const [left, right] = [samples.filter((_, n) => n % 2 === 0), samples.filter((_, n) => n % 2 === 1)]
    expect([left.some((one) => one !== 0), right.some((one) => one !== 0)]).toEqual([false, true])
    expect(readdirSync(folder)).toEqual([`${id}.wav`])
    expect(statSync(join(folder, `${id}.wav`)).mode & 0o777).toBe(0o600)
  })

  // Verifies: V-176.
  it("has no recording once it is deleted, and never had one where nothing was recorded", async () => {
    const client = await world.begin({ record_calls: true, recording_notice_enabled: false })
    const id = await sessionOf(client)
    asks(client)
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).not.toContain("recorded")
    await leaves(world, client)
    expect((await world.ask("DELETE", `/v1/voice/sessions/${id}/recording`)).status).toBe(204)
    expect((await wavOf(id)).status).toBe(404)
    expect((await world.ask("GET", `/v1/voice/sessions/${id}`)).body.recording).toBe("deleted")
    const silent = await world.begin()
    const plain = await leaves(world, silent)
    expect(plain.recording).toBe("none")
    expect((await wavOf(plain.id)).status).toBe(404)
  })
})

// Verifies: V-130.
it("a recording is stopped and deleted where the caller asks the agent for it", async () => {
  const folder = join(root, "stopped")
  const world = await voiceWorld({
    fake: {
      thinks: (nth) =>
        nth === 1 ? { calls: [{ id: "c1", name: "stop_recording", arguments: "{}" }] } : { text: "It is deleted." }
    },
    options: { recordings: recordings({ folder }) }
  })
  const client = await world.begin({ record_calls: true })
  await client.hears("AgentAudioDone")
  await until(() => existsSync(folder) && readdirSync(folder).length === 1, "the recording")
  asks(client, "Do not record me.")
  await client.hears("AgentAudioDone", 2)
  expect(readdirSync(folder)).toEqual([])
  expect(client.types).not.toContain("FunctionCallRequest")
  const toolsOf = ({ body }: { readonly body: Answer }) => body.tools.map((one: Answer) => one.function.name)
  expect(world.upstream.of("llm").map(toolsOf)).toEqual([["end_call", "stop_recording"], ["end_call"]])
  expect(await leaves(world, client)).toMatchObject({ recording: "deleted", status: "completed" })
  expect(readdirSync(folder)).toEqual([])
  await world.stop()
})

describe("a recording that cannot be written", () => {
  // Verifies: V-64, V-200.
  it("before the first reply ends the session as one that could not begin", async () => {
    const file = join(root, "no-folder")
    writeFileSync(file, "")
    const world = await voiceWorld({ options: { recordings: recordings({ folder: file }) } })
    for (const noticed of [true, false]) {
      const client = world.connect()
      client.socket.addEventListener("open", () =>
        client.send({ type: "Settings", agent: { record_calls: true, recording_notice_enabled: noticed } })
      )
      expect(await client.hears("Error")).toMatchObject({ code: "INTERNAL_SERVER_ERROR" })
      expect(await client.closed).toEqual({ code: 1000, reason: "start_failed" })
      expect(await over(world, client)).toMatchObject({ status: "failed", end_reason: "start_failed" })
    }
    const ended = (await world.core.metrics()).find(({ name }) => name === "trunkline_voice_sessions_total")!
    expect(ended.samples).toEqual([{ labels: { end_reason: "start_failed" }, value: 2 }])
    await world.stop()
  })

  // Verifies: V-67.
  it("after a reply ends it as a fault of the agent, with what was said", async () => {
    let fails: (() => void) | null = null
    const provider = recordingsProvider(
      Layer.succeed(RecordingFiles, {
        keepMs: 0,
        open: (_id, _rate, onFailure) =>
          Effect.sync(() => {
            fails = () => onFailure(new RecordingFailed({ detail: "the disk is full" }))
            return { append: () => undefined, finish: Effect.fail(new RecordingFailed({ detail: "the disk is full" })) }
          }),
        read: () => Effect.succeed(null),
        remove: () => Effect.void
      })
    )
    const world = await voiceWorld({ options: { recordings: provider } })
    const client = await world.begin({ record_calls: true, greeting: "Hello." })
    await client.hears("AgentAudioDone", 2)
    asks(client)
    await client.hears("LatencyReport")
    fails!()
    expect(await client.hears("Error")).toMatchObject({ code: "INTERNAL_SERVER_ERROR" })
    expect(await client.closed).toEqual({ code: 1000, reason: "agent_error" })
    const { body } = await world.ask("GET", `/v1/voice/sessions/${await sessionOf(client)}/transcript`)
    expect(body.map(({ role }: { role: string }) => role)).toContain("user")
    await world.stop()
  })
})
