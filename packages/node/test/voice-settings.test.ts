/** What a session on a socket is made of: its agent, its maximum, its place in the process. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { handshake } from "./Handshake.ts"
import { asks, leaves, over, until } from "./VoiceSteps.ts"
import { type Answer, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const model = "gemma-4-26b-a4b-it"

describe("an agent of the account", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld()
  })
  afterAll(() => world.stop())

  const bot = async (fields: object = {}): Promise<string> => {
    const { body } = await world.ask("POST", "/api/v1/bots", { name: "Ada", system_prompt: "You are Ada.", ...fields })
    return body.id
  }

  const named = async (agent: string) => {
    const client = world.connect()
    await client.hears("Welcome")
    client.send({ type: "Settings", agent })
    return client
  }

  const requested = async (fields: object): Promise<Answer> =>
    (await world.ask("POST", "/v1/voice/sessions", fields)).body

  // Verifies: V-7.
  it("is named by its id, and the session says so from then on", async () => {
    const id = await bot({ config: { greeting: "I am Ada.", model, voice: "anushka", max_duration_seconds: 600 } })
    const client = await named(id)
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("I am Ada.")
    expect(await leaves(world, client)).toMatchObject({ bot_id: id, llm_model: model, max_duration_seconds: 600 })
  })

  // Verifies: V-117.
  it("decides how long a session may last, unless its request does", async () => {
    const id = await bot({ config: { max_duration_seconds: 600 } })
    expect((await requested({ bot_id: id })).max_duration_seconds).toBe(600)
    expect((await requested({ bot_id: id, max_duration_seconds: 60 })).max_duration_seconds).toBe(60)
    expect((await requested({ bot_id: await bot() })).max_duration_seconds).toBe(1800)
  })

  // Verifies: V-10, V-70.
  it("ends a session at the maximum of its configuration, after a warning", async () => {
    const client = await named(await bot({ config: { model, max_duration_seconds: 1 } }))
    expect(await client.hears("Warning")).toMatchObject({ code: "MAXIMUM_SESSION_LENGTH_APPROACHING" })
    expect(await client.hears("Error")).toMatchObject({ code: "MAXIMUM_SESSION_LENGTH_REACHED" })
    expect(await client.closed).toEqual({ code: 1000, reason: "max_duration" })
    expect(await over(world, client)).toMatchObject({ status: "completed", end_reason: "max_duration" })
  })

  // Verifies: V-64, V-118.
  it.each([["deleted"], ["switched off"], ["without a prompt"]])(
    "that is %s by then cannot begin its session",
    async (how) => {
      const id = await bot({ config: { model } })
      const { token } = await requested({ bot_id: id })
      if (how === "deleted") await world.ask("DELETE", `/api/v1/bots/${id}`)
      else
        await world.ask(
          "PATCH",
          `/api/v1/bots/${id}`,
          how === "switched off" ? { is_active: false } : { system_prompt: "" }
        )
      const client = world.connect(token)
      await client.hears("Welcome")
      client.send({ type: "Settings" })
      expect(await client.hears("Error")).toMatchObject({ code: "INTERNAL_SERVER_ERROR" })
      expect(await client.closed).toEqual({ code: 1000, reason: "start_failed" })
      const byKey = await named(id)
      expect(await byKey.hears("Error")).toMatchObject({ code: "INVALID_SETTINGS" })
    }
  )
})

describe("a process", () => {
  const counted = async (world: VoiceWorld, name: string) =>
    (await world.core.metrics()).find((one) => one.name === name)?.samples ?? []

  // Verifies: V-228.
  it("leaves places to others where one account has its share, and says so, by key and by token", async () => {
    const world = await voiceWorld({
      plan: "enterprise",
      options: { voice: { maxSessions: 4, maxAccountSessions: 2 } }
    })
    const { id } = await world.core.admin.createAccount({ name: "Another", plan: "pro", voiceCampaigns: true })
    await world.core.admin.addCredits(id, "10")
    const { text: anothers } = await world.core.admin.createKey(id, { scopes: ["*"] })
    const clients = Array.from({ length: 6 }, () => world.connect())
    const opened = await Promise.all(
      clients.map((client) => Promise.race([client.hears("Welcome").then(() => true), client.closed.then(() => false)]))
    )
    expect(opened.filter(Boolean)).toHaveLength(2)
    const refused = await handshake(world.origin, { authorization: `Token ${world.key}` })
    expect([refused.status, refused.code]).toEqual([429, "too_many_concurrent_requests"])
    const agent = { name: "Ada", type: "voice", system_prompt: "You are Ada.", is_active: true }
    const { body: bot } = await world.ask("POST", "/api/v1/bots", agent)
    const { body: session } = await world.ask("POST", "/v1/voice/sessions", { bot_id: bot.id })
    const late = world.connect(session.token)
    expect(await late.hears("Error")).toMatchObject({ code: "CONCURRENCY_LIMIT" })
    const others = [world.connect(anothers), world.connect(anothers)]
    await Promise.all(others.map((client) => client.hears("Welcome")))
    const full = await handshake(world.origin, { authorization: `Token ${anothers}` })
    expect([full.status, full.code]).toEqual([503, "service_unavailable"])
    // A place that is left is the account's again.
    const [first, second] = clients.filter((_, nth) => opened[nth])
    await leaves(world, first!)
    const next = world.connect()
    await next.hears("Welcome")
    for (const { socket } of [second!, next, ...others]) socket.close()
    await until(
      async () => (await counted(world, "trunkline_voice_sessions_active"))[0]?.value === 0,
      "no session in the count"
    )
    await world.stop()
  })

  // Verifies: V-171, V-200.
  it("carries as many sessions as it may, those that have no settings yet included", async () => {
    const world = await voiceWorld({ options: { voice: { maxSessions: 2 } } })
    const clients = Array.from({ length: 6 }, () => world.connect())
    const opened = await Promise.all(
      clients.map((client) => Promise.race([client.hears("Welcome").then(() => true), client.closed.then(() => false)]))
    )
    expect(opened.filter(Boolean)).toHaveLength(2)
    expect(await counted(world, "trunkline_voice_sessions_active")).toEqual([{ labels: {}, value: 2 }])
    const refused = await handshake(world.origin, { authorization: `Token ${world.key}` })
    expect([refused.status, refused.code]).toEqual([503, "service_unavailable"])
    const [first, second] = clients.filter((_, nth) => opened[nth])
    first!.send({ type: "Settings", agent: { think: { provider: { model } } } })
    await first!.hears("SettingsApplied")
    second!.send({ type: "Settings", agent: "nobody" })
    expect((await second!.closed).reason).toBe("invalid_settings")
    await leaves(world, first!)
    await until(
      async () => (await counted(world, "trunkline_voice_sessions_active"))[0]?.value === 0,
      "no session in the count"
    )
    expect(await counted(world, "trunkline_voice_sessions_total")).toEqual([
      { labels: { end_reason: "invalid_settings" }, value: 1 },
      { labels: { end_reason: "client_disconnect" }, value: 1 }
    ])
    await world.stop()
  })

  // Verifies: V-201.
  it("counts the time of each stage of a reply, and each interruption", async () => {
    const world = await voiceWorld({ fake: { thinks: () => ({ text: "One two three four five six seven eight." }) } })
    const client = await world.begin()
    asks(client)
    await client.hears("LatencyReport")
    asks(client, "And now?")
    await client.hears("LatencyReport", 2)
    await leaves(world, client)
    const stages = (await counted(world, "trunkline_voice_stage_seconds_count")).map(({ labels }) => labels.stage)
    expect(new Set(stages)).toEqual(new Set(["llm", "tts", "own", "total"]))
    expect(await counted(world, "trunkline_voice_interruptions_total")).toEqual([{ labels: {}, value: 1 }])
    await world.stop()
  })
})

describe("an account of the free plan", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({ plan: "free" })
  })
  afterAll(() => world.stop())

  const requested = async (): Promise<{ readonly status: number; readonly body: Answer }> => {
    const { body: bots } = await world.ask("GET", "/api/v1/bots")
    const bot =
      bots[0] ?? (await world.ask("POST", "/api/v1/bots", { name: "Ada", system_prompt: "You are Ada." })).body
    return await world.ask("POST", "/v1/voice/sessions", { bot_id: bot.id })
  }
  const byKey = () => handshake(world.origin, { authorization: `Token ${world.key}` })

  // Verifies: V-62, V-169.
  it("has two sessions at a time: a key is refused by the handshake, a token on its socket", async () => {
    const clients = [await world.begin(), await world.begin()]
    const refused = await byKey()
    expect([refused.status, refused.code]).toEqual([429, "too_many_concurrent_requests"])
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
    const third = world.connect((await requested()).body.token)
    expect(await third.hears("Error")).toMatchObject({ code: "CONCURRENCY_LIMIT" })
    expect(await third.closed).toEqual({ code: 1000, reason: "concurrency_limit" })
    for (const client of clients) await leaves(world, client)
    await leaves(world, await world.begin())
  })

  // Verifies: V-166.
  it("has no more sessions than its month's conversations, by whatever way", async () => {
    let made = await requested()
    for (let n = 0; n < 60 && made.status === 200; n++) made = await requested()
    expect([made.status, made.body.error.code]).toEqual([429, "quota_exceeded"])
    const refused = await byKey()
    expect([refused.status, refused.code]).toEqual([429, "quota_exceeded"])
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(60)
  })
})
