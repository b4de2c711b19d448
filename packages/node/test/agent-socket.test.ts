/** Conversations on a socket, against a scripted upstream. Verifies: ASOC-3, ASOC-4, ASOC-5, LIVE-1, LIVE-2, LIVE-3, LIVE-4. */
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

describe("a conversation", () => {
  let world: VoiceWorld
  let reply = (_nth: number) => ({ text: "It costs ten. Would you like to order it?" }) as object
  beforeAll(async () => {
    world = await voiceWorld({
      fake: { sttMs: 30, llmMs: 30, ttsMs: 20, hears: () => "What is the price?", thinks: (n) => reply(n) }
    })
  })
  afterAll(() => world.stop())

  // Verifies: V-7, V-49, V-94, V-164.
  it("greets word for word, hears a turn, answers it, and ends as its client leaves", async () => {
    const client = await world.begin({ greeting: "Good morning, this is the shop." })
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("Good morning, this is the shop.")
    await sleep(400)
    await client.speak(900)
    await client.hears("LatencyReport")
    await client.hears("AgentAudioDone", 2)
    // The last sound has gone out, and is heard to its end.
    await sleep(1200)
    expect(client.texts("user")).toBe("What is the price?")
    expect(client.texts("assistant")).toBe("Good morning, this is the shop. It costs ten. Would you like to order it?")
    client.socket.close()
    const session = await world.ended(client)
    expect(session).toMatchObject({ status: "completed", end_reason: "client_disconnect", turn_count: 1, bot_id: null })
    const { body: cost } = await world.ask("GET", `/v1/voice/sessions/${session.id}/cost`)
    expect(cost.items.map(({ service }: { service: string }) => service)).toEqual(["stt", "llm", "tts"])
    expect(cost.total_credits).toBe(session.credits)
    const { body: transcript } = await world.ask("GET", `/v1/voice/sessions/${session.id}/transcript`)
    expect(transcript.map(({ role }: { role: string }) => role)).toEqual(["assistant", "user", "assistant"])
    expect(transcript[2]).toMatchObject({ interrupted: false, text: "It costs ten. Would you like to order it?" })
  })

  // Verifies: V-102.
  it("asks the model with the prompt, the rules of speech and the history as it was heard", async () => {
    const client = await world.begin({
      greeting: "Hello.",
      think: { provider: { model: "gemma-4-26b-a4b-it" }, prompt: "You sell pizza." }
    })
    await client.hears("AgentAudioDone")
    client.send({ type: "InjectUserMessage", content: "How much?" })
    await client.hears("LatencyReport")
    const { messages } = world.upstream.of("llm").at(-1)!.body as {
      messages: ReadonlyArray<{ role: string; content: string }>
    }
    expect(messages[0]!.role).toBe("system")
    expect(messages[0]!.content).toContain("You sell pizza.")
    expect(messages.at(-1)).toMatchObject({ role: "user", content: "How much?" })
    client.socket.close()
    await client.closed
  })

  // Verifies: V-53.
  it("never sends sound more than a second ahead", async () => {
    reply = () => ({
      text: "This is a very long answer that takes a while to be spoken to its end, and it has one sentence alone."
    })
    const client = await world.begin()
    client.send({ type: "InjectUserMessage", content: "Tell me." })
    await client.hears("AgentStartedSpeaking")
    const from = performance.now()
    for (let n = 0; n < 10; n++) {
      await sleep(60)
      const aheadMs = client.soundBytes / 48 - (performance.now() - from)
      expect(aheadMs).toBeLessThan(1100)
    }
    client.socket.close()
    await client.closed
  })

  // Verifies: V-86, V-91.
  it("is interrupted by speech: nothing more is sent, the stages are ended, and what was heard is stored", async () => {
    const start = world.upstream.of("llm").length
    // Long enough that a slow machine interrupts it in its first half, too.
    const text = `One two three, ${"and on and on it counts, ".repeat(16)}to the end. And more of it follows now.`
    reply = (n) => ({ text: n === start + 1 ? text : "Fine." })
    const client = await world.begin()
    client.send({ type: "InjectUserMessage", content: "Count." })
    await client.hears("AgentStartedSpeaking")
    await sleep(500)
    await client.speak(900)
    await client.hears("UserStartedSpeaking")
    await client.hears("AgentStartedSpeaking", 2)
    client.socket.close()
    const { id } = await world.ended(client)
    const { body: transcript } = await world.ask("GET", `/v1/voice/sessions/${id}/transcript`)
    type Entry = { readonly role: string; readonly text: string; readonly interrupted: boolean }
    // A reply has an entry for each part of it that was heard to its end, and one for the part that was cut.
    const last = transcript.findIndex(({ interrupted }: Entry) => interrupted)
    const parts: ReadonlyArray<Entry> = transcript.slice(0, last + 1)
    const heard = parts.flatMap(({ role, text }) => (role === "assistant" ? [text] : [])).join(" ")
    expect(heard, JSON.stringify(transcript)).toMatch(/^One two three/)
    expect(heard.length).toBeLessThan(text.length / 2)
    const { messages } = world.upstream.of("llm").at(-1)!.body as {
      messages: ReadonlyArray<{ role: string; content: string }>
    }
    const known = messages.flatMap(({ content, role }) => (role === "assistant" ? [content] : [])).join(" ")
    expect(known).toBe(heard)
  })

  // Verifies: V-131, V-134, V-141.
  it("runs functions of the client, four rounds of them at most, and then answers", async () => {
    reply = () => ({ calls: [{ id: crypto.randomUUID(), name: "price_of", arguments: '{"what":"pizza"}' }] })
    const client = await world.begin({
      think: {
        provider: { model: "gemma-4-26b-a4b-it" },
        functions: [
          {
            name: "price_of",
            description: "Finds a price",
            parameters: { type: "object", properties: { what: { type: "string" } } }
          }
        ]
      }
    })
    const before = world.upstream.of("llm").length
    client.send({ type: "InjectUserMessage", content: "What does it cost?" })
    for (let round = 1; round <= 4; round++) {
      const { functions } = (await client.hears("FunctionCallRequest", round)) as unknown as {
        functions: ReadonlyArray<{ id: string; name: string; client_side: boolean; arguments: string }>
      }
      expect(functions).toMatchObject([{ name: "price_of", client_side: true, arguments: '{"what":"pizza"}' }])
      if (round === 4) reply = () => ({ text: "It is ten." })
      client.send({ type: "FunctionCallResponse", id: functions[0]!.id, name: "price_of", content: "10" })
    }
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("It is ten.")
    expect(world.upstream.of("llm").length - before).toBe(5)
    expect(world.upstream.of("llm").at(-1)!.body.tools ?? []).toEqual([])
    client.send({ type: "FunctionCallResponse", id: "unknown", name: "price_of", content: "10" })
    expect(await client.hears("Warning")).toMatchObject({ code: "UNMATCHED_FUNCTION_RESPONSE" })
    client.socket.close()
    const { id } = await world.ended(client)
    const { body: transcript } = await world.ask("GET", `/v1/voice/sessions/${id}/transcript`)
    const tools = transcript.filter(({ role }: { role: string }) => role === "tool")
    expect(tools).toHaveLength(4)
    expect(tools[0].tool).toEqual({ name: "price_of", arguments: '{"what":"pizza"}', result: "10" })
  })

  // Verifies: V-74, V-123.
  it("ends by the agent's own tool, once its words have been heard", async () => {
    reply = () => ({ text: "Goodbye then.", calls: [{ id: "c1", name: "end_call", arguments: "{}" }] })
    const client = await world.begin()
    client.send({ type: "InjectUserMessage", content: "Bye." })
    await client.hears("AgentAudioDone")
    expect(await client.closed).toEqual({ code: 1000, reason: "agent_closed" })
    expect(client.texts("assistant")).toBe("Goodbye then.")
    expect(await world.ended(client)).toMatchObject({ status: "completed", end_reason: "agent_closed" })
  })

  // Verifies: V-39, V-41.
  it("applies updates from the next run on, and refuses what cannot be applied", async () => {
    reply = () => ({ text: "Yes." })
    const client = await world.begin()
    client.send({ type: "UpdatePrompt", prompt: "Speak like a pirate." })
    await client.hears("PromptUpdated")
    client.send({ type: "UpdateSpeak", speak: { provider: { model: "no-such-model" } } })
    expect(await client.hears("Warning")).toMatchObject({ code: "INVALID_UPDATE" })
    client.send({ type: "InjectUserMessage", content: "Hello?" })
    await client.hears("LatencyReport")
    const { messages } = world.upstream.of("llm").at(-1)!.body as { messages: ReadonlyArray<{ content: string }> }
    expect(messages[0]!.content).toContain("pirate")
    client.socket.close()
    await client.closed
  })

  it("of one session's sound is never in another's", async () => {
    reply = () => ({ text: "A sentence." })
    const [a, b] = [await world.begin(), await world.begin()]
    a.send({ type: "InjectUserMessage", content: "Speak." })
    await a.hears("AgentAudioDone")
    expect(b.soundBytes).toBe(0)
    expect(b.types).not.toContain("ConversationText")
    for (const client of [a, b]) client.socket.close()
    await Promise.all([a.closed, b.closed])
  })
})

describe("a handshake", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({ plan: "free" })
  })
  afterAll(() => world.stop())

  const status = async (headers: Record<string, string>, path = "/v1/agent/converse") => {
    const key = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
    }
    const { get } = await import("node:http")
    return await new Promise<{ status: number; body: string; headers: unknown }>((resolve, reject) => {
      get(`${world.origin}${path}`, { headers: { ...key, ...headers } }, (response) => {
        let body = ""
        response
          .on("data", (data) => (body += data))
          .on("end", () => resolve({ status: response.statusCode!, body, headers: response.headers }))
      })
        .on("upgrade", (response, socket) => {
          socket.destroy()
          resolve({ status: response.statusCode!, body: "", headers: response.headers })
        })
        .on("error", reject)
    })
  }

  // Verifies: V-4.
  it("needs a credential in a header or a subprotocol; one in the query counts for nothing", async () => {
    expect(await status({})).toMatchObject({ status: 401 })
    expect(await status({}, `/v1/agent/converse?token=${world.key}`)).toMatchObject({ status: 401 })
    expect(JSON.parse((await status({ authorization: "Bearer nonsense" })).body).error.code).toBe("invalid_api_key")
    for (const headers of [{ authorization: `Token ${world.key}` }, { authorization: `Bearer ${world.key}` }]) {
      expect(await status(headers)).toMatchObject({ status: 101 })
      await sleep(300)
    }
    const chosen = await status({ "sec-websocket-protocol": `bearer, ${world.key}` })
    expect(chosen).toMatchObject({ status: 101, headers: { "sec-websocket-protocol": "bearer" } })
    await sleep(300)
  })

  // Verifies: V-5.
  it("needs the permissions of all stages", async () => {
    const { text } = await world.core.admin.createKey(world.accountId, { permissions: ["llm", "stt"] })
    const refused = await status({ authorization: `Token ${text}` })
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.body).error.code).toBe("permission_denied")
  })

  it("is answered with 426 without an upgrade", async () => {
    const plain = await fetch(`${world.origin}/v1/agent/converse`, {
      headers: { authorization: `Bearer ${world.key}` }
    })
    expect(plain.status).toBe(426)
    expect((await plain.json()).error.code).toBe("invalid_request")
  })

  // Verifies: V-168, V-169.
  it("of twenty at once leaves as many sessions as the plan has", async () => {
    const clients = Array.from({ length: 20 }, () => world.connect())
    const opened = await Promise.all(
      clients.map((client) => Promise.race([client.hears("Welcome").then(() => true), client.closed.then(() => false)]))
    )
    expect(opened.filter(Boolean)).toHaveLength(2)
    for (const client of clients) client.socket.close()
    await Promise.all(clients.map(({ closed }) => closed))
    await sleep(300)
  })

  // Verifies: V-8, V-11, V-37, V-38, V-74.
  it("by a session's token is accepted once, and its client can speak and change nothing", async () => {
    const { body: bot } = await world.ask("POST", "/api/v1/bots", {
      name: "Ada",
      system_prompt: "You are Ada.",
      config: { greeting: "I am Ada." }
    })
    const { body: session } = await world.ask("POST", "/v1/voice/sessions", { bot_id: bot.id })
    expect(session.url).toContain("/v1/agent/converse")
    const client = world.connect(session.token)
    expect(await client.hears("Welcome")).toMatchObject({ request_id: session.id })
    client.send({ type: "Settings", agent: { greeting: "I am somebody else." } })
    expect(await client.hears("Warning")).toMatchObject({ code: "SETTINGS_FIELDS_IGNORED" })
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("I am Ada.")
    client.send({ type: "UpdatePrompt", prompt: "x" })
    expect(await client.hears("Warning", 2)).toMatchObject({ code: "INVALID_UPDATE" })
    client.send({ type: "InjectAgentMessage", message: "x" })
    await client.hears("InjectionRefused")
    const again = world.connect(session.token)
    expect((await again.closed).code).toBe(1006)
    const { body: ended } = await world.ask("DELETE", `/v1/voice/sessions/${session.id}`)
    expect(ended.end_reason).toBe("api_delete")
    expect(await client.closed).toEqual({ code: 1000, reason: "api_delete" })
  })
})

describe("what goes wrong", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({ options: { voice: { settingsTimeoutMs: 300, idleTimeoutSeconds: 1 } } })
  })
  afterAll(() => world.stop())

  const endings: ReadonlyArray<
    readonly [string, (client: Awaited<ReturnType<VoiceWorld["connect"]>>) => void, string, string]
  > = [
    ["no settings in time", () => undefined, "CLIENT_MESSAGE_TIMEOUT", "start_failed"],
    [
      "another message first",
      (client) => client.send({ type: "KeepAlive" }),
      "NON_SETTINGS_MESSAGE_BEFORE_SETTINGS",
      "non_settings_message_before_settings"
    ],
    [
      "sound first",
      (client) => client.socket.send(new Uint8Array(320)),
      "NON_SETTINGS_MESSAGE_BEFORE_SETTINGS",
      "non_settings_message_before_settings"
    ],
    ["no JSON", (client) => client.socket.send("hello"), "UNPARSABLE_CLIENT_MESSAGE", "invalid_settings"],
    [
      "settings that are wrong",
      (client) => client.send({ type: "Settings", audio: { input: { encoding: "opus" } } }),
      "INVALID_SETTINGS",
      "invalid_settings"
    ],
    [
      "an unknown model",
      (client) => client.send({ type: "Settings", agent: { think: { provider: { model: "x-1" } } } }),
      "INVALID_SETTINGS",
      "invalid_settings"
    ],
    [
      "another account's agent",
      (client) => client.send({ type: "Settings", agent: crypto.randomUUID() }),
      "INVALID_SETTINGS",
      "invalid_settings"
    ]
  ]

  // Verifies: V-13, V-18, V-21, V-58, V-59, V-60, V-61.
  it.each(endings)("%s: the session ends, closed with 1000", async (_, act, code, reason) => {
    const client = world.connect()
    await client.hears("Welcome")
    act(client)
    expect(await client.hears("Error")).toMatchObject({ code })
    expect(await client.closed).toEqual({ code: 1000, reason })
    expect(await world.ended(client)).toMatchObject({ status: "failed", end_reason: reason })
  })

  // Verifies: V-61, V-72, V-73, V-204.
  it("a second Settings, silence of the client, and too many messages end it", async () => {
    const second = await world.begin()
    second.send({ type: "Settings" })
    expect(await second.closed).toEqual({ code: 1000, reason: "invalid_settings" })
    expect(await second.hears("Error")).toMatchObject({ code: "SETTINGS_ALREADY_APPLIED" })
    const silent = await world.begin()
    expect(await silent.hears("Warning")).toMatchObject({ code: "IDLE_TIMEOUT_APPROACHING" })
    expect(await silent.closed).toEqual({ code: 1000, reason: "client_disconnect" })
    const noisy = await world.begin()
    for (let n = 0; n < 1200; n++) noisy.send({ type: "KeepAlive" })
    expect(await noisy.closed).toMatchObject({ code: 1008 })
    expect(await noisy.hears("Error")).toMatchObject({ code: "CLIENT_LIMIT_EXCEEDED" })
  })

  // Verifies: V-14, V-73, V-203, V-204.
  it("sound that comes much too fast ends it, and a frame of six seconds is dropped", async () => {
    const client = await world.begin()
    client.socket.send(new Uint8Array(6 * 48_000))
    expect(await client.hears("Warning")).toMatchObject({ code: "AUDIO_CHUNK_TOO_LARGE" })
    for (let n = 0; n < 20; n++) client.socket.send(new Uint8Array(48_000))
    expect(await client.closed).toMatchObject({ code: 1008 })
  })

  // Verifies: V-69.
  it("without a budget for the next request the session ends before a model is asked", async () => {
    const { text } = await world.core.admin.createKey(world.accountId, { budget: "0.000001" })
    const before = world.upstream.asked.length
    const client = world.connect(text)
    await client.hears("Welcome")
    client.send({ type: "Settings", agent: { greeting: "Hello." } })
    expect(await client.hears("Error")).toMatchObject({ code: "API_KEY_BUDGET_EXCEEDED" })
    expect(await client.closed).toEqual({ code: 1000, reason: "budget_exhausted" })
    expect(world.upstream.asked.length).toBe(before)
  })

  // Verifies: V-14, V-68, V-182.
  it("a process that stops says so, and lets a reply end before", async () => {
    const going = await voiceWorld({ fake: { thinks: () => ({ text: "A short answer." }) } })
    const client = await going.begin()
    client.send({ type: "InjectUserMessage", content: "Hello?" })
    await client.hears("AgentStartedSpeaking")
    const stopped = going.halt()
    expect(await client.hears("Error")).toMatchObject({ code: "SERVER_GOING_AWAY" })
    expect(await client.closed).toEqual({ code: 1001, reason: "agent_error" })
    expect(client.types).toContain("AgentAudioDone")
    await stopped
  })
})
