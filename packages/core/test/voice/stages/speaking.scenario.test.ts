/** Speaking: docs/reference/voice-agent.md#speaking. Verifies: PIPE-1, PIPE-2, PIPE-3, PIPE-4, PIPE-5. */
import { wavOf } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import { models, pipelineScenario, sessionId, turnId } from "./PipelineScenarios.ts"

const { alsoSpeaks, speaks } = models

const bytesOf = (...samples: ReadonlyArray<number>) => new Uint8Array(Int16Array.from(samples).buffer)
const heard = (sounds: ReadonlyArray<Int16Array>) => sounds.flatMap((one) => [...one])

// Verifies: V-53, V-106.
pipelineScenario("sound is passed on as it comes, in whole samples", function* (stage) {
  const { fakes, given } = stage
  const bytes = bytesOf(1, -2, 300, -32_768)
  fakes.speaks.does(({ onBytes }) =>
    Effect.gen(function* () {
      yield* onBytes(bytes.subarray(0, 3))
      yield* onBytes(bytes.subarray(3, 4))
      return yield* Effect.never
    })
  )
  const speech = yield* stage.begin(stage.speaking())
  expect(given.sounds.map((one) => [...one])).toEqual([[1], [-2]])
  expect(speech.result()).toBeNull()
  yield* speech.interrupt
})

// Verifies: V-99, V-105, V-162.
pipelineScenario(
  "a text is asked for as pcm, and billed by its code points in one row of the turn's",
  function* (stage) {
    const { fakes, given, stage: host } = stage
    const before = yield* host.credits
    fakes.speaks.says(bytesOf(1, 2), bytesOf(3))
    const choices = [{ model: speaks, voice: "anushka" }] as const
    expect(yield* stage.speaking({ choices, text: "Good 😀.", language: "hi" })).toBe(speaks)
    expect(heard(given.sounds)).toEqual([1, 2, 3])
    expect(fakes.speaks.works).toEqual([
      {
        ...{ model: speaks, input: "Good 😀.", voice: "anushka", format: "pcm", speed: null, language: "hi" },
        fields: { model: speaks, input: "Good 😀.", voice: "anushka", response_format: "pcm" }
      }
    ])
    const [row, ...others] = yield* stage.rows
    expect(others).toEqual([])
    expect(row).toMatchObject({ service: "tts", model: speaks, httpStatus: 200, units: 7, sessionId, traceId: turnId })
    const after = yield* host.credits
    expect(before.balance - after.balance).toBe(row!.credits)
    expect(yield* stage.callsTaken("tts")).toBe(0)
  }
)

// Verifies: V-99.
pipelineScenario("a sound with a WAV header is read as that says", function* (stage) {
  const samples = Array.from({ length: 160 }, (_, nth) => nth * 100)
  const file = wavOf(bytesOf(...samples), { rate: 16_000, after: [["LIST", new Uint8Array(64).fill(255)]] })
  stage.fakes.speaks.says(...Array.from({ length: file.length }, (_, at) => file.subarray(at, at + 1)))
  yield* stage.speaking()
  const sound = heard(stage.given.sounds)
  expect(sound.length).toBeGreaterThanOrEqual(238)
  expect(sound.length).toBeLessThanOrEqual(240)
  expect(sound[3]).toBe(200)
  expect(Math.max(...sound)).toBeGreaterThan(15_800)
})

const fallbackOf = (title: string, pieces: ReadonlyArray<Uint8Array>, why: "failed" | null) =>
  pipelineScenario(title, function* (stage) {
    if (why === null) stage.fakes.speaks.says(...pieces)
    else stage.fakes.speaks.fails(why, ...pieces)
    stage.fakes.alsoSpeaks.says(bytesOf(7))
    expect(yield* stage.speaking()).toBe(alsoSpeaks)
    expect(heard(stage.given.sounds)).toEqual([7])
    expect(stage.given.warnings).toEqual(["SPEAK_REQUEST_FAILED"])
    expect((yield* stage.rows).map(({ credits, httpStatus }) => [httpStatus, credits > 0n])).toEqual([
      [502, false],
      [200, true]
    ])
  })

// Verifies: V-109.
fallbackOf("a model that fails is replaced by the next one", [], "failed")
fallbackOf("half a sample is no sound", [new Uint8Array(1)], null)
fallbackOf("a header without sound is no sound", [wavOf(new Uint8Array(0))], null)
fallbackOf("a sound of an unknown form is no sound", [wavOf(bytesOf(1, 2, 3), { codec: 0x55 })], null)

// Verifies: V-108.
pipelineScenario("a model without sound within 5 seconds is replaced, and its request is ended", function* (stage) {
  stage.fakes.speaks.does(() => Effect.never)
  const speech = yield* stage.begin(stage.speaking())
  yield* stage.elapse(4800)
  expect(speech.result()).toBeNull()
  yield* stage.elapse(400)
  expect(Result.getOrThrow(speech.result()!)).toBe(alsoSpeaks)
  expect(stage.fakes.speaks.interrupted).toBe(1)
})

// Verifies: V-108.
pipelineScenario(
  "a sound that breaks off, or stops for 10 seconds, is not begun again by another model",
  function* (stage) {
    const { fakes, given } = stage
    fakes.speaks.fails("failed", bytesOf(1))
    expect(yield* stage.failure(stage.speaking())).toMatchObject({ reason: "failed" })
    yield* stage.elapse(31_000)
    fakes.speaks.does(({ onBytes }) => Effect.andThen(onBytes(bytesOf(2)), Effect.never))
    const speech = yield* stage.begin(stage.speaking())
    yield* stage.elapse(9800)
    expect(speech.result()).toBeNull()
    yield* stage.elapse(400)
    expect(Result.isFailure(speech.result()!)).toBe(true)
    expect(heard(given.sounds)).toEqual([1, 2])
    expect(fakes.alsoSpeaks.works).toEqual([])
    expect((yield* stage.rows).map(({ credits }) => credits)).toEqual([0n, 0n])
  }
)

// Verifies: V-115.
pipelineScenario(
  "a speech that is interrupted ends upstream at once, and is billed once sound has come",
  function* (stage) {
    stage.fakes.speaks.does(({ onBytes }) => Effect.andThen(onBytes(bytesOf(2)), Effect.never))
    const speech = yield* stage.begin(stage.speaking())
    yield* speech.interrupt
    expect(stage.fakes.speaks.interrupted).toBe(1)
    const [row] = yield* stage.rows
    expect(row).toMatchObject({ httpStatus: 499, units: 13, traceId: turnId })
    expect(row!.credits).toBeGreaterThan(0n)
  }
)

// Verifies: V-113.
pipelineScenario(
  "a fixed sentence is spoken by a model once, in each voice and language, and costs nothing again",
  function* (stage) {
    const { fakes, given } = stage
    fakes.speaks.says(bytesOf(1, 2), bytesOf(3))
    expect(yield* stage.speaking({ isFixed: true })).toBe(speaks)
    yield* stage.open()
    given.sounds.length = 0
    expect(yield* stage.speaking({ isFixed: true })).toBeNull()
    expect(heard(given.sounds)).toEqual([1, 2, 3])
    expect((yield* stage.rows).length).toBe(1)
    yield* stage.speaking({ isFixed: false })
    yield* stage.speaking({ isFixed: true, language: "hi" })
    yield* stage.speaking({ isFixed: true, choices: [{ model: speaks, voice: "another" }] })
    expect(fakes.speaks.works.length).toBe(4)
  }
)

// Verifies: V-114.
pipelineScenario(
  "a fixed sentence is heard although nothing can speak any more, and although there is no credit",
  function* (stage) {
    const { fakes } = stage
    fakes.speaks.says(bytesOf(1))
    yield* stage.speaking({ isFixed: true })
    fakes.speaks.fails("failed")
    fakes.alsoSpeaks.fails("failed")
    yield* stage.failure(stage.speaking({ text: "Another one." }))
    yield* stage.stage.leaveCredit(0n)
    expect(yield* stage.speaking({ isFixed: true })).toBeNull()
  }
)

// Verifies: V-113.
pipelineScenario(
  "a fixed sentence of one account is not heard by another one, and one that broke off by nobody",
  function* (stage) {
    const { fakes } = stage
    fakes.speaks.fails("failed", bytesOf(1))
    yield* stage.failure(stage.speaking({ isFixed: true }))
    yield* stage.elapse(31_000)
    fakes.speaks.says(bytesOf(5))
    expect(yield* stage.speaking({ isFixed: true })).toBe(speaks)
    expect(fakes.speaks.works.length).toBe(2)
    yield* stage.open({
      payer: { tenantId: yield* stage.anotherAccount, plan: "free", monthlyBudget: null, key: null }
    })
    expect(yield* stage.speaking({ isFixed: true })).toBe(speaks)
    expect(fakes.speaks.works.length).toBe(3)
  }
)

pipelineScenario("without credit nothing is spoken", function* (stage) {
  yield* stage.stage.leaveCredit(0n)
  expect(yield* stage.failure(stage.speaking())).toMatchObject({ reason: "credits" })
  expect(stage.fakes.speaks.works).toEqual([])
})
