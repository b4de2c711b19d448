/** Thinking: docs/reference/voice-agent.md#thinking. Verifies: PIPE-1, PIPE-2, PIPE-3, PIPE-4, PIPE-6. */

import { Instant, Keys } from "@trunkline/core/effect"
import type { ApiKeys } from "@trunkline/core/storage"
import { leak } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import { operator } from "../../../src/platform/accounts/index.ts"
import { models, type PipelineStage, pipelineScenario, sessionId, turnId } from "./PipelineScenarios.ts"

const { alsoThinks, thinks } = models

const newKey: Omit<ApiKeys.NewKey, "expiresAt" | "tenantId"> = {
  ...{ name: null, scopes: [], permissions: ["llm"], budget: null, budgetPeriod: "total", allowedModels: null },
  ...{ allowedDomains: null, searchProviders: null, requestsPerMinute: null, concurrency: null }
}

// Verifies: V-106.
pipelineScenario("a reply is passed on as the model writes it", function* (stage) {
  const { fakes, given } = stage
  fakes.thinks.hangs("Good ", "morning")
  const reply = yield* stage.begin(stage.thinking())
  expect(given.texts).toEqual(["Good ", "morning"])
  expect(reply.result()).toBeNull()
  yield* reply.interrupt
})

// Verifies: V-102, V-162.
pipelineScenario(
  "a reply is a request of the chat API with usage, and one row of the turn's and the session's",
  function* (stage) {
    const { fakes, given } = stage
    const before = yield* stage.stage.credits
    fakes.thinks.says("Good ", "morning.")
    const reply = yield* stage.thinking({ choices: [{ model: thinks, temperature: 0.3 }] })
    expect(reply).toEqual({ text: "Good morning.", toolCalls: [], model: thinks, isBroken: false })
    expect(given.texts.join("")).toBe("Good morning.")
    expect(fakes.thinks.works[0]).toMatchObject({
      api: "chat_completions",
      body: {
        ...{ model: thinks, stream: true, stream_options: { include_usage: true }, temperature: 0.3, max_tokens: 4096 },
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Hello?" }
        ]
      }
    })
    const [row, ...others] = yield* stage.rows
    expect(others).toEqual([])
    expect(row).toMatchObject({
      ...{ service: "llm", model: thinks, httpStatus: 200, sessionId, traceId: turnId, keyId: null },
      ...{ inputTokens: 80, cacheReadTokens: 20, outputTokens: 10 }
    })
    const after = yield* stage.stage.credits
    expect(row!.credits).toBeGreaterThan(0n)
    expect(before.balance - after.balance).toBe(row!.credits)
    expect(after.reserved).toBe(0n)
  }
)

// Verifies: V-165.
pipelineScenario("a conversation uses none of the plan's calls of language models", function* (stage) {
  yield* stage.thinking()
  yield* stage.rest
  expect(yield* stage.callsTaken("llm")).toBe(0)
})

// Verifies: V-51, V-103.
pipelineScenario("what the model thinks is never text, however its marks are cut", function* (stage) {
  const { fakes, given } = stage
  fakes.thinks.says("<thi", "nk>They greet", " me.</thi", "nk>Good", " 2 <", " 3.", { reasoning_content: "Sums." })
  const { text } = yield* stage.thinking()
  expect(text).toBe("Good 2 < 3.")
  expect(given.texts.join("")).toBe(text)
  expect(given.thoughts.join("|")).toBe("They greet| me.|Sums.")
})

pipelineScenario("calls of functions come whole, with the text that was written beside them", function* (stage) {
  const call = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] })
  stage.fakes.thinks.says(
    "One moment.",
    call(0, { id: "a", type: "function", function: { name: "look_up", arguments: '{"q":' } }),
    call(0, { function: { arguments: '"x"}' } }),
    call(1, { function: { name: "end_call", arguments: "{}" } })
  )
  const parameters = { type: "object" }
  const reply = yield* stage.thinking({ tools: [{ name: "look_up", description: "Looks up.", parameters }] })
  expect(reply.text).toBe("One moment.")
  expect(reply.toolCalls).toEqual([
    { id: "a", name: "look_up", arguments: '{"q":"x"}' },
    { id: "call_1", name: "end_call", arguments: "{}" }
  ])
  expect(stage.fakes.thinks.works[0]!.body.tools).toEqual([
    { type: "function", function: { name: "look_up", description: "Looks up.", parameters } }
  ])
})

pipelineScenario("functions and their results go to the model in the form of the chat API", function* (stage) {
  yield* stage.thinking({
    messages: [
      { role: "assistant", text: "", toolCalls: [{ id: "a", name: "look_up", arguments: "{}" }] },
      { role: "tool", callId: "a", text: "found" },
      { role: "assistant", text: "Found.", toolCalls: [] }
    ]
  })
  expect(stage.fakes.thinks.works[0]!.body.messages).toEqual([
    {
      ...{ role: "assistant", content: null },
      tool_calls: [{ id: "a", type: "function", function: { name: "look_up", arguments: "{}" } }]
    },
    { role: "tool", tool_call_id: "a", content: "found" },
    { role: "assistant", content: "Found." }
  ])
})

const fallbackOf = (
  title: string,
  fails: (stage: PipelineStage) => void,
  statuses: ReadonlyArray<number>,
  waitMs = 0
) =>
  pipelineScenario(title, function* (stage) {
    const { fakes, given } = stage
    fails(stage)
    fakes.alsoThinks.says("From the other one.")
    const reply = yield* stage.begin(stage.thinking())
    if (waitMs > 0) {
      yield* stage.elapse(waitMs - 200)
      expect(reply.result()).toBeNull()
      yield* stage.elapse(400)
    }
    expect(Result.getOrThrow(reply.result()!)).toMatchObject({ text: "From the other one.", model: alsoThinks })
    expect(given.texts.join("").trim()).toBe("From the other one.")
    expect(given.warnings).toEqual(["THINK_REQUEST_FAILED"])
    expect((yield* stage.rows).map(({ httpStatus, model }) => [model, httpStatus])).toEqual([
      [thinks, statuses[0]],
      [alsoThinks, 200]
    ])
  })

// Verifies: V-109, V-163.
fallbackOf("a model that fails is replaced by the next one", ({ fakes }) => fakes.thinks.fails("failed"), [502])
fallbackOf("an answer without text and calls is a failure", ({ fakes }) => fakes.thinks.says(" ", "\n"), [200])
fallbackOf(
  "a model that breaks off in its thoughts is replaced by the next one",
  ({ fakes }) => fakes.thinks.fails("failed", { reasoning_content: "Hm." }),
  [502]
)
// Verifies: V-108.
fallbackOf("a model without a token within 8 seconds is replaced", ({ fakes }) => fakes.thinks.hangs(), [502], 8000)
fallbackOf(
  "an empty first piece is no token",
  ({ fakes }) => fakes.thinks.hangs({ role: "assistant", content: "" }),
  [502],
  8000
)

// Verifies: V-112, V-163.
pipelineScenario("a reply that breaks off after words is what was said, and costs nothing", function* (stage) {
  const { fakes, given } = stage
  const before = yield* stage.stage.credits
  fakes.thinks.fails("failed", "Good mor", { tool_calls: [{ index: 0, function: { name: "end_call" } }] })
  expect(yield* stage.thinking()).toEqual({ text: "Good mor", toolCalls: [], model: thinks, isBroken: true })
  expect(given.warnings).toEqual([])
  expect(yield* stage.rows).toMatchObject([{ httpStatus: 502, credits: 0n, traceId: turnId }])
  expect(yield* stage.stage.credits).toEqual(before)
})

// Verifies: V-108.
pipelineScenario("a reply that stops for 10 seconds has broken off, and its request is ended", function* (stage) {
  const { fakes } = stage
  fakes.thinks.does((say) =>
    Effect.gen(function* () {
      yield* say("Good ")
      yield* Effect.sleep(9000)
      yield* say("morning")
      return yield* Effect.never
    })
  )
  const reply = yield* stage.begin(stage.thinking())
  yield* stage.elapse(18_800)
  expect(reply.result()).toBeNull()
  yield* stage.elapse(500)
  expect(Result.getOrThrow(reply.result()!)).toMatchObject({ text: "Good morning", isBroken: true })
  expect(fakes.thinks.interrupted).toBe(1)
})

// Verifies: V-115.
pipelineScenario("a reply that is interrupted ends upstream at once, and what has come is billed", function* (stage) {
  const { fakes } = stage
  const before = yield* stage.stage.credits
  fakes.thinks.hangs("Good morning, this is a long reply.")
  const reply = yield* stage.begin(stage.thinking())
  yield* reply.interrupt
  expect(fakes.thinks.interrupted).toBe(1)
  const [row] = yield* stage.rows
  expect(row).toMatchObject({ httpStatus: 499, sessionId, traceId: turnId, outputTokens: 9 })
  expect(row!.credits).toBeGreaterThan(0n)
  const after = yield* stage.stage.credits
  expect(before.balance - after.balance).toBe(row!.credits)
  expect(after.reserved).toBe(0n)
})

// Verifies: V-109.
pipelineScenario("a model that has failed is passed over for 30 seconds", function* (stage) {
  const { fakes, given } = stage
  fakes.thinks.fails("failed")
  yield* stage.thinking()
  fakes.thinks.says("I am back.")
  yield* stage.elapse(29_000)
  expect((yield* stage.thinking()).model).toBe(alsoThinks)
  expect(given.warnings).toEqual(["THINK_REQUEST_FAILED"])
  yield* stage.elapse(2000)
  expect((yield* stage.thinking()).model).toBe(thinks)
})

pipelineScenario("where all models have just failed, all of them are asked again", function* (stage) {
  const { fakes } = stage
  fakes.thinks.fails("failed")
  fakes.alsoThinks.fails("timeout")
  expect(yield* stage.failure(stage.thinking())).toMatchObject({ reason: "failed" })
  fakes.thinks.says("I am back.")
  expect((yield* stage.thinking()).model).toBe(thinks)
})

// Verifies: V-57, V-207.
pipelineScenario("nothing of an upstream's words is in a failure", function* (stage) {
  const { fakes } = stage
  fakes.thinks.fails("operator")
  fakes.alsoThinks.fails("failed")
  const { detail } = yield* stage.failure(stage.thinking())
  for (const word of leak.split(" ").filter((one) => one.length > 4)) expect(detail).not.toContain(word)
})

// Verifies: V-69.
pipelineScenario("without credit no model is asked, and no other one either", function* (stage) {
  const { fakes, given } = stage
  yield* stage.stage.leaveCredit(1n)
  expect(yield* stage.failure(stage.thinking())).toMatchObject({ reason: "credits" })
  expect(fakes.thinks.works).toEqual([])
  expect(fakes.alsoThinks.works).toEqual([])
  expect(given.warnings).toEqual([])
})

// Verifies: V-69.
pipelineScenario("a monthly budget that is used up ends the stage as a budget", function* (stage) {
  const payer = { tenantId: stage.stage.tenant, plan: "free", monthlyBudget: 1n, key: null } as const
  yield* stage.open({ payer })
  expect(yield* stage.failure(stage.thinking())).toMatchObject({ reason: "budget" })
})

// Verifies: V-69.
pipelineScenario("a key that is revoked or expires in the session ends it as a budget", function* (stage) {
  const at = yield* Instant.now
  for (const expires of [false, true]) {
    const made = Keys.use((keys) =>
      keys.create(
        { ...newKey, tenantId: stage.stage.tenant, expiresAt: expires ? Instant.plus(at, 60_000) : null },
        operator
      )
    )
    const { key } = yield* Effect.orDie(stage.stage.run(made))
    yield* stage.open({ payer: { tenantId: stage.stage.tenant, plan: "free", monthlyBudget: null, key } })
    yield* stage.thinking()
    if (expires) yield* stage.elapse(60_000)
    else yield* Effect.orDie(stage.stage.run(Keys.use((keys) => keys.revoke({ tenantId: null, id: key.id }, operator))))
    const asked = stage.fakes.thinks.works.length
    expect(yield* stage.failure(stage.thinking())).toMatchObject({ reason: "budget" })
    expect(stage.fakes.thinks.works.length).toBe(asked)
  }
  expect((yield* stage.rows).every(({ keyId }) => keyId !== null)).toBe(true)
})

pipelineScenario(
  "a model that nobody runs is unavailable, and its fallback answers",
  function* (stage) {
    expect((yield* stage.thinking()).model).toBe(alsoThinks)
    expect(stage.given.warnings).toEqual(["THINK_REQUEST_FAILED"])
    const only = [{ model: thinks, temperature: null }] as const
    expect(yield* stage.failure(stage.thinking({ choices: only }))).toMatchObject({ reason: "unavailable" })
  },
  { routes: { [alsoThinks]: { upstream: "alsoThinks" } } }
)

// Verifies: V-98.
pipelineScenario(
  "a route's own fallback answers within the stage, each attempt with its row",
  function* (stage) {
    stage.fakes.thinks.fails("unreachable")
    stage.fakes.alsoThinks.says("From the other upstream.")
    expect(yield* stage.thinking()).toMatchObject({ text: "From the other upstream.", model: thinks })
    expect(stage.given.warnings).toEqual([])
    expect((yield* stage.rows).map(({ httpStatus }) => httpStatus).sort()).toEqual([200, 503])
  },
  { routes: { [thinks]: { upstream: "thinks", fallbacks: [{ upstream: "alsoThinks" }] } } }
)

pipelineScenario("a session that ends interrupts its requests, and is over once they are billed", function* (stage) {
  stage.fakes.thinks.hangs("Good morning.")
  yield* stage.begin(stage.thinking())
  yield* stage.close
  expect(stage.fakes.thinks.interrupted).toBe(1)
  expect(yield* stage.rows).toMatchObject([{ httpStatus: 499 }])
})
