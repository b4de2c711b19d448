/** How sessions on a socket end, row by row: docs/reference/voice-agent.md#endings. Verifies: ASOC-4. */
import { setTimeout as sleep } from "node:timers/promises"
import { recordings } from "@trunkline/node"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until, type VoiceClient, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const llm = "gemma-4-26b-a4b-it"
const think = { provider: { model: llm } }

/** The client's session has ended for a reason, with the code of an error, or none, before it. */
const endsWith = async (world: VoiceWorld, client: VoiceClient, code: string | null, reason: string) => {
  const closed = await Promise.race([client.closed, sleep(15_000)])
  expect(closed, JSON.stringify(client.messages)).toEqual({ code: 1000, reason })
  const errors = client.messages.filter(({ type }) => type === "Error")
  expect(errors.map((error) => error.code)).toEqual(code === null ? [] : [code])
  // Nothing follows an error but the close.
  if (code !== null) expect(client.types.at(-1)).toBe("Error")
  const session = await world.ended(client)
  expect(session.end_reason).toBe(reason)
  const events = (await world.core.events.read(null, 1000)).filter(
    ({ data }) => "session_id" in data && data.session_id === session.id
  )
  expect(events.map(({ event }) => event)).toEqual([
    "voice_session.started",
    session.status === "completed" ? "voice_session.ended" : "voice_session.failed"
  ])
  return session
}

const botOf = async (world: VoiceWorld, config: object = {}): Promise<string> => {
  const bot = { name: "Ada", system_prompt: "You are Ada.", config: { model: llm, ...config } }
  return (await world.ask("POST", "/api/v1/bots", bot)).body.id
}

/** A client with a session's token. */
const byToken = async (world: VoiceWorld, fields: object) => {
  const { body } = await world.ask("POST", "/v1/voice/sessions", fields)
  return { id: body.id as string, client: world.connect(body.token) }
}

describe.concurrent("a session ends", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({
      options: { recordings: recordings({ folder: "/dev/null/recordings" }) },
      fake: { thinks: () => ({ text: "It costs ten." }), speaks: (text) => text.length * 10 }
    })
  })
  afterAll(() => world.stop())

  it("where a model is known and cannot be served", async () => {
    const client = world.connect()
    await client.hears("Welcome")
    client.send({ type: "Settings", agent: { think, listen: { provider: { model: "ink-2" } } } })
    await endsWith(world, client, "MODEL_UNAVAILABLE", "model_unavailable")
  })

  it("where its agent is gone before it begins", async () => {
    const botId = await botOf(world)
    const { client } = await byToken(world, { bot_id: botId })
    await client.hears("Welcome")
    await world.ask("DELETE", `/api/v1/bots/${botId}`)
    client.send({ type: "Settings" })
    await endsWith(world, client, "INTERNAL_SERVER_ERROR", "start_failed")
  })

  // Verifies: V-223.
  it.each([
    ["by a key", (of: VoiceWorld) => Promise.resolve({ client: of.connect() })],
    ["by a token", async (of: VoiceWorld) => await byToken(of, { bot_id: await botOf(of) })]
  ])("at once where it is deleted before its settings, and nothing runs afterwards (%s)", async (_, open) => {
    const { client } = await open(world)
    const { request_id: id } = await client.hears("Welcome")
    await world.ask("DELETE", `/v1/voice/sessions/${id}`)
    client.send({ type: "Settings", agent: { think, greeting: "Hello." } })
    client.send({ type: "InjectUserMessage", content: "What is the price?" })
    await endsWith(world, client, null, "api_delete")
    expect(client.types).toEqual(["Welcome"])
    expect((await world.ask("GET", `/v1/usage/logs?session_id=${id}`)).body).toEqual([])
  })

  it("where its recording cannot be written", async () => {
    const client = await world.begin({ greeting: "Hello.", record_calls: true, recording_notice_enabled: false })
    await endsWith(world, client, "INTERNAL_SERVER_ERROR", "start_failed")
  })

  it("at its maximum, after a warning", async () => {
    const { client } = await byToken(world, { bot_id: await botOf(world), max_duration_seconds: 2 })
    await client.hears("Welcome")
    client.send({ type: "Settings" })
    await endsWith(world, client, "MAXIMUM_SESSION_LENGTH_REACHED", "max_duration")
    expect(client.messages.filter(({ type }) => type === "Warning")).toMatchObject([
      { code: "MAXIMUM_SESSION_LENGTH_APPROACHING" }
    ])
  })

  it("where nobody speaks through all prompts", async () => {
    const client = await world.begin({
      ...{ nudge_max: 1, nudge_delay_seconds: 3, nudge_message: "Still there?", greeting: "Hello." }
    })
    await endsWith(world, client, "NO_INPUT", "no_input")
    expect(client.texts("assistant")).toBe("Hello. Still there?")
  })

  it("before the next request of a stage, once its key was revoked", async () => {
    const { id, text } = await world.core.admin.createKey(world.accountId, { permissions: ["llm", "stt", "tts"] })
    const client = world.connect(text)
    await client.hears("Welcome")
    client.send({ type: "Settings", agent: { think } })
    await client.hears("SettingsApplied")
    await world.core.admin.revokeKey(id)
    const before = world.upstream.of("llm").length
    client.send({ type: "InjectUserMessage", content: "Never answered." })
    await endsWith(world, client, "API_KEY_BUDGET_EXCEEDED", "budget_exhausted")
    expect(JSON.stringify(world.upstream.of("llm").slice(before))).not.toContain("Never answered.")
  })

  it("as its account ends it, without an error", async () => {
    const client = await world.begin()
    const { request_id: id } = await client.hears("Welcome")
    await world.ask("DELETE", `/v1/voice/sessions/${String(id)}`)
    await endsWith(world, client, null, "api_delete")
  })

  it("as its client leaves in the middle of a reply, which stands as far as it was heard", async () => {
    const client = await world.begin()
    client.send({ type: "InjectUserMessage", content: "What does it cost?" })
    await client.hears("AgentStartedSpeaking")
    client.socket.close()
    const session = await world.ended(client)
    expect(session).toMatchObject({ status: "completed", end_reason: "client_disconnect", turn_count: 1 })
    const { body } = await world.ask("GET", `/v1/voice/sessions/${session.id}/transcript`)
    for (const entry of body.slice(1)) expect("It costs ten.").toContain(entry.text)
  })
})

it("a session beyond the plan's ends as its token is shown, and the token opens nothing again", async () => {
  const world = await voiceWorld({ plan: "free" })
  const botId = await botOf(world)
  const others = [await world.begin(), await world.begin()]
  const { client, id } = await byToken(world, { bot_id: botId })
  expect(await client.closed).toEqual({ code: 1000, reason: "concurrency_limit" })
  expect(client.messages).toMatchObject([{ type: "Error", code: "CONCURRENCY_LIMIT" }])
  const { body } = await world.ask("GET", `/v1/voice/sessions/${id}`)
  expect(body).toMatchObject({ status: "failed", end_reason: "concurrency_limit" })
  for (const other of others) other.socket.close()
  await Promise.all(others.map(({ closed }) => closed))
  await until(
    "there is a place",
    async () => (await world.ask("GET", "/v1/voice/sessions?status=active")).body.length === 0
  )
  await world.stop()
})
