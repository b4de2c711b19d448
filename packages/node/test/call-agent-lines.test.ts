/** Lines of calls with agents that are lost, taken over, silent, or gone at any moment. Verifies: CAGT-1, CAGT-2, CAGT-3. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { atMost } from "@trunkline/testing/slow-machine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CallOfAgent, callTo, greeting, newBot, person, until } from "./CallWorld.ts"
import { type Answer, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const resumed = "Sorry, the line was gone for a moment."

/** A greeting that takes ten seconds to say. */
const long = `${greeting} There is much to say.`
const fake = {
  ...{ sttMs: 30, llmMs: 30, ttsMs: 20 },
  hears: () => "What is the price?",
  thinks: () => ({ text: "It costs ten." }),
  speaks: (text: string) => (text.includes("much to say") ? 10_000 : 400)
}

const eventsOf = async ({ core }: VoiceWorld, sessionId: string): Promise<ReadonlyArray<string>> =>
  (await core.events.read(null, 1000))
    .filter(({ data }) => "session_id" in data && data.session_id === sessionId)
    .map(({ event }) => event)

/** Credit that is held for calls and requests. */
const heldCredits = async ({ core }: VoiceWorld): Promise<ReadonlyArray<number>> =>
  (await core.metrics())
    .filter(({ name }) => name === "trunkline_credits_reserved")
    .flatMap(({ samples }) => samples.map(({ value }) => value))

/** The first calls of a campaign, one to each contact. */
const campaignTo = async (world: VoiceWorld, phones: ReadonlyArray<string>, settings: object) => {
  const { body: campaign } = await world.ask("POST", "/api/v1/voice-campaigns", {
    ...{ name: "C", timezone: "UTC", quiet_hours_start: 0, quiet_hours_end: 24 },
    ...settings
  })
  const path = `/api/v1/voice-campaigns/${campaign.id}`
  await world.ask("POST", `${path}/contacts`, { contacts: phones.map((phone) => ({ phone })) })
  for (const status of ["scheduled", "running"]) await world.ask("POST", `${path}/status`, { status })
  const placed = await until(async () => {
    const { body } = await world.ask("GET", `/api/v1/telephony/calls?campaign_id=${campaign.id}`)
    return body.length === phones.length ? (body as ReadonlyArray<Answer>) : null
  }, "the campaign's calls")
  return { calls: placed.map(({ id }) => new CallOfAgent(world, id)), path }
}

describe("the line of a call with an agent", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({ fake, options: { telephony: simulator({ speed: 10 }) } })
  })
  afterAll(() => world.stop())

  // Verifies: V-152.
  it("that is lost more than three times is hung up", async () => {
    const one = await callTo(world, person, await newBot(world))
    await one.said(greeting)
    for (let losses = 1; losses <= 3; losses++) {
      one.callee.say({ type: "drop" })
      await until(async () => {
        const said = (await one.transcript()).filter(({ text }) => text === resumed)
        return said.length === losses
      }, `${losses} times resumed`)
    }
    expect(await one.session()).toMatchObject({ status: "active" })
    one.callee.say({ type: "drop" })
    expect(await one.ended()).toMatchObject({ status: "completed", end_reason: "participant_disconnect" })
    expect(await one.over()).toMatchObject({ end_reason: "hangup_local" })
    expect(await one.sessions()).toHaveLength(1)
  })

  // Verifies: V-161.
  it("of a parallel dial is the first that is answered; no agent talks on the others", async () => {
    const botId = await newBot(world)
    const dialing = { bot_id: botId, dial_mode: "parallel", parallel_lines: 2, max_attempts: 1 }
    const { calls, path } = await campaignTo(world, ["+14155550105", "+14155550106"], dialing)
    const lost = await until(async () => {
      const states = await Promise.all(calls.map((one) => one.now()))
      return states.find(({ end_reason }) => end_reason === "lost_race")
    }, "the race lost")
    const winner = calls.find(({ id }) => id !== lost.id)!
    await winner.asks()
    await winner.said("It costs ten.")
    expect(await winner.session()).toMatchObject({ status: "active" })
    const { body: sessions } = await world.ask("GET", `/v1/voice/sessions?call_id=${lost.id}`)
    expect(sessions.filter(({ status }: { status: string }) => status === "active")).toEqual([])
    const { body: said } = await world.ask("GET", `/api/v1/telephony/calls/${lost.id}/transcript`)
    expect(said.filter(({ role }: { role: string }) => role === "user")).toEqual([])
    await world.ask("POST", `${path}/status`, { status: "cancelled" })
    winner.callee.say({ type: "hangup" })
    expect(await winner.ended()).toMatchObject({ end_reason: "caller_hangup", turn_count: 1 })
    expect(await winner.over()).toMatchObject({ status: "completed" })
  })

  it("is one session or none, which ends once and reserves nothing, whenever the caller or we hang up", async () => {
    const botId = await newBot(world)
    const hangUp = async (nth: number) => {
      const one = await callTo(world, `+141555502${String(nth).padStart(2, "0")}`, botId)
      // On a slow machine a call may be over before its callee's socket is open.
      await Promise.race([one.callee.hears("answered"), one.callee.ended])
      await sleep(nth * 15)
      // However slow the machine is, some calls have a session by then.
      if (nth > 11) {
        await until(
          async () => (await one.sessions()).length > 0 || (await one.now()).ended_at !== null,
          "a session, or the end of the call"
        )
      }
      if (nth % 2 === 0) one.callee.say({ type: "hangup" })
      else await world.ask("POST", `/api/v1/telephony/calls/${one.id}/hangup`)
      return one
    }
    const calls = await Promise.all(Array.from({ length: 16 }, (_, nth) => hangUp(nth)))
    let begun = 0
    for (const one of calls) {
      await one.over()
      const sessions = await until(async () => {
        const found = await one.sessions()
        return found.some(({ status }) => status === "active") ? null : found
      }, "the end of the sessions")
      expect(sessions.length).toBeLessThanOrEqual(1)
      begun += sessions.length
      for (const { id } of sessions) {
        expect(await eventsOf(world, id)).toEqual(["voice_session.started", "voice_session.ended"])
      }
    }
    expect(begun).toBeGreaterThan(3)
    await until(async () => {
      const held = await heldCredits(world)
      return held.length === 2 && held.every((credits) => credits === 0)
    }, "holds released")
    // Places that were taken are free again.
    await Promise.all(
      Array.from({ length: 20 }, async (_, nth) => {
        const one = await callTo(world, `+141555502${String(nth).padStart(2, "0")}`, botId)
        await world.ask("POST", `/api/v1/telephony/calls/${one.id}/hangup`)
        await one.over()
      })
    )
  })

  it("leaves no error behind", () => {
    expect(world.log.filter(({ level }) => level === "error" || level === "warn")).toEqual([])
  })
})

describe("an agent that cannot speak at all", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({ fake: { ...fake, speaks: () => -1 }, options: { telephony: simulator({ speed: 10 }) } })
  })
  afterAll(() => world.stop())

  it("has the carrier say goodbye and hang up", async () => {
    const one = await callTo(world, person, await newBot(world))
    expect(await one.ended()).toMatchObject({ status: "failed", end_reason: "start_failed" })
    expect(await one.over()).toMatchObject({ end_reason: "hangup_local" })
  })
})

describe("an account of the free plan", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({ fake, plan: "free", options: { telephony: simulator({ speed: 10 }) } })
  })
  afterAll(() => world.stop())

  // Verifies: V-170.
  it("has two calls with agents at a time, the ringing ones included, and then gets 429", async () => {
    const botId = await newBot(world)
    const calls = [await callTo(world, person, botId), await callTo(world, "+14155550102", botId)]
    const dial = () =>
      fetch(`${world.origin}/api/v1/telephony/calls`, {
        method: "POST",
        headers: { authorization: `Bearer ${world.key}`, "content-type": "application/json" },
        body: JSON.stringify({ to: "+14155550103", bot_id: botId })
      })
    const early = await dial()
    expect([early.status, early.headers.get("retry-after")]).toEqual([429, "1"])
    expect(await early.json()).toMatchObject({
      detail: expect.stringContaining("voice sessions and calls with agents")
    })
    for (const one of calls) await one.said(greeting)
    expect((await dial()).status).toBe(429)
    calls[0]!.callee.say({ type: "hangup" })
    await calls[0]!.over()
    const placed = await dial()
    expect(placed.status).toBe(201)
    const { id } = (await placed.json()) as Answer
    await world.ask("POST", `/api/v1/telephony/calls/${id}/hangup`)
    calls[1]!.callee.say({ type: "hangup" })
    await calls[1]!.over()
  })
})

describe("two processes on one database", () => {
  let folder: string
  const worlds: Array<VoiceWorld> = []
  const open = async () => {
    const world = await voiceWorld({
      fake,
      options: { storage: sqlite(join(folder, "db")), telephony: simulator({ speed: 10 }) }
    })
    worlds.push(world)
    return world
  }
  /** The same account, in another process. */
  const asked = (owner: VoiceWorld, { origin }: VoiceWorld): Pick<VoiceWorld, "ask" | "key" | "origin"> => ({
    ...{ key: owner.key, origin },
    ask: async (method, path) => {
      const answer = await fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${owner.key}` } })
      return { status: answer.status, body: (await answer.json()) as Answer }
    }
  })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "calls-"))
  })
  afterAll(async () => {
    for (const world of worlds) await world.stop()
    await rm(folder, { recursive: true })
  })

  it("have one session for a call whose second line replaces the first, which is closed", async () => {
    const [first, second] = [await open(), await open()]
    const one = await callTo(first, person, await newBot(first))
    await one.said(greeting)
    const { id } = await one.session()
    const other = one.at(asked(first, second))
    await other.said(resumed)
    await until(() => one.callee.socket.readyState === WebSocket.CLOSED, "the earlier socket closed")
    expect(await other.session()).toMatchObject({ id, status: "active" })
    await sleep(1000)
    const heard = one.callee.soundBytes
    const runs = [first, second].map(({ upstream }) => upstream.of("llm").length)
    await other.callee.speak(900)
    await other.said("It costs ten.")
    expect([first, second].map(({ upstream }) => upstream.of("llm").length)).toEqual([runs[0], runs[1]! + 1])
    expect(one.callee.soundBytes).toBe(heard)
    other.callee.say({ type: "hangup" })
    expect(await other.ended()).toMatchObject({ id, end_reason: "caller_hangup" })
    expect(await other.sessions()).toHaveLength(1)
    await other.over()
  })
})

describe("the line of a call with an agent to a machine", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    // A machine is detected a second after the answer: the agent speaks by then.
    world = await voiceWorld({ fake, options: { telephony: simulator({ speed: 1 }) } })
  })
  afterAll(() => world.stop())

  /** A call of a campaign to a machine, whose agent speaks for ten seconds. */
  const toMachine = async (to: string, template: object) => {
    const botId = await newBot(world, { greeting: long })
    const { calls } = await campaignTo(world, [to], { bot_id: botId, amd_enabled: true, ...template })
    return calls[0]!
  }

  const detectedAt = ({ id }: CallOfAgent) =>
    until(async () => {
      const events = await world.core.events.read(null, 1000)
      return events.find(({ data, event }) => event === "call.amd_detected" && data.id === id)?.at
    }, "the machine's detection")

  // Verifies: V-160.
  it("is silent within half a second of the detection, and hung up without a template", async () => {
    const one = await toMachine("+14155550181", {})
    await one.callee.hears("clear")
    const clearAt = Date.now()
    expect(clearAt - (await detectedAt(one))).toBeLessThan(atMost(500))
    expect(one.callee.soundBytes).toBeGreaterThan(0)
    expect(await one.ended()).toMatchObject({ status: "completed", end_reason: "voicemail" })
    expect(await one.over()).toMatchObject({ end_reason: "hangup_local", answered_by: "machine" })
  })

  // Verifies: V-160.
  it("is left to the template, and the agent says nothing more", async () => {
    const { body: template } = await world.ask("POST", "/api/v1/voicemail-templates", { name: "T", text: "Call us." })
    const one = await toMachine("+14155550182", { voicemail_template_id: template.id })
    await one.callee.hears("clear")
    await sleep(100)
    const heard = one.callee.soundBytes
    expect(await one.ended()).toMatchObject({ end_reason: "voicemail" })
    expect(await one.over()).toMatchObject({ answered_by: "machine" })
    expect(one.callee.soundBytes).toBe(heard)
  })
})
