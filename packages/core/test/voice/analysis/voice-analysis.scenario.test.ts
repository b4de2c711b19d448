/** Analyses of voice sessions: docs/reference/voice-agent.md#analysis. Verifies: VANA-1, VANA-2, VANA-5, VANA-6, VANA-7. */

import { Instant } from "@trunkline/core/effect"
import { chatAnswer } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { AnalysisWorker } from "../../../src/voice/analysis/index.ts"
import { strictly } from "../../platform/events/StrictEvents.ts"
import { analysisScenario, enabled, good } from "./AnalysisScenarios.ts"

describe("an analysis", () => {
  // Verifies: V-184, V-187.
  analysisScenario("begins with the end of its session, and ends with its event", function* (on) {
    on.model.says(good)
    const { botId, id } = yield* on.ended(["I want tea.", "Green."])
    const pending = yield* on.analysis(id)
    expect(pending).toMatchObject({ status: "pending", sessionId: id, summary: null, completedAt: null })
    yield* TestClock.adjust(500)
    expect(yield* on.works).toBe(1)
    const done = yield* on.analysis(id)
    expect(done).toMatchObject({
      ...{ id: pending!.id, status: "completed", summary: "They bought tea.", outcome: "sale", sentiment: "positive" },
      ...{ score: 0.9, results: { topic: "tea" }, model: "gemma-4-26b-a4b-it", error: null, dueAt: null, claim: null },
      completedAt: pending!.createdAt + 500
    })
    const [event, ...others] = yield* on.events
    expect(others).toEqual([])
    expect(event).toMatchObject({ botId, tenantId: on.stage.tenant })
    expect(event!.data).toEqual({
      ...{ analysis_id: pending!.id, call_id: null, session_id: id, bot_id: botId, summary: "They bought tea." },
      ...{ score: 0.9, results: { topic: "tea", outcome: "sale", sentiment: "positive" } },
      completed_at: Instant.toIso(done!.completedAt!)
    })
    expect(strictly("voice_analysis.completed", event!.data)).toEqual([])
    expect(yield* on.works).toBe(0)
    expect(on.model.works).toHaveLength(1)
    expect(on.model.works[0]!.messages[1]!.text).toContain("Green.")
  })

  // Verifies: V-187.
  analysisScenario("is a row of usage with the session's id, and is paid for", function* (on) {
    on.model.says("no JSON", good)
    const { id } = yield* on.ended()
    yield* on.works
    const analysis = yield* on.analysis(id)
    const rows = yield* on.usage
    expect(rows).toMatchObject(
      [1, 2].map(() => ({ service: "llm", httpStatus: 200, sessionId: id, traceId: analysis!.id }))
    )
    for (const { credits } of rows) expect(credits).toBeGreaterThan(0n)
  })

  // Verifies: V-184.
  analysisScenario(
    "does not begin where the agent does not enable it, and where the caller said nothing",
    function* (on) {
      for (const session of [
        yield* on.ended([]),
        yield* on.ended(["hello"], {}),
        yield* on.ended(["hello"], { analysis: { ...enabled, enabled: false } })
      ]) {
        expect(yield* on.analysis(session.id)).toBeNull()
      }
      expect(yield* on.works).toBe(0)
    }
  )

  analysisScenario("is there exactly when its session has ended", function* (on) {
    const { id } = yield* on.begun()
    on.stage.breakEvents = true
    expect(yield* on.stage.fails(on.program(on.ending(id)))).toMatchObject({ _tag: "StorageError" })
    expect(yield* on.analysis(id)).toBeNull()
    on.stage.breakEvents = false
    yield* on.run(on.ending(id))
    expect(yield* on.analysis(id)).toMatchObject({ status: "pending" })
    const first = yield* on.analysis(id)
    yield* on.run(on.ending(id))
    expect(yield* on.analysis(id)).toEqual(first)
  })

  // Verifies: V-183.
  analysisScenario("uses its own model, else the agent's", function* (on) {
    on.model.says(good)
    yield* on.ended(["hi"], { model: "oss-120b", analysis: { ...enabled, model: "gemma-4-26b-a4b-it" } })
    yield* on.ended(["hi"], { model: "oss-120b", analysis: enabled })
    yield* on.works
    expect(on.model.works.map(({ requestedModel }) => requestedModel).sort()).toEqual([
      "gemma-4-26b-a4b-it",
      "oss-120b"
    ])
  })

  // Verifies: V-186.
  analysisScenario("that cannot be read is asked for once more, and then has failed", function* (on) {
    on.model.says("I would rather not.", good)
    const first = yield* on.ended()
    yield* on.works
    expect(yield* on.analysis(first.id)).toMatchObject({ status: "completed" })
    on.model.says("I would rather not.")
    const second = yield* on.ended()
    yield* on.works
    expect(on.model.works).toHaveLength(4)
    expect(yield* on.analysis(second.id)).toMatchObject({
      ...{ status: "failed", error: "The model's answer could not be read", summary: null, dueAt: null }
    })
    expect(yield* on.events).toHaveLength(1)
  })

  // Verifies: V-186.
  analysisScenario("whose upstream fails is tried three times over ten minutes", function* (on) {
    on.model.fails("failed")
    const { id } = yield* on.ended()
    const begun = yield* Instant.now
    const tried: Array<number> = []
    for (let seconds = 0; seconds <= 900; seconds += 30) {
      if ((yield* on.works) > 0) tried.push((yield* Instant.now) - begun)
      yield* TestClock.adjust(30 * Instant.second)
    }
    expect(tried).toEqual([0, 2 * Instant.minute, 10 * Instant.minute])
    const analysis = yield* on.analysis(id)
    expect(analysis).toMatchObject({ status: "failed", error: "The model did not answer", attempts: 3, dueAt: null })
    expect(yield* on.events).toEqual([])
  })

  analysisScenario("whose upstream comes back in between is completed", function* (on) {
    on.model.fails("timeout")
    const { id } = yield* on.ended()
    yield* on.works
    on.model.says(good)
    expect(yield* on.works).toBe(0)
    yield* TestClock.adjust(2 * Instant.minute)
    expect(yield* on.works).toBe(1)
    expect(yield* on.analysis(id)).toMatchObject({ status: "completed", attempts: 2 })
    expect(yield* on.events).toHaveLength(1)
  })

  analysisScenario("that no further attempt can help fails at once, without words of an upstream", function* (on) {
    const { id } = yield* on.ended(["hi"], { analysis: { ...enabled, model: "no-such-model" } })
    yield* on.works
    expect(yield* on.analysis(id)).toMatchObject({ status: "failed", error: "There is no such language model" })
    expect(on.model.works).toEqual([])
  })

  analysisScenario("of a model that takes too long is interrupted, and tried again", function* (on) {
    on.model.waits()
    const { id } = yield* on.ended()
    const pass = yield* Effect.forkChild(on.works)
    yield* on.stage.elapse(125 * Instant.second, 5 * Instant.second)
    yield* Fiber.join(pass)
    expect(on.model.interrupted).toBe(1)
    expect(yield* on.analysis(id)).toMatchObject({ status: "pending", claim: null, attempts: 1 })
  })
})

describe("processes", () => {
  analysisScenario("that look at once run an analysis once", function* (on) {
    on.model.says(good)
    for (let n = 0; n < 5; n++) yield* on.ended()
    yield* Effect.all([on.works, on.works, on.works, on.works], { concurrency: "unbounded" })
    expect(on.model.works).toHaveLength(5)
    expect(yield* on.events).toHaveLength(5)
  })

  analysisScenario("that wait for a model keep its analysis for themselves", function* (on) {
    const { answer, begun } = on.model.waits()
    const { id } = yield* on.ended()
    const pass = yield* Effect.forkChild(on.works)
    yield* begun
    yield* on.stage.elapse(50 * Instant.second, 5 * Instant.second)
    expect(yield* on.works).toBe(0)
    yield* answer(good)
    yield* Fiber.join(pass)
    expect(yield* on.analysis(id)).toMatchObject({ status: "completed", attempts: 1 })
    expect(on.model.works).toHaveLength(1)
  })

  analysisScenario("that die leave their analyses to the next one", function* (on) {
    const { begun } = on.model.waits()
    const { id } = yield* on.ended()
    yield* Effect.forkChild(Effect.ignore(Effect.exit(on.works)))
    yield* begun
    yield* on.stage.kill
    yield* on.stage.start
    on.model.says(good)
    expect(yield* on.works).toBe(0)
    yield* on.stage.elapse(31 * Instant.second, Instant.second)
    expect(yield* on.works).toBe(1)
    expect(yield* on.analysis(id)).toMatchObject({ status: "completed", attempts: 2 })
    expect(yield* on.events).toHaveLength(1)
  })

  // Verifies: V-187.
  analysisScenario("that die at the commit have reported it once", function* (on) {
    on.model.does(() => Effect.as(on.stage.killAtNextCommit, chatAnswer({ text: good })))
    const { id } = yield* on.ended()
    yield* Effect.exit(on.works)
    yield* on.stage.start
    on.model.says(good)
    yield* on.stage.elapse(31 * Instant.second, Instant.second)
    yield* on.works
    expect(yield* on.analysis(id)).toMatchObject({ status: "completed" })
    expect(yield* on.events).toHaveLength(1)
  })

  analysisScenario("that died of an analysis four times have it fail", function* (on) {
    const { id } = yield* on.ended()
    for (let n = 0; n < 3; n++) {
      const { begun } = on.model.waits()
      yield* Effect.forkChild(Effect.ignore(Effect.exit(on.works)))
      yield* begun
      yield* on.stage.restart
      yield* on.stage.elapse(31 * Instant.second, Instant.second)
    }
    yield* on.works
    expect(yield* on.analysis(id)).toMatchObject({
      ...{ status: "failed", error: "The analysis was interrupted too often" }
    })
    expect(on.model.works).toHaveLength(3)
  })

  analysisScenario("that stop release what they run at once, and it counts as no attempt", function* (on) {
    const { begun } = on.model.waits()
    const { id } = yield* on.ended()
    const stopping = on.program(
      AnalysisWorker.use((worker) =>
        worker.tick.pipe(Effect.andThen(begun), Effect.andThen(worker.cancel), Effect.andThen(worker.idle))
      )
    )
    yield* on.stage.run(stopping)
    expect(on.model.interrupted).toBe(1)
    expect(yield* on.analysis(id)).toMatchObject({ status: "pending", claim: null, attempts: 0 })
    on.model.says(good)
    expect(yield* on.works).toBe(1)
    expect(yield* on.analysis(id)).toMatchObject({ status: "completed", attempts: 1 })
  })
})

describe("an analysis that somebody asks for", () => {
  // Verifies: V-188.
  analysisScenario("runs again under an id of its own, whatever the agent enables", function* (on) {
    on.model.says(good)
    const { id } = yield* on.ended(["I want tea."], {})
    const first = yield* on.stage.run(on.asking(id))
    expect(first).toMatchObject({ status: "pending" })
    expect((yield* on.stage.run(on.asking(id))).id).toBe(first.id)
    yield* on.works
    expect(yield* on.analysis(id)).toMatchObject({ status: "completed", outcome: null, results: {} })
    const second = yield* on.stage.run(on.asking(id))
    expect(second).toMatchObject({ status: "pending", summary: null, completedAt: null })
    expect(second.id).not.toBe(first.id)
    yield* on.works
    const events = yield* on.events
    expect(events.map(({ data }) => data.analysis_id)).toEqual([first.id, second.id])
  })

  analysisScenario("is one, also when it is asked for side by side", function* (on) {
    const { id } = yield* on.ended(["I want tea."], {})
    const asked = yield* Effect.all(
      Array.from({ length: 10 }, () => on.stage.run(on.asking(id))),
      { concurrency: "unbounded" }
    )
    expect(new Set(asked.map((one) => one.id)).size).toBe(1)
  })

  analysisScenario("is refused while the session runs, without a turn, and for an unknown session", function* (on) {
    const running = yield* on.begun()
    expect(yield* on.stage.fails(on.asking(running.id))).toMatchObject({ status: 409, code: "invalid_request" })
    const silent = yield* on.ended([])
    expect(yield* on.stage.fails(on.asking(silent.id))).toMatchObject({ status: 409 })
    const other = "00000000-0000-4000-8000-000000000000" as typeof silent.id
    expect(yield* on.stage.fails(on.asking(other))).toMatchObject({ status: 404, code: "session_not_found" })
  })
})
