/**
 * Servers whose process ends in the middle of a call with an agent, in order or by SIGKILL, and start again on the same file:
 * docs/voice-agent.md#telephone. Verifies: CAGT-1, CAGT-3, VOIC-9.
 */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { startFakeVoiceUpstream } from "@trunkline/testing/upstreams"
import { afterAll, describe, expect, it } from "vitest"
import { cleanUp, client, ended, folder, keyOf, type Server, serve, stop, until } from "./Spawned.ts"

const greeting = "Good morning, this is the shop."
const resumed = "Sorry, the line was gone for a moment."

const closing: Array<() => Promise<void>> = []

afterAll(async () => {
  cleanUp()
  await Promise.all(closing.map((close) => close()))
})

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about.
type Fields = any

/** A server whose agent has greeted a callee for whom somebody speaks. */
const talking = async () => {
  const upstream = await startFakeVoiceUpstream({ sttMs: 30, llmMs: 30, ttsMs: 20, speaks: () => 500 })
  closing.push(upstream.stop)
  const cwd = folder(10, {
    telephony: { simulator: { speed: 10 } },
    models: { upstreams: { all: { kind: "openai", base_url: upstream.url } }, routes: { "*": { upstream: "all" } } }
  })
  let server: Server = await serve(cwd)
  const key = keyOf(server)
  const api = (method: string, path: string, body?: object) => client(server, key)(method, path, body)
  const { body: bot } = await api("POST", "/api/v1/bots", {
    ...{ name: "Asha", type: "voice", system_prompt: "You sell tea.", is_active: true },
    config: { greeting, model: "gemma-4-26b-a4b-it" }
  })
  const { body: call } = await api("POST", "/api/v1/telephony/calls", { to: "+14155550101", bot_id: bot.id })
  const path = `/api/v1/telephony/calls/${call.id}`
  const speaksFor = () =>
    new WebSocket(`${server.url.replace("http", "ws")}/api/v1/telephony/simulator/calls/${call.id}/audio`, [
      "token",
      key
    ])
  let callee = speaksFor()
  const said = (text: string, times: number) =>
    until(async () => {
      const { body } = await api("GET", `${path}/transcript`)
      return (body as ReadonlyArray<Fields>).filter((entry) => entry.text === text).length === times ? true : null
    })
  const sessions = async (): Promise<ReadonlyArray<Fields>> =>
    (await api("GET", `/v1/voice/sessions?call_id=${call.id}`)).body
  await said(greeting, 1)
  return {
    ...{ said, sessions },
    /** Names of the events about sessions, oldest first. */
    events: () => {
      const db = new DatabaseSync(join(cwd, "data/trunkline.db"))
      const rows = db.prepare("select event from outbox where event like 'voice_session.%' order by rowid").all()
      db.close()
      return rows.map(({ event }) => event)
    },
    server: () => server,
    now: async (): Promise<Fields> => (await api("GET", path)).body,
    /** The next process, and the callee's socket to it. */
    restart: async () => {
      server = await serve(cwd)
      callee = speaksFor()
    },
    hangUp: () => callee.send(JSON.stringify({ type: "hangup" }))
  }
}

describe.concurrent("a call with an agent", { timeout: 180_000 }, () => {
  it("goes on where it was in the process that follows one that was killed, and ends once", async () => {
    const call = await talking()
    const [{ id }] = await call.sessions()
    call.server().child.kill("SIGKILL")
    await ended(call.server().child)
    await call.restart()
    await call.said(resumed, 1)
    await call.said(greeting, 1)
    expect(await call.sessions()).toMatchObject([{ id, status: "active" }])
    call.hangUp()
    await until(async () => ((await call.now()).ended_at === null ? null : true))
    await until(async () => ((await call.sessions())[0].status === "active" ? null : true))
    expect(await call.sessions()).toMatchObject([{ id, status: "completed", end_reason: "caller_hangup" }])
    expect((await stop(call.server())).code).toBe(0)
    expect(call.events()).toEqual(["voice_session.started", "voice_session.ended"])
  })

  it("goes on in the process that follows one that was stopped, however often, and is not hung up for it", async () => {
    const call = await talking()
    const [{ id }] = await call.sessions()
    // A line may be lost three times: a stop is no loss.
    for (let restarts = 1; restarts <= 4; restarts++) {
      const { code, milliseconds } = await stop(call.server())
      expect(code).toBe(0)
      expect(milliseconds).toBeLessThan(10_000)
      await call.restart()
      await call.said(resumed, restarts)
      expect(await call.sessions()).toMatchObject([{ id, status: "active" }])
    }
    call.hangUp()
    await until(async () => ((await call.now()).ended_at === null ? null : true))
    expect(await call.sessions()).toMatchObject([{ id, status: "completed", end_reason: "caller_hangup" }])
    expect((await stop(call.server())).code).toBe(0)
    expect(call.events()).toEqual(["voice_session.started", "voice_session.ended"])
  })
})
