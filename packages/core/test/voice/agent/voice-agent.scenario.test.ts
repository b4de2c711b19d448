/** Agents that speak over the product's real services: docs/reference/voice-agent.md#agent, #functions, #secrets. Verifies: VAGT-2, VAGT-4, VAGT-5, BOTS-8. */
import { Bots, type Ids, Knowledge } from "@trunkline/core/effect"
import { Endpoints, fakeOutbound } from "@trunkline/testing/webhooks"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import {
  type AgentCaller,
  type AppliedSettings,
  type FunctionCall,
  FunctionCaller,
  functionFaults,
  functionNamed,
  type SessionChoices,
  VoiceAgents
} from "../../../src/voice/agent/index.ts"
import { type Stage, scenario } from "../../calling/calls/Scenarios.ts"

const header = "Bearer s3cret-of-the-host"
const book = { name: "book", endpoint: { url: "https://api.example/book", headers: { Authorization: header } } }
const given = { name: "Asha", type: "messaging", systemPrompt: "Sell tea to {{name}}.", isActive: true }

const make = (stage: Stage, over: object = {}) =>
  stage.run(Bots.use((bots) => bots.create(stage.tenant, { ...given, config: {}, ...over })))

const callerOf = (stage: Stage): AgentCaller => ({
  tenantId: stage.tenant,
  plan: "enterprise",
  key: null,
  problem: () => null
})

const apply = (stage: Stage, message: unknown, session: SessionChoices | null = null) =>
  stage.run(VoiceAgents.use((agents) => agents.apply(callerOf(stage), message, session)))

const sessionOf = (botId: Ids.BotId, over: Partial<SessionChoices> = {}): SessionChoices => ({
  ...{ botId, sttModel: null, llmModel: null, ttsModel: null, voice: null, language: null, variables: {} },
  ...over
})

describe("the agent of a client's settings", () => {
  scenario("is the bot that they name, with its prompt, its configuration and its headers", function* (stage) {
    const bot = yield* make(stage, {
      config: { greeting: "Hi", stt_model: "nova-3", functions: [book], max_duration_seconds: 60 }
    })
    const applied = (yield* apply(stage, { agent: bot.id, audio: { input: { encoding: "mulaw" } } })) as AppliedSettings
    expect(applied).toMatchObject({
      settings: {
        botId: bot.id,
        prompt: "Sell tea to .",
        greeting: "Hi",
        listen: { model: "nova-3" },
        think: [{ model: "gemma-4-26b-a4b-it" }],
        speak: [{ model: "bulbul:v3" }],
        functions: [{ name: "book", endpoint: { headers: { Authorization: header } } }]
      },
      maxDurationSeconds: 60,
      input: { encoding: "mulaw", sampleRate: 8000 },
      warnings: []
    })
  })

  // Verifies: V-21, V-118.
  scenario("is none that is another account's, inactive or without a prompt", function* (stage) {
    const silent = yield* make(stage, { systemPrompt: " " })
    const inactive = yield* make(stage, { isActive: false })
    for (const agent of [silent.id, inactive.id, "01936f00-0000-7000-8000-0000000000ff"]) {
      expect(yield* apply(stage, { agent })).toMatchObject({
        code: "INVALID_SETTINGS",
        description: expect.stringMatching(/^agent: is no agent of this account that answers/)
      })
    }
    const bot = yield* make(stage)
    const stranger = { ...callerOf(stage), tenantId: silent.id as never }
    const refused = yield* stage.run(VoiceAgents.use((agents) => agents.apply(stranger, { agent: bot.id }, null)))
    expect(refused).toMatchObject({ code: "INVALID_SETTINGS" })
  })

  scenario("may be described by the client itself, and its models are checked", function* (stage) {
    const described = { agent: { think: { provider: { model: "oss-120b" }, prompt: "Be kind." } } }
    expect(yield* apply(stage, described)).toMatchObject({
      settings: { botId: null, prompt: "Be kind.", think: [{ model: "oss-120b" }] }
    })
    expect(yield* apply(stage, { agent: { speak: { provider: { model: "mouth" } } } })).toEqual({
      code: "INVALID_SETTINGS",
      description: "There is no model mouth."
    })
    const closed: AgentCaller = {
      ...callerOf(stage),
      problem: (stageName) => (stageName === "think" ? "No engine." : null)
    }
    expect(yield* stage.run(VoiceAgents.use((agents) => agents.apply(closed, described, null)))).toEqual({
      code: "MODEL_UNAVAILABLE",
      description: "No engine."
    })
  })

  // Verifies: V-224.
  scenario("that is wrong in several ways is refused with every fault in one description", function* (stage) {
    const audio = { input: { encoding: "opus" } }
    const think = { provider: { model: "mind", temperature: 9 } }
    expect(yield* apply(stage, { audio, agent: { think, speak: { provider: { model: "mouth" } } } })).toEqual({
      code: "INVALID_SETTINGS",
      description: expect.stringMatching(
        /^audio\.input\.encoding: .+; agent\.think\.provider\.temperature: .+; There is no model mind\. There is no model mouth\.$/
      )
    })
    expect(yield* apply(stage, { audio, agent: "01936f00-0000-7000-8000-0000000000ff" })).toEqual({
      code: "INVALID_SETTINGS",
      description: expect.stringMatching(/^audio\.input\.encoding: .+; agent: is no agent of this account/)
    })
    const { settings } = (yield* apply(stage, {})) as AppliedSettings
    const update = VoiceAgents.useSync((agents) =>
      agents.update(callerOf(stage), settings, { _tag: "UpdateThink", think })
    )
    expect(yield* stage.run(update)).toEqual({
      code: "INVALID_UPDATE",
      description: expect.stringMatching(/^think\.provider\.temperature: .+; There is no model mind\.$/)
    })
  })

  // Verifies: V-37, V-119.
  scenario(
    "of a session is the session's: bot, then session, then the client's language and context",
    function* (stage) {
      const bot = yield* make(stage, { config: { greeting: "Hi {{first_name}}", language: "en", temperature: 0.3 } })
      const session = sessionOf(bot.id, { llmModel: "oss-120b", variables: { name: "Ann Lee", first_name: "Ann" } })
      const message = { agent: { language: "hi", greeting: "Hacked", think: { prompt: "Obey." } } }
      const applied = (yield* apply(stage, message, session)) as AppliedSettings
      expect(applied.settings).toMatchObject({
        botId: bot.id,
        greeting: "Hi Ann",
        prompt: "Sell tea to ⟦Ann Lee⟧.",
        language: "hi",
        listen: { language: "hi" },
        think: [{ model: "oss-120b", temperature: 0.3 }]
      })
      expect(applied.warnings).toEqual([
        { code: "SETTINGS_FIELDS_IGNORED", description: "These fields have no effect: agent.greeting, agent.think" }
      ])
      const onTelephone = yield* stage.run(VoiceAgents.use((agents) => agents.ofSession(callerOf(stage), session)))
      expect(onTelephone).toMatchObject({ settings: { greeting: "Hi Ann", language: "en" } })
    }
  )

  // Verifies: V-122.
  scenario("searches what it knows itself", function* (stage) {
    const bot = yield* make(stage)
    const knowledge = VoiceAgents.use((agents) => agents.knowledge(stage.tenant, bot.id))
    expect((yield* stage.run(knowledge))!.hasEntries).toBe(false)
    const entry = { title: "Opening hours", content: "We are open from nine to five." }
    yield* stage.run(Knowledge.use((known) => known.add(stage.tenant, bot.id, entry)))
    const { hasEntries, newToolbox } = (yield* stage.run(knowledge))!
    expect(hasEntries).toBe(true)
    const call = { id: "1", name: "search_knowledge_base", arguments: '{"query":"opening hours"}' }
    expect(yield* stage.run(newToolbox().use(call))).toContain("nine to five")
    expect(yield* stage.run(VoiceAgents.use((agents) => agents.knowledge(stage.tenant, null)))).toBeNull()
  })
})

describe("the headers of an agent's functions", () => {
  // Verifies: V-139.
  scenario("are masked wherever the agent is read, and stay where the mask is written back", function* (stage) {
    const bot = yield* make(stage, { config: { functions: [book] } })
    const masked = { ...book, endpoint: { ...book.endpoint, headers: { Authorization: "***" } } }
    expect(bot.config).toEqual({ functions: [masked] })
    expect(yield* stage.run(Bots.use((bots) => bots.get(stage.tenant, bot.id)))).toEqual(bot)
    expect(
      JSON.stringify(yield* stage.run(Bots.use((bots) => bots.list(stage.tenant, { limit: 9, offset: 0 }))))
    ).not.toContain("s3cret")
    const change = (config: object) =>
      stage.run(Bots.use((bots) => bots.change(stage.tenant, bot.id, { config: config as never })))
    yield* change({ greeting: "Hi", functions: [masked] })
    const headers = Effect.map(apply(stage, { agent: bot.id }), (applied) =>
      "settings" in applied ? applied.settings.functions.map(({ endpoint }) => endpoint?.headers) : applied
    )
    expect(yield* headers).toEqual([{ Authorization: header }])
    yield* stage.run(Bots.use((bots) => bots.change(stage.tenant, bot.id, { name: "Bina" })))
    expect(yield* headers).toEqual([{ Authorization: header }])
    yield* change({ functions: [{ ...book, endpoint: { url: book.endpoint.url } }] })
    expect(yield* headers).toEqual([{}])
  })

  // Verifies: V-116.
  scenario("that are wrong, as any other value, refuse the agent with every fault", function* (stage) {
    const config = { stt_model: 7, functions: [{ name: "a b", endpoint: { url: "x" } }] } as never
    expect(yield* stage.fails(Bots.use((bots) => bots.create(stage.tenant, { ...given, config })))).toMatchObject({
      _tag: "BotConfigRefused",
      faults: [
        { field: "config.stt_model" },
        { field: "config.functions.0.name" },
        { field: "config.functions.0.endpoint.url" }
      ]
    })
  })
})

describe("a function's endpoint", () => {
  const endpoints = new Endpoints()
  const host = { outbound: fakeOutbound(endpoints) }
  const sessionId = "01936f00-0000-7000-8000-00000000000a" as Ids.VoiceSessionId

  const call = (stage: Stage, over: Partial<FunctionCall["endpoint"]> = {}, args: object = { day: "Monday", n: 2 }) =>
    stage.run(
      FunctionCaller.use((functions) =>
        functions.call({
          ...{ sessionId, callId: "call_1", arguments: args as never },
          endpoint: { url: "https://api.example/book?a=1", method: "POST", headers: { "X-Key": "k" }, ...over }
        })
      )
    )
  const last = () => endpoints.log.at(-1)!

  // Verifies: V-136.
  scenario(
    "gets the arguments as JSON, with its headers and ours, at the address that was checked",
    function* (stage) {
      endpoints.moods.set("api.example", { _tag: "Answers", status: 200, body: '{"booked":true}' })
      expect(yield* call(stage)).toEqual({ content: '{"booked":true}', isFailure: false })
      expect(last()).toMatchObject({
        method: "POST",
        path: "/book?a=1",
        address: "93.184.216.34",
        body: '{"day":"Monday","n":2}',
        headers: {
          "Content-Type": "application/json",
          "X-Key": "k",
          "X-Service-Session": sessionId,
          "X-Service-Function-Call": "call_1"
        }
      })
      yield* call(stage, { headers: { "content-type": "text/json", "x-service-session": "forged" } })
      expect(last().headers).toEqual({
        "User-Agent": "functions/1",
        "content-type": "text/json",
        "X-Service-Session": sessionId,
        "X-Service-Function-Call": "call_1"
      })
    },
    { host }
  )

  // Verifies: V-136.
  scenario(
    "gets them in the query of a GET",
    function* (stage) {
      yield* call(stage, { method: "GET" })
      expect(last()).toMatchObject({ method: "GET", path: "/book?a=1&day=Monday&n=2", body: "" })
      expect(last().headers).not.toHaveProperty("Content-Type")
    },
    { host }
  )

  // Verifies: V-138.
  scenario(
    "that fails is a sentence for the model, which says nothing of why",
    function* (stage) {
      for (const status of [300, 302, 404, 500]) {
        endpoints.moods.set("api.example", { _tag: "Answers", status, body: "stack trace" })
        expect(yield* call(stage)).toEqual(functionFaults.failure)
      }
      for (const _tag of ["Refuses", "Unknown"] as const) {
        endpoints.moods.set("api.example", { _tag })
        expect(yield* call(stage)).toEqual(functionFaults.failure)
      }
      expect(functionFaults.failure.content).toBe('{"error":"The function failed. Nothing more is known."}')
    },
    { host }
  )

  // Verifies: V-137.
  scenario(
    "is at a public https address, or nothing is sent",
    function* (stage) {
      endpoints.moods.set("inside.example", { _tag: "Inside" })
      const before = endpoints.log.length
      for (const url of [
        "http://api.example/",
        "https://inside.example/",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest",
        "https://[::1]/",
        "https://user:password@api.example/",
        "nonsense"
      ]) {
        expect(yield* call(stage, { url })).toEqual(functionFaults.failure)
      }
      expect(endpoints.log).toHaveLength(before)
    },
    { host }
  )

  // Verifies: V-137.
  scenario(
    "whose name is that of a private address the next time is not called again",
    function* (stage) {
      endpoints.moods.set("turns.example", { _tag: "Answers", status: 200, body: "fine" })
      expect(yield* call(stage, { url: "https://turns.example/" })).toEqual({ content: "fine", isFailure: false })
      endpoints.moods.set("turns.example", { _tag: "Inside" })
      const before = endpoints.log.length
      expect(yield* call(stage, { url: "https://turns.example/" })).toEqual(functionFaults.failure)
      expect(endpoints.log).toHaveLength(before)
    },
    { host }
  )

  scenario(
    "in a network that the operator exempts is called",
    function* (stage) {
      endpoints.moods.set("inside.example", { _tag: "Inside" })
      // The endpoints of this test answer nothing from inside: what matters is that they were asked.
      yield* call(stage, { url: "http://inside.example/book" })
      expect(last()).toMatchObject({ host: "inside.example", address: "10.0.0.7" })
    },
    { host: { ...host, webhooks: { allowNetworks: ["10.0.0.0/8"] } } }
  )

  // Verifies: V-137.
  scenario(
    "has ten seconds",
    function* (stage) {
      endpoints.moods.set("api.example", { _tag: "Hangs" })
      const running = yield* Effect.forkChild(call(stage))
      yield* stage.wait(9_900)
      expect(running.pollUnsafe()).toBeUndefined()
      yield* stage.wait(200)
      expect(running.pollUnsafe()).toMatchObject({ value: functionFaults.timeout })
      expect(endpoints.hanging).toBe(0)
    },
    { host }
  )

  scenario(
    "has 64 KiB of its answer read, cut between characters",
    function* (stage) {
      endpoints.moods.set("api.example", { _tag: "Answers", status: 200, body: `x${"é".repeat(40_000)}` })
      const { content } = yield* call(stage)
      expect(content).toBe(`x${"é".repeat(32_767)}`)
    },
    { host }
  )
})

describe("a call that a model writes", () => {
  // Verifies: V-132.
  scenario("is carried out only with a name that exists", function* () {
    yield* Effect.void
    expect(functionNamed([], "book")).toBeNull()
    expect(functionFaults.unknown(["a", "b"]).content).toContain("Use one of: a, b.")
  })
})
