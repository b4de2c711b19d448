/** Listening: docs/reference/voice-agent.md#listening. Verifies: PIPE-1, PIPE-2, PIPE-3, PIPE-4. */
import { readWav } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import { ChunkBytes } from "../../../src/gateway/upstreams/index.ts"
import { models, pipelineScenario, sessionId, turnId } from "./PipelineScenarios.ts"

const { alsoHears, hears, hearsLive } = models

// Verifies: V-100, V-162.
pipelineScenario(
  "an utterance is a WAV of 16 kHz, billed by its started seconds, in one row of the turn's",
  function* (stage) {
    const { fakes, stage: host } = stage
    const before = yield* host.credits
    fakes.hears.says({ text: " Good morning. " })
    const utterance = stage.utterance(2.3)
    yield* stage.rest
    expect(fakes.hears.works).toEqual([])
    expect(yield* utterance.end).toEqual({ text: "Good morning.", model: hears })
    const [{ audio, ...work }] = fakes.hears.works as [(typeof fakes.hears.works)[number]]
    expect(work).toMatchObject({ task: "transcribe", model: hears, language: "en-IN", mode: "transcribe" })
    const bytes = new ChunkBytes(audio.chunks)
    expect(audio.size).toBe(bytes.size)
    expect(readWav(bytes)).toMatchObject({
      format: { codec: 1, channels: 1, rate: 16_000, bits: 16, byteRate: 32_000, block: 2 },
      audio: [{ begin: 44, end: 44 + 2.3 * 32_000 }]
    })
    const [row, ...others] = yield* stage.rows
    expect(others).toEqual([])
    expect(row).toMatchObject({ service: "stt", model: hears, httpStatus: 200, units: 3, sessionId, traceId: turnId })
    const after = yield* host.credits
    expect(before.balance - after.balance).toBe(row!.credits)
    expect(row!.credits).toBeGreaterThan(0n)
    expect(yield* stage.callsTaken("stt")).toBe(0)
  }
)

// Verifies: V-108, V-212.
pipelineScenario("a model without an answer within 5 seconds has failed, and its request is ended", function* (stage) {
  stage.fakes.hears.does(() => Effect.never)
  const transcript = yield* stage.begin(stage.utterance(1).end)
  yield* stage.elapse(4800)
  expect(transcript.result()).toBeNull()
  yield* stage.elapse(400)
  expect(Result.isFailure(transcript.result()!)).toBe(true)
  expect(stage.given.warnings).toEqual(["LISTEN_REQUEST_FAILED"])
  expect(stage.fakes.hears.interrupted).toBe(1)
  expect(yield* stage.rows).toMatchObject([{ httpStatus: 502, credits: 0n }])
})

// Verifies: V-211.
pipelineScenario("an engine is kept loaded from the beginning of a session to its end", function* (stage) {
  const { alsoHears: other, hears: engine } = stage.fakes
  yield* stage.rest
  expect([engine.keepers, other.keepers]).toEqual([1, 0])
  stage.pipeline.setListening({ model: hears, fallback: alsoHears, language: "en" })
  yield* stage.rest
  expect([engine.keepers, other.keepers]).toEqual([1, 1])
  yield* stage.close
  expect([engine.keepers, other.keepers]).toEqual([0, 0])
})

// Verifies: V-211.
pipelineScenario("the time of a hearing begins once its engine has loaded", function* (stage) {
  const { hears: engine } = stage.fakes
  engine.loads(Effect.sleep(4000))
  engine.does(() => Effect.as(Effect.sleep(4000), { text: "late", seconds: null, segments: [] }))
  yield* stage.open()
  const transcript = yield* stage.begin(stage.utterance(1).end)
  yield* stage.elapse(8100)
  expect(transcript.result()).toEqual(Result.succeed({ text: "late", model: hears }))
})

pipelineScenario("an engine that loads for longer than the time of a hearing is asked all the same", function* (stage) {
  stage.fakes.hears.loads(Effect.never)
  yield* stage.open()
  const transcript = yield* stage.begin(stage.utterance(1).end)
  yield* stage.elapse(4900)
  expect(transcript.result()).toBeNull()
  yield* stage.elapse(200)
  expect(transcript.result()).toEqual(Result.succeed({ text: "hello", model: hears }))
})

// Verifies: V-110.
pipelineScenario("the agent's other listening model hears what the first one could not", function* (stage) {
  yield* stage.open({ listen: { model: hears, fallback: alsoHears, language: "en" } })
  stage.fakes.hears.fails("failed")
  expect(yield* stage.utterance(1).end).toEqual({ text: "hello from the other one", model: alsoHears })
  expect(stage.given.warnings).toEqual(["LISTEN_REQUEST_FAILED"])
  const rows = yield* stage.rows
  expect(rows.map(({ credits, httpStatus, model }) => [model, httpStatus, credits > 0n])).toEqual([
    [hears, 502, false],
    [alsoHears, 200, true]
  ])
})

pipelineScenario("an utterance that is longer than the model's files is sent in parts", function* (stage) {
  stage.fakes.hears.does(({ audio }) => Effect.succeed({ text: `${audio.size}`, seconds: null, segments: [] }))
  expect((yield* stage.utterance(31).end).text).toBe(`${44 + 30 * 32_000} ${44 + 32_000}`)
  expect((yield* stage.rows).map(({ units }) => units)).toEqual([30, 1])
})

pipelineScenario("what was no speech, or nothing at all, is sent to nobody", function* (stage) {
  stage.utterance(2).drop()
  expect((yield* stage.utterance(0).end).text).toBe("")
  expect(stage.fakes.hears.works).toEqual([])
  expect(yield* stage.rows).toEqual([])
})

// Verifies: V-115.
pipelineScenario("an interrupted utterance ends its request", function* (stage) {
  stage.fakes.hears.does(() => Effect.never)
  const transcript = yield* stage.begin(stage.utterance(1).end)
  yield* transcript.interrupt
  expect(stage.fakes.hears.interrupted).toBe(1)
  expect(yield* stage.rows).toMatchObject([{ httpStatus: 499, credits: 0n }])
})

pipelineScenario("without credit nothing is transcribed", function* (stage) {
  yield* stage.stage.leaveCredit(0n)
  expect(yield* stage.failure(stage.utterance(1).end)).toMatchObject({ reason: "credits" })
  expect(stage.fakes.hears.works).toEqual([])
})

const live = { listen: { model: hearsLive, fallback: alsoHears, language: "en" } }

// Verifies: V-101.
pipelineScenario(
  "an upstream that listens gets the sound while it is spoken, on one connection for the session",
  function* (stage) {
    yield* stage.open(live)
    const { hearsLive: upstream } = stage.fakes
    const first = stage.utterance(1)
    yield* stage.rest
    expect(upstream.sounds[0]!.pieces.length).toBe(50)
    expect(upstream.sounds[0]!.isEnded).toBe(false)
    first.add(new Int16Array(320))
    expect(upstream.sounds[0]!.pieces.length).toBe(51)
    expect(yield* first.end).toEqual({ text: "hello", model: hearsLive })
    yield* stage.utterance(2.5).end
    expect(upstream.opened).toEqual([{ model: hearsLive, language: "en" }])
    expect((yield* stage.rows).map(({ credits, units }) => [units, credits > 0n])).toEqual([
      [2, true],
      [3, true]
    ])
    yield* stage.close
    expect(upstream.closed).toBe(1)
  }
)

pipelineScenario("the time of an upstream that listens begins with the end of the utterance", function* (stage) {
  yield* stage.open({ listen: { ...live.listen, fallback: null } })
  stage.fakes.hearsLive.does(() => Effect.never)
  const utterance = stage.utterance(1)
  yield* stage.elapse(20_000)
  const transcript = yield* stage.begin(utterance.end)
  yield* stage.elapse(4800)
  expect(transcript.result()).toBeNull()
  yield* stage.elapse(400)
  expect(Result.isFailure(transcript.result()!)).toBe(true)
  expect(stage.fakes.hearsLive.interrupted).toBe(1)
  expect(yield* stage.rows).toMatchObject([{ httpStatus: 502, credits: 0n }])
})

pipelineScenario(
  "what an upstream that listens could not hear is sent as a whole to the other model",
  function* (stage) {
    yield* stage.open(live)
    stage.fakes.hearsLive.does(() => Effect.never)
    const transcript = yield* stage.begin(stage.utterance(1).end)
    yield* stage.elapse(5200)
    expect(Result.getOrThrow(transcript.result()!).model).toBe(alsoHears)
    expect(stage.fakes.alsoHears.works[0]!.audio.size).toBe(44 + 32_000)
    expect((yield* stage.utterance(1).end).model).toBe(alsoHears)
    expect(stage.fakes.hearsLive.sounds.length).toBe(1)
  }
)

pipelineScenario(
  "sound that was sent before it turned out to be no speech is billed, and the request is ended",
  function* (stage) {
    yield* stage.open(live)
    const utterance = stage.utterance(1.2)
    yield* stage.rest
    utterance.drop()
    yield* stage.rest
    expect(stage.fakes.hearsLive.interrupted).toBe(1)
    const [row] = yield* stage.rows
    expect(row).toMatchObject({ httpStatus: 499, units: 2 })
    expect(row!.credits).toBeGreaterThan(0n)
  }
)

// Verifies: V-40.
pipelineScenario("a listening model that is chosen later hears the next utterance", function* (stage) {
  const earlier = stage.utterance(1)
  stage.pipeline.setListening({ model: alsoHears, fallback: null, language: null })
  expect((yield* earlier.end).model).toBe(hears)
  expect((yield* stage.utterance(1).end).model).toBe(alsoHears)
  expect(stage.pipeline.decidesTurns).toBe(false)
})

// Verifies: V-81.
pipelineScenario("a model that decides turns reports their end", function* (stage) {
  const { alwaysDecides } = stage.fakes
  yield* stage.open({ listen: { model: models.alwaysDecides, fallback: null, language: null } })
  expect(stage.pipeline.decidesTurns).toBe(true)
  let ended = 0
  const utterance = stage.utterance(1, () => ended++)
  yield* stage.rest
  alwaysDecides.sounds[0]!.turnEnded()
  expect(ended).toBe(1)
  expect((yield* utterance.end).text).toBe("hello")
})
