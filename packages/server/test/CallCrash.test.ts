/**
 * Servers whose process ends in the middle of a call with an agent, in order or by SIGKILL, and start again on the same file:
 * docs/reference/voice-agent.md#telephone. Verifies: CAGT-1, CAGT-3, VOIC-9.
 */

import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { atMost } from "@trunkline/testing/slow-machine"
import { startFakeVoiceUpstream } from "@trunkline/testing/upstreams"
import { afterAll, describe, expect, it } from "vitest"
import { cleanUp, client, ended, folder, keyOf, openDatabase, type Server, serve, stop, until } from "./Spawned.ts"

const greeting = "Good morning, this is the shop."
const resumed = "Sorry, the line was gone for a moment."

const closing: Array<() => Promise<void>> = []

afterAll(async () => {
  cleanUp()
  await Promise.all(closing.map((close) => close()))
})

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about.
type Fields = any

/** A server with an agent, whose callees are spoken for: where that comes late, a callee hangs up 20 s / speed after the answer. */
const running = async (speed: number) => {
  const upstream = await startFakeVoiceUpstream({ sttMs: 30, llmMs: 30, ttsMs: 20, speaks: () => 500 })
  closing.push(upstream.stop)
  const cwd = folder(10, {
    telephony: { simulator: { speed } },
    voice: {
      concurrent_sessions: { free: 20, starter: 20, pro: 20, enterprise: 20 },
      // The promise is about restarts: a slow machine has the time to speak.
      stt_timeout_ms: 60_000,
      llm_timeout_ms: 60_000,
      tts_timeout_ms: 60_000
    },
    models: { upstreams: { all: { kind: "openai", base_url: upstream.url } }, routes: { "*": { upstream: "all" } } }
  })
  let server: Server = await serve(cwd)
  const key = keyOf(server)
  const api = (method: string, path: string, body?: object) => client(server, key)(method, path, body)
  const { body: bot } = await api("POST", "/api/v1/bots", {
    ...{ name: "Asha", type: "voice", system_prompt: "You sell tea.", is_active: true },
    config: { greeting, model: "gemma-4-26b-a4b-it" }
  })

  const callTo = async (to: string) => {
    const { body: call } = await api("POST", "/api/v1/telephony/calls", { to, bot_id: bot.id })
    const path = `/api/v1/telephony/calls/${call.id}`
    const speaksFor = () => {
      const url = `${server.url.replace("http", "ws")}/api/v1/telephony/simulator/calls/${call.id}/audio`
      const socket = new WebSocket(url, ["token", key])
      socket.addEventListener("error", () => undefined)
      return socket
    }
    let callee = speaksFor()
    const transcript = async (): Promise<ReadonlyArray<Fields>> => (await api("GET", `${path}/transcript`)).body
    const sessions = async (): Promise<ReadonlyArray<Fields>> =>
      (await api("GET", `/v1/voice/sessions?call_id=${call.id}`)).body
    const now = async (): Promise<Fields> => (await api("GET", path)).body
    return {
      said: (text: string, times: number) =>
        until(
          async () => ((await transcript()).filter((entry) => entry.text === text).length === times ? true : null),
          300_000,
          async () => ({
            call: await now(),
            sessions: await sessions(),
            transcript: await transcript(),
            callee: callee.readyState
          })
        ),
      sessions,
      now,
      over: () => until(async () => ((await now()).ended_at === null ? null : true)),
      /** The callee's socket to the present process. */
      reconnect: () => {
        callee = speaksFor()
      },
      hangUp: () => callee.send(JSON.stringify({ type: "hangup" })),
      hangUpByApi: () => api("POST", `${path}/hangup`)
    }
  }
  return {
    callTo,
    server: () => server,
    restart: async () => {
      server = await serve(cwd)
    },
    /** Names of the events about each session, oldest first. */
    events: () => {
      const db = openDatabase(join(cwd, "data/trunkline.db"))
      const rows = db
        .prepare("select event, data from outbox where event like 'voice_session.%' order by rowid")
        .all() as Array<Fields>
      db.close()
      const sessions = Map.groupBy(rows, ({ data }) => String(JSON.parse(data).session_id))
      return [...sessions.values()].map((own): ReadonlyArray<string> => own.map(({ event }) => event))
    }
  }
}

/** A server whose agent has greeted its callees. */
const talking = async (count: number) => {
  const server = await running(1)
  const calls = []
  for (let nth = 0; nth < count; nth++) calls.push(await server.callTo(`+141555501${String(nth).padStart(2, "0")}`))
  await Promise.all(calls.map(({ said }) => said(greeting, 1)))
  return { ...server, calls }
}

const once = ["voice_session.started", "voice_session.ended"]

describe.concurrent("a call with an agent", () => {
  it("goes on where it was in the process that follows one that was killed, and ends once", async () => {
    const { calls, events, restart, server } = await talking(1)
    const [call] = calls as [(typeof calls)[0]]
    const [{ id }] = await call.sessions()
    server().child.kill("SIGKILL")
    await ended(server().child)
    await restart()
    call.reconnect()
    await call.said(resumed, 1)
    await call.said(greeting, 1)
    expect(await call.sessions()).toMatchObject([{ id, status: "active" }])
    call.hangUp()
    await call.over()
    await until(async () => ((await call.sessions())[0].status === "active" ? null : true))
    expect(await call.sessions()).toMatchObject([{ id, status: "completed", end_reason: "caller_hangup" }])
    expect((await stop(server())).code).toBe(0)
    expect(events()).toEqual([once])
  })

  it("goes on in the process that follows one that was stopped, as all of ten do, however often, and is not hung up for it", async () => {
    const { calls, events, restart, server } = await talking(10)
    const [call, ...others] = calls as [(typeof calls)[0], ...typeof calls]
    const [{ id }] = await call.sessions()
    const deploy = async () => {
      const { code, milliseconds } = await stop(server())
      expect(code).toBe(0)
      expect(milliseconds).toBeLessThan(atMost(10_000))
      await restart()
    }
    const leaves = async (callee: typeof call) => {
      callee.hangUp()
      await callee.over()
      await until(async () => ((await callee.sessions())[0].status === "active" ? null : true))
      expect(await callee.sessions()).toMatchObject([{ status: "completed", end_reason: "caller_hangup" }])
    }
    await deploy()
    for (const callee of calls) callee.reconnect()
    await Promise.all(calls.map(({ said }) => said(resumed, 1)))
    await Promise.all(others.map(leaves))
    // A line may be lost three times: a stop is no loss.
    for (let restarts = 2; restarts <= 4; restarts++) {
      await deploy()
      call.reconnect()
      await call.said(resumed, restarts)
      expect(await call.sessions()).toMatchObject([{ id, status: "active" }])
    }
    await leaves(call)
    expect((await stop(server())).code).toBe(0)
    expect(events()).toEqual(calls.map(() => once))
  })

  it("has one session at most, which begins and ends once, wherever in it the process is killed", async () => {
    const { callTo, events, restart, server } = await running(10)
    // From before the answer, at 200 ms with this speed, over the connection of its media and the greeting until after it.
    const calls = await Promise.all(
      [60, 190, 215, 240, 300, 700].map(async (age, nth) => {
        await sleep(700 - age)
        return callTo(`+14155550${120 + nth}`)
      })
    )
    await sleep(60)
    server().child.kill("SIGKILL")
    await ended(server().child)
    await restart()
    for (const call of calls) call.reconnect()
    await sleep(1000)
    await Promise.all(calls.map(({ hangUpByApi }) => hangUpByApi()))
    for (const call of calls) {
      await call.over()
      const sessions = await until(async () => {
        const all = await call.sessions()
        return all.every(({ status }) => status !== "active") ? all : null
      })
      expect(sessions.length).toBeLessThanOrEqual(1)
    }
    expect((await stop(server())).code).toBe(0)
    for (const own of events()) {
      expect(own.length).toBeLessThanOrEqual(2)
      expect(own.filter((event) => event !== "voice_session.started")).toHaveLength(1)
    }
  })
})
