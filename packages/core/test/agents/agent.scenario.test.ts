/** An agent's answer: docs/reference/messaging.md#agent. Verifies: BOTS-2. */
import { Bots, Knowledge } from "@trunkline/core/effect"
import { type ChatMessage, ModelCatalogue, type UpstreamWhy } from "@trunkline/core/provider"
import { chatAnswer, wants } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { makeAgent, seesImages } from "../../src/agents/replying/index.ts"
import { agentScenario, type botId, conversationId, turnId } from "./AgentScenarios.ts"

const credit = 1_000_000_000n
/** By the standard model, 0.4 and 1.6 USD a million: 100 tokens in and 10 out. */
const oneRun = 100n * 38_400n + 10n * 153_600n

const search = (query: string) => wants(["search_knowledge_base", { query }])
const textsOf = (messages: ReadonlyArray<ChatMessage>) => messages.map(({ role, text }) => `${role}: ${text}`)
const picture = { contentType: "image/jpeg", bytes: new Uint8Array([1, 2, 3]) }

/** The default language model of the shipped catalogue. */
const defaultModel = "gemma-4-26b-a4b-it"

describe("an agent", () => {
  agentScenario("answers with its task, the rules of the chat and the history", function* (agent) {
    agent.model.says(" <think>hm</think> Hello! ")
    const history = [
      { role: "user", text: "hi", images: [] },
      { role: "agent", text: "Asha here", images: [] },
      { role: "user", text: "and you?", images: [] }
    ] as const
    expect(yield* agent.answer("", { history })).toBe("Hello!")
    const [work] = agent.model.works
    expect(agent.model.works).toHaveLength(1)
    expect(work).toMatchObject({ requestedModel: defaultModel, tools: [{ name: "search_knowledge_base" }] })
    expect(textsOf(work!.messages).slice(1)).toEqual([
      "user: hi",
      "assistant: [From a colleague] Asha here",
      "user: and you?"
    ])
    // The clock of the stage stands on this Saturday.
    expect(work!.messages[0]!.text).toMatch(/^You sell tea\.\n[\s\S]*Today is Saturday, 2026-11-21, in UTC\./)
  })

  // Verifies: N-8.
  agentScenario("uses the model of its configuration, and the account's plan for it", function* (agent) {
    yield* agent.answer("hi", { config: { model: "gpt-5.4-mini" }, plan: "pro" })
    expect(agent.model.works).toMatchObject([{ requestedModel: "gpt-5.4-mini" }])
    expect(yield* agent.silent("hi", { config: { model: "gpt-5.4-mini" } })).toMatchObject({
      ...{ reason: "model_not_allowed", isRetryable: false }
    })
  })

  agentScenario("sees pictures with a model that does", function* (agent) {
    const catalogue = (yield* agent.stage.run(
      ModelCatalogue.use((found) => Effect.succeed(found))
    )) as ModelCatalogue["Service"]
    const history = [{ role: "user", text: "what is it", images: [picture] }] as const
    for (const [config, isSeen] of [
      [{}, true],
      [{ model: " " }, true],
      [{ model: "kimi-k2.5" }, true],
      [{ model: "glm-5.2" }, false],
      [{ model: "none" }, false],
      [{ model: 7 }, true]
    ] as const) {
      expect(seesImages({ config }, catalogue)).toBe(isSeen)
      yield* Effect.exit(agent.answer("", { config, history }))
    }
    const images = agent.model.works.map(({ messages }) => {
      const last = messages.at(-1)!
      return last.role === "user" ? last.images.length : null
    })
    // One model is unknown.
    expect(images).toEqual([1, 1, 1, 0, 1])
  })

  agentScenario("that pays nothing and is alone costs its account the tokens, under its turn", function* (agent) {
    yield* agent.answer("hi")
    expect(yield* agent.rows).toMatchObject([
      { model: defaultModel, credits: oneRun, keyId: null, sessionId: conversationId, traceId: turnId }
    ])
    expect(yield* agent.stage.credits).toMatchObject({ balance: 1000n * credit - oneRun, reserved: 0n })
  })
})

describe("a tool", () => {
  agentScenario("is used before the answer, with its result shown to the model", function* (agent) {
    agent.entries = [{ title: "Hours", snippet: "9 to 5" }]
    agent.model.says(search("opening hours"), "We open at 9.")
    expect(yield* agent.answer("when do you open?")).toBe("We open at 9.")
    expect(agent.searches).toEqual(["opening hours"])
    const [first, second] = agent.model.works
    expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages)
    expect(second!.messages.slice(first!.messages.length)).toEqual([
      { role: "assistant", text: "", toolCalls: search("opening hours").toolCalls },
      {
        ...{ role: "tool", callId: "call_0" },
        text: '{"query":"opening hours","results":[{"title":"Hours","snippet":"9 to 5"}]}'
      }
    ])
    expect(yield* agent.rows).toMatchObject([{ traceId: turnId }, { traceId: turnId }])
  })

  agentScenario("finds what the agent knows, and nothing of another one", function* (agent) {
    const { stage } = agent
    const made = (content: string) =>
      stage.run(
        Effect.gen(function* () {
          const bots = yield* Bots
          const bot = { name: "Asha", type: "messaging", systemPrompt: "You sell tea.", isActive: true, config: {} }
          const { id } = yield* bots.create(stage.tenant, bot)
          yield* Knowledge.use((knowledge) => knowledge.add(stage.tenant, id, { title: "Delivery", content }))
          return id
        })
      )
    yield* made("Delivery takes nine weeks.")
    const id = (yield* made("Delivery takes two days.")) as typeof botId
    agent.model.says(search("how long does delivery take"), "Two days.")
    const asked = {
      ...{ bot: { id, systemPrompt: "You sell tea.", config: {} }, turnId, conversationId },
      payer: { tenantId: stage.tenant, plan: "free", monthlyBudget: null },
      history: [{ role: "user", text: "delivery?", images: [] }]
    } as const
    expect((yield* stage.run(Effect.flatMap(makeAgent, (real) => real.answer(asked)))).text).toBe("Two days.")
    expect(JSON.parse(agent.model.works[1]!.messages.at(-1)!.text).results).toEqual([
      { title: "Delivery", snippet: "Delivery takes two days." }
    ])
  })

  agentScenario(
    "that does not exist, or whose arguments are broken, returns an error, and the model goes on",
    function* (agent) {
      agent.model.says(wants(["drop_tables", {}], ["search_knowledge_base", "{broken"]), "Sorry.")
      expect(yield* agent.answer("hi")).toBe("Sorry.")
      const results = agent.model.works[1]!.messages.slice(-2)
      expect(results).toMatchObject([{ callId: "call_0" }, { callId: "call_1" }])
      for (const { text } of results) expect(JSON.parse(text)).toEqual({ error: expect.any(String) })
      expect(agent.searches).toEqual([])
    }
  )

  agentScenario("that is asked the same again and again is answered from memory, and the loop ends", function* (agent) {
    agent.entries = [{ title: "Tea", snippet: "Darjeeling" }]
    agent.model.does(({ tools }) =>
      Effect.succeed(tools.length > 0 ? search("tea") : chatAnswer({ text: "Darjeeling." }))
    )
    expect(yield* agent.answer("which tea?")).toBe("Darjeeling.")
    expect(agent.searches).toEqual(["tea"])
    expect(agent.model.works.map(({ tools }) => tools.length)).toEqual([1, 1, 1, 1, 0])
    const last = agent.model.works[4]!.messages
    // Servers refuse results of tools where no tools are named: what was found stands in the first message.
    expect(last.map(({ role }) => role)).toEqual(["system", "user"])
    expect(last[0]!.text).toContain('{"query":"tea","results":[{"title":"Tea","snippet":"Darjeeling"}]}')
  })

  agentScenario("that is asked something else each time ends as well, with all that was found", function* (agent) {
    let asked = 0
    agent.model.does(({ tools }) =>
      Effect.sync(() => (tools.length > 0 ? search(`try ${asked++}`) : chatAnswer({ text: "I do not know." })))
    )
    expect(yield* agent.answer("?")).toBe("I do not know.")
    expect(agent.searches).toEqual(["try 0", "try 1", "try 2", "try 3"])
    for (const one of agent.searches) expect(agent.model.works[4]!.messages[0]!.text).toContain(`"${one}"`)
  })

  agentScenario("is used at most eight times for one answer; every call has a result all the same", function* (agent) {
    const many = Array.from({ length: 20 }, (_, nth) => ["search_knowledge_base", { query: `q${nth}` }] as const)
    agent.model.says(wants(...many), "ok")
    yield* agent.answer("hi")
    expect(agent.searches).toHaveLength(8)
    expect(agent.model.works[1]!.messages.filter(({ role }) => role === "tool")).toHaveLength(20)
  })

  agentScenario("is wanted by a model that has none left, and nothing is said", function* (agent) {
    agent.model.says(search("tea"))
    expect(yield* agent.silent("hi")).toMatchObject({ reason: "silent", isRetryable: false })
    expect(agent.model.works).toHaveLength(5)
  })
})

describe("an agent that has no answer", () => {
  for (const text of ["", " \n", "<think>hm"]) {
    agentScenario(`because its model says ${JSON.stringify(text)} is silent, and asks no further`, function* (agent) {
      agent.model.says(text)
      expect(yield* agent.silent("hi")).toMatchObject({ reason: "silent", isRetryable: false })
      expect(agent.model.works).toHaveLength(1)
    })
  }

  const failures: ReadonlyArray<readonly [UpstreamWhy, string, boolean]> = [
    ["throttled", "throttled", true],
    ["timeout", "timeout", true],
    ["unreachable", "upstream", true],
    ["failed", "upstream", true],
    ["unreadable", "upstream", true],
    ["refused_input", "upstream", false],
    ["too_large", "upstream", false],
    ["operator", "upstream", false],
    ["unsupported", "upstream", false]
  ]
  for (const [why, reason, isRetryable] of failures) {
    agentScenario(
      `by ${why} ${isRetryable ? "may be tried again" : "is not helped by another try"}`,
      function* (agent) {
        agent.model.fails(why, why === "throttled" ? 17 : null)
        expect(yield* agent.silent("hi")).toMatchObject({
          ...{ reason, isRetryable, retryAfterSeconds: why === "throttled" ? 17 : null }
        })
        expect(agent.model.works).toHaveLength(1)
      }
    )
  }

  agentScenario("for want of credit, of calls or of a model is permanent", function* (agent) {
    expect(yield* agent.silent("hi", { config: { model: "none" } })).toMatchObject({
      ...{ reason: "model_unknown", isRetryable: false }
    })
    for (let nth = 0; nth < 100; nth++) yield* agent.answer("hi")
    expect(yield* agent.silent("hi")).toMatchObject({ reason: "quota", isRetryable: false })
    yield* agent.stage.leaveCredit(0n)
    expect(yield* agent.silent("hi", { plan: "pro" })).toMatchObject({ reason: "credits", isRetryable: false })
  })

  agentScenario("after it has looked something up has paid for what it did", function* (agent) {
    let runs = 0
    agent.model.does(() =>
      Effect.suspend(() => (runs++ === 0 ? Effect.succeed(search("tea")) : Effect.die(new Error("a mistake"))))
    )
    expect(Exit.isFailure((yield* Effect.exit(agent.answer("hi"))) as Exit.Exit<unknown>)).toBe(true)
    expect(yield* agent.stage.credits).toMatchObject({ balance: 1000n * credit - oneRun, reserved: 0n })
    expect((yield* agent.rows) as ReadonlyArray<unknown>).toMatchObject([{ httpStatus: 200 }, { httpStatus: 500 }])
  })

  agentScenario("in the time that it was given stops the model, and reserves nothing", function* (agent) {
    const door = agent.model.waits()
    const asked = (yield* Effect.forkChild(agent.answer("hi"))) as Fiber.Fiber<unknown, unknown>
    yield* door.begun
    yield* Fiber.interrupt(asked)
    expect(agent.model.interrupted).toBe(1)
    expect(yield* agent.stage.credits).toMatchObject({ balance: 1000n * credit, reserved: 0n })
  })
})
