/** What a client on the socket is shown, and when; what its functions do; which models stand in. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { outbound } from "@trunkline/node"
import { openai } from "@trunkline/providers/openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { handshake } from "./Handshake.ts"
import { asks, leaves, sessionOf, until } from "./VoiceSteps.ts"
import { type Answer, shortTimeout, type VoiceClient, type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

const model = "gemma-4-26b-a4b-it"

describe("a client", () => {
  let world: VoiceWorld
  beforeAll(async () => {
    world = await voiceWorld({ fake: { llmMs: 20, ttsMs: 20, thinks: () => ({ text: "It costs ten. Shall I?" }) } })
  })
  afterAll(() => world.stop())

  // Verifies: V-18, V-49, V-52.
  it("hears a reply in one order: words and start before the sound, times after it, the end last", async () => {
    const client = world.connect()
    const log: Array<string> = []
    client.socket.addEventListener("message", ({ data }) => {
      const type = typeof data === "string" ? JSON.parse(data).type : "sound"
      if (type !== "sound" || log.at(-1) !== "sound") log.push(type)
    })
    await client.hears("Welcome")
    client.send({ type: "Settings", flags: { history: false }, agent: { think: { provider: { model } } } })
    await client.hears("SettingsApplied")
    asks(client)
    await client.hears("AgentAudioDone")
    const first = log.indexOf("sound")
    expect(log.slice(0, 3)).toEqual(["Welcome", "SettingsApplied", "ConversationText"])
    expect(log.indexOf("AgentStartedSpeaking")).toBeLessThan(first)
    expect(log.filter((type) => type === "LatencyReport")).toHaveLength(1)
    expect(log.indexOf("LatencyReport")).toBeGreaterThan(log.indexOf("AgentStartedSpeaking"))
    expect(log.slice(0, first).filter((type) => type === "ConversationText")).toHaveLength(2)
    expect(log.at(-1)).toBe("AgentAudioDone")
    expect(log).not.toContain("History")
    expect(await client.hears("LatencyReport")).toMatchObject({ total_latency: expect.any(Number) })
    expect(await client.hears("LatencyReport")).not.toHaveProperty("stt_latency")
    expect(await client.hears("AgentStartedSpeaking")).toMatchObject({ ttt_latency: expect.any(Number) })
    await leaves(world, client)
  })

  // Verifies: V-50.
  it("gets each text again as history, right after it", async () => {
    const client = await world.begin({ greeting: "Hello." })
    await client.hears("AgentAudioDone")
    asks(client)
    await client.hears("AgentAudioDone", 2)
    const said = client.messages.filter(({ type }) => type === "ConversationText" || type === "History")
    expect(said.length).toBe(8)
    for (let n = 0; n < said.length; n += 2) {
      expect(said[n]!.type).toBe("ConversationText")
      expect(said[n + 1]).toEqual({ ...said[n], type: "History" })
    }
    await leaves(world, client)
  })

  // Verifies: V-45.
  it("keeps its session alive with messages that have no answer", async () => {
    const patient = await voiceWorld({ options: { voice: { idleTimeoutSeconds: 1 } } })
    const client = await patient.begin()
    for (let n = 0; n < 8; n++) {
      client.send({ type: "KeepAlive" })
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    expect(client.types).toEqual(["Welcome", "SettingsApplied"])
    expect(client.socket.readyState).toBe(WebSocket.OPEN)
    await leaves(patient, client)
    await patient.stop()
  })

  // Verifies: V-42, V-43.
  it("that speaks for the caller interrupts the agent, and has no end of what was cut off", async () => {
    const client = await world.begin({ greeting: "A greeting that is long enough to be interrupted by a question." })
    await client.hears("AgentStartedSpeaking")
    asks(client)
    await client.hears("AgentAudioDone")
    expect(client.types.filter((type) => type === "AgentStartedSpeaking")).toHaveLength(2)
    expect(client.types.filter((type) => type === "AgentAudioDone")).toHaveLength(1)
    await leaves(world, client)
  })

  // Verifies: V-46.
  it("is warned of what cannot be read, and goes on", async () => {
    const client = await world.begin()
    client.socket.send("{")
    client.send({ type: "Sing" })
    client.send({ type: "InjectUserMessage" })
    await client.hears("Warning", 3)
    expect(client.messages.filter(({ type }) => type === "Warning").map(({ code }) => code)).toEqual([
      "UNPARSABLE_CLIENT_MESSAGE",
      "UNKNOWN_MESSAGE",
      "UNPARSABLE_CLIENT_MESSAGE"
    ])
    asks(client)
    await client.hears("AgentAudioDone")
    await leaves(world, client)
  })

  // Verifies: V-3.
  it("gets 426 without an upgrade, and 405 for any method but GET", async () => {
    const url = `${world.origin}/v1/agent/converse`
    const plain = await fetch(url)
    expect([plain.status, plain.headers.get("upgrade")]).toEqual([426, "websocket"])
    expect((await plain.json()).error.code).toBe("invalid_request")
    const post = await fetch(url, { method: "POST", body: "{}" })
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET"])
  })

  // Verifies: V-9.
  it("with a token comes from the domains of the key that made its session", async () => {
    const { text } = await world.core.admin.createKey(world.accountId, { scopes: ["*"], domains: ["a.test"] })
    const { body: bot } = await world.ask("POST", "/api/v1/bots", { name: "Ada", system_prompt: "You are Ada." })
    const headers = { authorization: `Bearer ${text}`, "content-type": "application/json", origin: "https://a.test" }
    const body = JSON.stringify({ bot_id: bot.id })
    const made = await fetch(`${world.origin}/v1/voice/sessions`, { method: "POST", headers, body })
    const { id, token } = (await made.json()) as { id: string; token: string }
    const shown = { "sec-websocket-protocol": `token, ${token}` }
    const foreign = await handshake(world.origin, { ...shown, origin: "https://b.test" })
    expect([foreign.status, foreign.code]).toEqual([403, "domain_not_allowed"])
    expect((await handshake(world.origin, { ...shown, origin: "https://a.test" })).status).toBe(101)
    expect((await handshake(world.origin, { ...shown, origin: "https://a.test" })).status).toBe(401)
    await until(async () => (await world.ask("GET", `/v1/voice/sessions/${id}`)).body.ended_at, "its end")
  })
})

describe("functions", () => {
  const asked: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string }> = []
  let server: Server
  let world: VoiceWorld
  let calls: ReadonlyArray<{ readonly id: string; readonly name: string; readonly arguments: string }> = []
  let runs = 0
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = ""
      for await (const chunk of request) body += chunk
      asked.push({ headers: request.headers, body })
      response.end("ten euros")
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    world = await voiceWorld({
      fake: { thinks: () => (++runs === 1 ? { calls } : { text: "It is ten." }) },
      options: {
        outbound: outbound(),
        voice: { functionTimeoutMs: shortTimeout(400) },
        webhooks: { allowNetworks: ["127.0.0.0/8"] }
      }
    })
  })
  afterAll(async () => {
    await world.stop()
    server.close()
  })

  const session = async (functions: ReadonlyArray<object>, made: typeof calls): Promise<VoiceClient> => {
    ;[runs, calls] = [0, made]
    const client = await world.begin({ think: { provider: { model }, functions } })
    asks(client)
    return client
  }
  const lastAsked = () => world.upstream.of("llm").at(-1)!.body.messages as ReadonlyArray<Answer>

  // Verifies: V-136, V-139, V-141, V-207.
  it("with an endpoint are called by the server: announced to the client, answered, and in the transcript", async () => {
    const { port } = server.address() as AddressInfo
    const endpoint = { url: `http://127.0.0.1:${port}/`, headers: { authorization: "secret-of-mine" } }
    const client = await session(
      [{ name: "price_of", endpoint }],
      [{ id: "c1", name: "price_of", arguments: '{"a":1}' }]
    )
    const { functions } = (await client.hears("FunctionCallRequest")) as Answer
    expect(functions).toEqual([{ id: "c1", name: "price_of", arguments: '{"a":1}', client_side: false }])
    expect(await client.hears("FunctionCallResponse")).toMatchObject({
      id: "c1",
      name: "price_of",
      content: "ten euros"
    })
    await client.hears("AgentAudioDone")
    expect(client.messages.filter(({ type, function_calls }) => type === "History" && function_calls)).toMatchObject([
      { function_calls: [{ id: "c1", response: "ten euros" }] }
    ])
    const id = await sessionOf(client)
    expect(asked.at(-1)).toMatchObject({
      body: '{"a":1}',
      headers: { "x-service-session": id, "x-service-function-call": "c1" }
    })
    await leaves(world, client)
    const { body: entries } = await world.ask("GET", `/v1/voice/sessions/${id}/transcript`)
    expect(entries.find(({ role }: Answer) => role === "tool").tool).toEqual({
      ...{ name: "price_of", arguments: '{"a":1}', result: "ten euros" }
    })
    const shown = JSON.stringify([client.messages, entries, world.log, world.upstream.of("llm")])
    expect(shown).not.toContain("secret-of-mine")
  })

  // Verifies: V-57, V-138.
  it("that cannot be reached are a sentence for the model; why is in the operator's log alone", async () => {
    const endpoint = { url: "http://127.0.0.1:1/" }
    const client = await session([{ name: "price_of", endpoint }], [{ id: "c1", name: "price_of", arguments: "{}" }])
    const { content } = await client.hears("FunctionCallResponse")
    expect(content).toBe('{"error":"The function failed. Nothing more is known."}')
    await client.hears("AgentAudioDone")
    expect(
      world.log.filter(({ message }) => /a function of the voice session .* failed: \S/.test(message))
    ).toHaveLength(1)
    await leaves(world, client)
  })

  // Verifies: V-134.
  it("of a client that does not answer in time time out: the client gets a warning and the model an error", async () => {
    const client = await session([{ name: "price_of" }], [{ id: "c1", name: "price_of", arguments: "{}" }])
    expect(await client.hears("Warning")).toMatchObject({ code: "FUNCTION_CALL_TIMEOUT" })
    await client.hears("AgentAudioDone")
    expect(lastAsked().at(-1)).toMatchObject({
      role: "tool",
      content: expect.stringContaining("did not answer in time")
    })
    client.send({ type: "FunctionCallResponse", id: "c1", content: "10" })
    expect(await client.hears("Warning", 2)).toMatchObject({ code: "UNMATCHED_FUNCTION_RESPONSE" })
    await leaves(world, client)
  })

  // Verifies: V-134.
  it("of one round wait for every answer, and what is no text reaches the model as JSON", async () => {
    const two = ["c1", "c2"].map((id) => ({ id, name: "price_of", arguments: "{}" }))
    const client = await session([{ name: "price_of" }], two)
    expect(((await client.hears("FunctionCallRequest")) as Answer).functions).toHaveLength(2)
    const before = world.upstream.of("llm").length
    client.send({ type: "FunctionCallResponse", id: "c2", content: { euros: 10 } })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(world.upstream.of("llm")).toHaveLength(before)
    client.send({ type: "FunctionCallResponse", id: "c1", content: "ten" })
    await client.hears("AgentAudioDone")
    expect(lastAsked().slice(-2)).toMatchObject([
      { role: "tool", content: "ten" },
      { role: "tool", content: '{"euros":10}' }
    ])
    await leaves(world, client)
  })

  // Verifies: V-86, V-140.
  it("that wait are cancelled by an interruption, and a late answer changes nothing", async () => {
    const client = await session([{ name: "price_of" }], [{ id: "c1", name: "price_of", arguments: "{}" }])
    await client.hears("FunctionCallRequest")
    asks(client, "Never mind.")
    expect(await client.hears("FunctionCallCancelled")).toMatchObject({ functions: [{ id: "c1", name: "price_of" }] })
    client.send({ type: "FunctionCallResponse", id: "c1", content: "10" })
    expect(await client.hears("Warning")).toMatchObject({ code: "UNMATCHED_FUNCTION_RESPONSE" })
    await client.hears("AgentAudioDone")
    expect(lastAsked().filter(({ role }) => role === "tool")).toEqual([])
    await leaves(world, client)
  })

  // Verifies: V-132.
  it("that do not exist, or have no object as arguments, are reported to the model alone", async () => {
    const client = await session(
      [{ name: "price_of" }],
      [
        { id: "c1", name: "rob_bank", arguments: "{}" },
        { id: "c2", name: "price_of", arguments: "[]" }
      ]
    )
    await client.hears("AgentAudioDone")
    expect(lastAsked().slice(-2)).toMatchObject([
      { role: "tool", content: expect.stringContaining("There is no tool of this name") },
      { role: "tool", content: expect.stringContaining("must be a JSON object") }
    ])
    await leaves(world, client)
  })

  // Verifies: V-131.
  it("are at most eight in a round: the others are answered with an error", async () => {
    const nine = Array.from({ length: 9 }, (_, n) => ({ id: `c${n}`, name: "price_of", arguments: "{}" }))
    const client = await session([{ name: "price_of" }], nine)
    const { functions } = (await client.hears("FunctionCallRequest")) as Answer
    expect(functions).toHaveLength(8)
    for (const { id } of functions) client.send({ type: "FunctionCallResponse", id, content: "10" })
    await client.hears("AgentAudioDone")
    expect(lastAsked().at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("At most 8 calls") })
    await leaves(world, client)
  })
})

describe("models", () => {
  // Verifies: V-28, V-63.
  it("without a route end the session before anything is asked", async () => {
    const world = await voiceWorld({
      options: { models: { upstreams: { mind: openai({ baseUrl: "http://127.0.0.1:1/v1", serves: ["llm"] }) } } }
    })
    const client = world.connect()
    await client.hears("Welcome")
    client.send({ type: "Settings", agent: { speak: { provider: { model: "bulbul:v3" } } } })
    const { code, description } = await client.hears("Error")
    expect(code).toBe("MODEL_UNAVAILABLE")
    expect(description).toContain("bulbul:v3")
    expect(await client.closed).toEqual({ code: 1000, reason: "model_unavailable" })
    await world.stop()
  })

  // Verifies: V-109.
  it("that fail are replaced by their fallbacks, of which the client is warned", async () => {
    const world = await voiceWorld({
      fake: { thinks: (nth) => (nth === 1 ? { status: 500 } : { text: "It costs ten." }) }
    })
    const think = [model, "oss-120b"].map((one) => ({ provider: { model: one } }))
    const client = await world.begin({ think })
    asks(client)
    expect(await client.hears("Warning")).toMatchObject({ code: "THINK_REQUEST_FAILED" })
    await client.hears("AgentAudioDone")
    expect(client.texts("assistant")).toBe("It costs ten.")
    expect(
      world.upstream
        .of("llm")
        .map(({ body }) => body.model)
        .at(-1)
    ).toBe("oss-120b")
    await leaves(world, client)
    await world.stop()
  })
})
