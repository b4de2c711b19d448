/** A run of a language model from what is asked to its bill: docs/reference/upstreams.md#tokens. Verifies: INFE-1, INFE-5, INFE-6. */
import type { UpstreamWhy } from "@trunkline/core/provider"
import { chatAnswer, leak } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { type AgentStage, agentScenario, conversationId, turnId } from "../agents/AgentScenarios.ts"

const credit = 1_000_000_000n
/** By oss-120b, 1 and 4 USD a million at 96 credits for a dollar: 100 tokens in, however cached, and 10 out. */
const oneRun = 100n * 96_000n + 10n * 384_000n
/** "hi": two bytes, 16 for its message, 1024 around it, and at most 100 out. */
const oneReservation = 1042n * 96_000n + 100n * 384_000n

/** Lets fibers go on that wait for the storage. */
const turns = Effect.promise(async () => {
  for (let nth = 0; nth < 20; nth++) await new Promise((resolve) => setImmediate(resolve))
})

/** Nothing of a run is left: no reservation, and only these rows. */
function* leaves(agent: AgentStage, charged: bigint, statuses: ReadonlyArray<number>) {
  expect(yield* agent.stage.credits).toMatchObject({ balance: 1000n * credit - charged, reserved: 0n })
  const rows = (yield* agent.rows) as ReadonlyArray<{ readonly httpStatus: number }>
  expect(rows.map(({ httpStatus }) => httpStatus)).toEqual(statuses)
}

describe("a run of a language model is billed", () => {
  // Verifies: G-29.
  agentScenario("by the tokens of its upstream, to the nano-credit, in one row of the log", function* (agent) {
    agent.model.says(chatAnswer({ text: "ok", tokens: { input: 1234, cachedInput: 1000, output: 56 } }))
    expect(yield* agent.run({ model: "indic-105b" })).toMatchObject({ text: "ok" })
    // 234 at 0.305 USD a million, 1000 at 0.114375, 56 at 0.7625: times 96, one rounding upwards.
    const charged = 21_930_720n
    yield* leaves(agent, charged, [200])
    expect(yield* agent.rows).toMatchObject([
      {
        ...{ service: "llm", model: "indic-105b", unit: "tokens", units: 1290, credits: charged, keyId: null },
        ...{ inputTokens: 234, cacheReadTokens: 1000, cacheCreationTokens: 0, outputTokens: 56 },
        ...{ sessionId: conversationId, traceId: turnId }
      }
    ])
  })

  agentScenario("as it was reserved where its upstream reports nothing, but for the output", function* (agent) {
    agent.model.says(chatAnswer({ text: "four", tokens: null }))
    yield* agent.run()
    yield* leaves(agent, 1042n * 96_000n + 4n * 384_000n, [200])
  })

  agentScenario("on the enterprise plan without being deducted", function* (agent) {
    yield* agent.run({ plan: "enterprise" })
    yield* leaves(agent, 0n, [200])
    expect(yield* agent.rows).toMatchObject([{ credits: oneRun }])
  })

  agentScenario("with a bound on its output: what was asked for, or the model's own maximum", function* (agent) {
    yield* agent.run({ model: "gemini-2.5-flash", plan: "pro", maxOutputTokens: 1_000_000 })
    yield* agent.run({ maxOutputTokens: 70 })
    expect(agent.model.works.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([65_536, 70])
  })

  agentScenario("of 200 side by side as many pass as the balance covers, and nothing is left over", function* (agent) {
    yield* agent.stage.leaveCredit(7n * oneReservation + 1n)
    const door = agent.model.waits()
    const all = (yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: 200 }), () => Effect.exit(agent.run({ plan: "pro" })), {
        concurrency: "unbounded"
      })
    )) as Fiber.Fiber<ReadonlyArray<Exit.Exit<unknown, unknown>>>
    yield* door.begun
    for (let nth = 0; nth < 30; nth++) yield* turns
    yield* door.answer("hello")
    const exits = (yield* Fiber.join(all)) as ReadonlyArray<Exit.Exit<unknown, unknown>>
    expect(exits.filter(Exit.isSuccess)).toHaveLength(7)
    expect(agent.model.works).toHaveLength(7)
    expect(yield* agent.stage.credits).toMatchObject({ balance: 7n * (oneReservation - oneRun) + 1n, reserved: 0n })
  })
})

describe("a run is refused before any upstream is asked", () => {
  const refusals = [
    ["of a model that there is not", { model: "none" }, "model_unknown", "there is no model none"],
    ["of a model for speech", { model: "whisper-large-v3-turbo" }, "model_unknown", "is no language model"],
    ["of a model that the plan does not include", { model: "gpt-5.4" }, "model_not_allowed", "part of the plan free"],
    [
      "of a model that is retired",
      { model: "gpt-4o-realtime-preview", plan: "pro" },
      "maintenance",
      "is retired: use gpt-realtime"
    ],
    ["past the account's monthly budget", { monthlyBudget: oneReservation - 1n }, "quota", "budget"]
  ] as const

  for (const [what, asked, reason, words] of refusals) {
    agentScenario(what, function* (agent) {
      const refused = yield* agent.refused(asked)
      expect(refused).toMatchObject({ reason, detail: expect.stringContaining(words), why: null })
      expect(agent.model.works).toEqual([])
      yield* leaves(agent, 0n, [])
    })
  }

  agentScenario(
    "of a model that is out of service",
    function* (agent) {
      expect(yield* agent.refused()).toMatchObject({
        reason: "maintenance",
        detail: "the model oss-120b is out of service"
      })
    },
    { catalogue: { models: [{ id: "oss-120b", category: "llm", tiers: ["free"], status: "maintenance" }] } }
  )

  agentScenario(
    // Verifies: H-151.
    "of a model that nobody is configured to run: none stands in",
    function* (agent) {
      expect(yield* agent.refused()).toMatchObject({ reason: "no_upstream" })
      yield* agent.run({ model: "glm-5.2" })
      expect(agent.model.works).toMatchObject([{ requestedModel: "glm-5.2", model: "glm-5.2" }])
    },
    { routes: { "glm-5.2": { upstream: "fake" } } }
  )

  agentScenario("without the credit for the most that it may cost", function* (agent) {
    yield* agent.stage.leaveCredit(oneReservation - 1n)
    expect(yield* agent.refused()).toMatchObject({ reason: "credits" })
    yield* agent.stage.leaveCredit(oneReservation)
    yield* agent.run()
    expect(yield* agent.stage.credits).toMatchObject({ balance: oneReservation - oneRun, reserved: 0n })
  })

  // Verifies: G-209, N-7.
  agentScenario("past the 100 calls a month of the plan free, which failures do not use up", function* (agent) {
    agent.model.fails("failed")
    for (let nth = 0; nth < 20; nth++) yield* agent.refused()
    agent.model.says("ok")
    for (let nth = 0; nth < 100; nth++) yield* agent.run()
    const refused = (yield* agent.refused()) as { readonly retryAfterSeconds: number }
    expect(refused).toMatchObject({ reason: "quota", detail: expect.stringContaining("calls of llm") })
    expect(refused.retryAfterSeconds).toBeGreaterThan(0)
    expect(agent.model.works).toHaveLength(120)
    yield* TestClock.adjust(refused.retryAfterSeconds * 1000)
    yield* agent.run()
  })
})

describe("an upstream that fails", () => {
  const failures: ReadonlyArray<readonly [UpstreamWhy, string, number]> = [
    ["refused_input", "upstream", 400],
    ["too_large", "upstream", 413],
    ["throttled", "throttled", 429],
    ["timeout", "upstream", 502],
    ["unreachable", "upstream", 503],
    ["failed", "upstream", 502],
    ["wrong_route", "upstream", 502],
    ["unreadable", "upstream", 502],
    ["operator", "upstream", 502],
    ["unsupported", "upstream", 502]
  ]

  for (const [why, reason, status] of failures) {
    agentScenario(`by ${why} costs nothing, and has its row with ${status}`, function* (agent) {
      agent.model.fails(why, why === "throttled" ? 17 : null)
      expect(yield* agent.refused()).toMatchObject({
        ...{ reason, why: reason === "upstream" ? why : null, detail: `upstream fake: ${why}: ${leak}` },
        retryAfterSeconds: why === "throttled" ? 17 : null
      })
      yield* leaves(agent, 0n, [status])
      expect(yield* agent.rows).toMatchObject([{ credits: 0n, units: 0 }])
    })
  }

  agentScenario("by throttling that does not say for how long has it tried a second later", function* (agent) {
    agent.model.fails("throttled")
    expect(yield* agent.refused()).toMatchObject({ reason: "throttled", retryAfterSeconds: 1 })
  })

  agentScenario("by a mistake of its own code releases the reservation", function* (agent) {
    agent.model.does(() => Effect.die(new Error("a mistake")))
    expect(Exit.isFailure((yield* Effect.exit(agent.run())) as Exit.Exit<unknown>)).toBe(true)
    yield* leaves(agent, 0n, [500])
  })

  agentScenario("by never ending is given up soon after the time that it promised", function* (agent) {
    agent.model.promises(10_000)
    const door = agent.model.waits()
    const asked = (yield* Effect.forkChild(agent.refused())) as Fiber.Fiber<unknown>
    yield* door.begun
    yield* TestClock.adjust("20 seconds")
    expect(agent.model.interrupted).toBe(0)
    yield* TestClock.adjust("6 seconds")
    expect(yield* Fiber.join(asked)).toMatchObject({ reason: "upstream", why: "timeout" })
    expect(agent.model.interrupted).toBe(1)
    yield* leaves(agent, 0n, [502])
  })
})

describe("a caller who disconnects", () => {
  agentScenario("stops a model that hangs, gets the reservation back and pays nothing", function* (agent) {
    const door = agent.model.waits()
    const asked = (yield* Effect.forkChild(agent.run())) as Fiber.Fiber<unknown, unknown>
    yield* door.begun
    expect(yield* agent.stage.credits).toMatchObject({ reserved: oneReservation })
    yield* Fiber.interrupt(asked)
    expect(agent.model.interrupted).toBe(1)
    yield* leaves(agent, 0n, [499])
  })

  agentScenario("pays for an answer that was there", function* (agent) {
    const door = agent.model.waits()
    const asked = (yield* Effect.forkChild(agent.run())) as Fiber.Fiber<unknown, unknown>
    yield* door.begun
    yield* door.answer("nobody hears this")
    yield* Fiber.interrupt(asked)
    expect(agent.model.interrupted).toBe(0)
    yield* leaves(agent, oneRun, [200])
  })

  agentScenario("before anything was run leaves nothing", function* (agent) {
    const asked = (yield* Effect.forkChild(agent.run())) as Fiber.Fiber<unknown, unknown>
    yield* Fiber.interrupt(asked)
    expect(yield* agent.stage.credits).toMatchObject({ balance: 1000n * credit, reserved: 0n })
  })
})

describe("a process that dies", () => {
  agentScenario("while a model works reserves no credit for longer than a lease", function* (agent) {
    const door = agent.model.waits()
    yield* Effect.forkDetach(Effect.exit(agent.run()))
    yield* door.begun
    yield* agent.stage.restart
    expect(yield* agent.stage.credits).toMatchObject({ reserved: oneReservation })
    agent.model.says("ok")
    yield* agent.stage.leaveCredit(0n)
    // The new process has reached the database first then, and gives others 20 seconds to renew their leases.
    expect(yield* agent.refused()).toMatchObject({ reason: "credits" })
    yield* TestClock.adjust("19 seconds")
    expect(yield* agent.refused()).toMatchObject({ reason: "credits" })
    yield* TestClock.adjust("1 second")
    yield* agent.run()
    expect(yield* agent.stage.credits).toMatchObject({ balance: oneReservation - oneRun, reserved: 0n })
  })

  agentScenario("right after the bill has billed once", function* (agent) {
    const door = agent.model.waits()
    yield* Effect.forkDetach(Effect.exit(agent.run()))
    yield* door.begun
    yield* agent.stage.killAtNextCommit
    yield* door.answer("lost")
    yield* turns
    yield* agent.stage.start
    yield* leaves(agent, oneRun, [200])
  })
})
