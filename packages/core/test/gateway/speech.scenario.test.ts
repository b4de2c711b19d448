/** A speech request from its form to its bill: docs/reference/gateway.md#order. Verifies: INFE-1, INFE-2, INFE-3, INFE-5, INFE-6. */
import type { UpstreamWhy } from "@trunkline/core/provider"
import { leak, noise, wav, wavOf } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { type Asked, type SpeechStage, speechScenario } from "./SpeechScenarios.ts"

const credit = 1_000_000_000n
/** Three seconds by the standard model: 3 x 0.53 USD an hour, at 96 credits for a dollar. */
const threeSeconds = 42_400_000n

const json = (answer: { readonly body: string }) => JSON.parse(answer.body)

/** Lets fibers go on that wait for the storage. */
const turns = Effect.promise(async () => {
  for (let nth = 0; nth < 20; nth++) await new Promise((resolve) => setImmediate(resolve))
})

/** Nothing of a request is left: no reservation, and only these rows. */
function* leaves(speech: SpeechStage, charged: bigint, statuses: ReadonlyArray<number>) {
  expect(yield* speech.credits).toMatchObject({ balance: 1000n * credit - charged, reserved: 0n })
  const rows = (yield* speech.rows) as ReadonlyArray<{ readonly httpStatus: number }>
  expect(rows.map(({ httpStatus }) => httpStatus)).toEqual(statuses)
}

describe("a request is billed for its audio", () => {
  // Verifies: G-7, G-204, H-76.
  speechScenario("by the started second, once, in one row of the log", function* (speech) {
    speech.upstream.says({ text: "three", seconds: 1 })
    const result = (yield* speech.ask({ file: wav(2.2) })) as { readonly response: { readonly body: string } }
    expect(json(result.response)).toEqual({ text: "three" })
    yield* leaves(speech, threeSeconds, [200])
    expect(yield* speech.rows).toMatchObject([
      {
        model: "saaras:v3",
        service: "stt",
        units: 3,
        unit: "seconds",
        credits: threeSeconds,
        requestId: "request",
        sessionId: "session",
        traceId: "trace"
      }
    ])
  })

  // Verifies: H-60.
  speechScenario("whatever its header, the upstream or the format of the answer say", function* (speech) {
    speech.upstream.says({ seconds: 0 })
    const model = ["model", "whisper-large-v3-turbo"] as const
    const audio = wav(60)
    for (const [claims, format] of [
      [0, "json"],
      [32_000, "text"],
      [0xffffffff, "verbose_json"],
      [undefined, "diarized_json"]
    ] as const) {
      const forged = claims === undefined ? audio : wav(60, { claims })
      yield* speech.ask({ fields: [model, ["response_format", format]], file: forged })
    }
    // 60 s at 0.06 USD an hour are 0.096 credits.
    yield* leaves(speech, 4n * 96_000_000n, [200, 200, 200, 200])
  })

  // Verifies: H-84.
  speechScenario("the enterprise plan's too, without being deducted", function* (speech) {
    yield* speech.ask({ plan: "enterprise" })
    yield* leaves(speech, 0n, [200])
    expect(yield* speech.rows).toMatchObject([{ credits: threeSeconds }])
  })

  // Verifies: H-58, H-62.
  speechScenario("of unknown length by the upstream's figure, within what its size allows", function* (speech) {
    // A codec that only a decoder knows: 30,044 bytes are at most 61 seconds.
    const file = wavOf(noise(30_000), { codec: 0x55, bits: 0, block: 1, byteRate: 16_000 })
    const model = ["model", "whisper-large-v3-turbo"] as const
    speech.upstream.says({ seconds: 11.2 })
    yield* speech.ask({ fields: [model], file })
    speech.upstream.says({ seconds: null })
    const untold = (yield* speech.ask({ fields: [model, ["response_format", "verbose_json"]], file })) as {
      readonly response: { readonly body: string }
    }
    expect(json(untold.response).duration).toBe(61)
    speech.upstream.says({ seconds: null })
    yield* speech.ask({ file })
    expect((yield* speech.rows) as ReadonlyArray<{ readonly units: number }>).toMatchObject([
      { units: 30 },
      { units: 61 },
      { units: 12 }
    ])
  })

  speechScenario(
    // Verifies: H-73.
    "of 200 side by side as many pass as the balance covers, and nothing is left over",
    function* (speech) {
      yield* speech.stage.leaveCredit(7n * threeSeconds + 1n)
      const door = speech.upstream.waits()
      const all = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 200 }), () => Effect.exit(speech.ask({ plan: "pro" })), {
          concurrency: "unbounded"
        })
      )
      yield* door.begun
      for (let nth = 0; nth < 30; nth++) yield* turns
      yield* door.answer("hello")
      const exits = (yield* Fiber.join(
        all as Fiber.Fiber<ReadonlyArray<Exit.Exit<unknown, unknown>>>
      )) as ReadonlyArray<Exit.Exit<unknown, unknown>>
      expect(exits.filter(Exit.isSuccess)).toHaveLength(7)
      expect(speech.upstream.works).toHaveLength(7)
      expect(yield* speech.credits).toMatchObject({ balance: 1n, reserved: 0n })
    }
  )
})

describe("a request is refused before any upstream is asked, in one order", () => {
  const long = wav(31)
  const forged = wav(3, { rate: 1_600_000 })
  const large = new Uint8Array(26_214_401)
  const steps: ReadonlyArray<readonly [string, Asked, number, string]> = [
    [
      // Verifies: G-166, G-196, H-7.
      "a field",
      {
        fields: [
          ["mode", "x"],
          ["model", "none"]
        ],
        file: large
      },
      422,
      "invalid_request"
    ],
    // Verifies: G-43, H-47.
    ["no file", { fields: [["model", "none"]], file: null }, 422, "invalid_request"],
    [
      // Verifies: G-186, G-244, H-9, H-42.
      "the model's name",
      { fields: [["model", "none"]], file: new Uint8Array(0), allowedModels: [] },
      404,
      "model_not_found"
    ],
    [
      // Verifies: G-140, G-182, H-9.
      "the key's models",
      { fields: [["model", "ink-2"]], file: new Uint8Array(0), allowedModels: ["saaras:v3"] },
      403,
      "model_not_allowed"
    ],
    // Verifies: G-162, G-181, H-9.
    ["the plan's models", { fields: [["model", "ink-2"]], file: new Uint8Array(0) }, 403, "model_not_available"],
    // Verifies: G-50.
    ["its category", { fields: [["model", "kimi-k2.5"]], file: new Uint8Array(0) }, 400, "invalid_request"],
    [
      // Verifies: G-51, G-159, G-172, H-9.
      "whether it takes files",
      { fields: [["model", "ink-2"]], file: new Uint8Array(0), plan: "pro" },
      400,
      "invalid_request"
    ],
    [
      "word timestamps",
      { fields: [["timestamp_granularities[]", "word"]], file: new Uint8Array(0) },
      400,
      "invalid_request"
    ],
    // Verifies: G-46, G-172, H-10.
    ["an empty file", { file: new Uint8Array(0) }, 400, "invalid_request"],
    // Verifies: G-45, G-187, H-10.
    ["a large file", { file: large }, 413, "file_too_large"],
    [
      // Verifies: G-49, G-187.
      "a file that is large for its model",
      { fields: [["model", "whisper-large-v3-turbo"]], file: wavOf(new Uint8Array(25_000_000)) },
      413,
      "file_too_large"
    ],
    // Verifies: G-172.
    ["no audio", { file: noise(5000) }, 400, "invalid_request"],
    // Verifies: G-172, H-61.
    ["audio that cannot be", { file: forged }, 400, "invalid_request"],
    // Verifies: G-47, G-173, H-11.
    ["long audio", { file: long, monthlyBudget: 0n }, 400, "audio_too_long"],
    // Verifies: G-167, G-189, H-12, H-82.
    ["a monthly budget", { file: wav(30), monthlyBudget: 0n }, 429, "quota_exceeded"],
    // Verifies: G-161, G-177, H-13.
    ["credit", { file: wav(30) }, 402, "insufficient_credits"]
  ]

  for (const [what, asked, status, code] of steps) {
    speechScenario(`${what}: ${status} ${code}`, function* (speech) {
      yield* speech.stage.leaveCredit(0n)
      const refused = yield* speech.refused(asked)
      expect(refused).toMatchObject({ status, code, showsRequestId: false })
      expect(speech.upstream.works).toEqual([])
      expect(yield* speech.rows).toEqual([])
      expect(yield* speech.credits).toMatchObject({ balance: 0n, reserved: 0n })
    })
  }

  // Verifies: G-8, G-189, G-210, H-12.
  speechScenario("the plan's calls of the month: 429, until the first of the next", function* (speech) {
    for (let nth = 0; nth < 50; nth++) yield* speech.ask()
    yield* speech.stage.leaveCredit(0n)
    expect(yield* speech.refused()).toMatchObject({
      status: 429,
      code: "quota_exceeded",
      retryAfterSeconds: expect.any(Number)
    })
    expect(speech.upstream.works).toHaveLength(50)
  })

  // Verifies: G-72, G-73.
  speechScenario("with a sentence that leads on", function* (speech) {
    const ink = yield* speech.refused({ fields: [["model", "ink-2"]], plan: "pro" })
    expect(ink).toMatchObject({ detail: expect.stringContaining("ink-whisper"), param: "model" })
    const flux = yield* speech.refused({ fields: [["model", "deepgram-flux-general-en"]], plan: "pro" })
    expect(flux).toMatchObject({ detail: expect.stringContaining("deepgram-nova-3") })
    expect(yield* speech.refused({ file: long })).toMatchObject({
      detail: expect.stringMatching(/31\.0 seconds .* at most 30/)
    })
    for (const [field, value, words] of [
      ["timestamp_granularities[]", "word", /word timestamps.*segment/],
      ["include[]", "logprobs", /log probabilities/],
      ["chunking_strategy[type]", "server_vad", /chunking_strategy.*auto/],
      ["known_speaker_names[]", "agent", /known_speaker_names/]
    ] as const) {
      const refused = yield* speech.refused({ fields: [[field, value]] })
      expect(refused).toMatchObject({
        ...{ status: 400, code: "invalid_request", param: field.replace(/\[.*/, "") },
        detail: expect.stringMatching(words)
      })
    }
  })

  // Verifies: G-47, G-49, H-46.
  speechScenario("up to its bounds it is accepted", function* (speech) {
    yield* speech.ask({ file: wav(30) })
    const fields = [["model", "whisper-large-v3-turbo"]] as const
    yield* speech.ask({ fields, file: wavOf(new Uint8Array(25_000_000 - 44)) })
    yield* speech.ask({ fields: [["model", "nova-3"]], file: wavOf(new Uint8Array(26_214_400 - 44)) })
    expect(speech.upstream.works).toHaveLength(3)
  })
})

describe("an upstream that fails", () => {
  const failures: ReadonlyArray<readonly [UpstreamWhy, number, string, boolean]> = [
    ["refused_input", 400, "invalid_request", false],
    ["too_large", 413, "file_too_large", false],
    ["throttled", 429, "rate_limit_exceeded", true],
    ["timeout", 502, "service_unavailable", true],
    ["unreachable", 502, "service_unavailable", true],
    ["failed", 502, "service_unavailable", true],
    ["wrong_route", 502, "service_unavailable", true],
    ["unreadable", 502, "service_unavailable", true],
    ["operator", 502, "provider_error", true],
    ["unsupported", 502, "service_unavailable", true]
  ]

  for (const [why, status, code, showsRequestId] of failures) {
    // Verifies: G-153, G-157, G-188, G-191, G-192, G-246, H-23, H-24, H-25, H-26, H-27, H-29, H-66, H-74, H-93, H-94.
    speechScenario(`by ${why} is answered ${status} ${code}, in our own words, and costs nothing`, function* (speech) {
      speech.upstream.fails(why, { retryAfterSeconds: why === "throttled" ? 17 : null })
      const refused = yield* speech.refused()
      expect(refused).toMatchObject({
        status,
        code,
        showsRequestId,
        retryAfterSeconds: why === "throttled" ? 17 : null
      })
      for (const word of leak.split(" ").filter((one) => /[.\d-]/.test(one)))
        expect(JSON.stringify(refused)).not.toContain(word)
      yield* leaves(speech, 0n, [status])
      expect(yield* speech.rows).toMatchObject([{ credits: 0n, units: 0 }])
    })
  }

  // Verifies: H-66.
  speechScenario("with advice for the caller passes it on", function* (speech) {
    speech.upstream.fails("unsupported", { advice: "This language is not offered here." })
    expect(yield* speech.refused()).toMatchObject({ detail: "This language is not offered here.", isPermanent: true })
  })

  speechScenario("by a mistake of its own code releases the reservation", function* (speech) {
    speech.upstream.does(() => Effect.die(new Error("a mistake")))
    expect(Exit.isFailure((yield* Effect.exit(speech.ask())) as Exit.Exit<unknown>)).toBe(true)
    yield* leaves(speech, 0n, [500])
  })

  speechScenario("by never ending is given up soon after the time that it promised", function* (speech) {
    speech.upstream.promises(10_000)
    const door = speech.upstream.waits()
    const asked = yield* Effect.forkChild(speech.refused())
    yield* door.begun
    yield* TestClock.adjust("20 seconds")
    expect(speech.upstream.interrupted).toBe(0)
    yield* TestClock.adjust("6 seconds")
    expect(yield* Fiber.join(asked as Fiber.Fiber<unknown>)).toMatchObject({ status: 502, code: "service_unavailable" })
    yield* leaves(speech, 0n, [502])
  })

  // Verifies: H-78.
  speechScenario("does not count in the plan's calls", function* (speech) {
    speech.upstream.fails("failed")
    for (let nth = 0; nth < 60; nth++) yield* speech.refused()
    speech.upstream.says({})
    for (let nth = 0; nth < 50; nth++) yield* speech.ask()
    expect(yield* speech.refused()).toMatchObject({ code: "quota_exceeded" })
  })
})

describe("a model", () => {
  speechScenario(
    // Verifies: H-14, H-28, H-45.
    "that no upstream is configured to run is refused: 502, and nothing is reserved",
    function* (speech) {
      yield* speech.ask({ fields: [["model", "nova-3"]] })
      expect(speech.upstream.works).toMatchObject([{ requestedModel: "nova-3", model: "nova-3" }])
      expect(yield* speech.refused()).toMatchObject({ status: 502, code: "service_unavailable", showsRequestId: true })
      yield* speech.stage.leaveCredit(0n)
      expect(yield* speech.refused()).toMatchObject({ status: 402 })
      expect(speech.upstream.works).toHaveLength(1)
      expect(yield* speech.credits).toMatchObject({ reserved: 0n })
    },
    { routes: { "nova-3": { upstream: "fake" } } }
  )
})

describe("a client that goes away", () => {
  // Verifies: H-73, H-120.
  speechScenario("while its audio is heard ends the work, and pays nothing", function* (speech) {
    const door = speech.upstream.waits()
    const asked = yield* Effect.forkChild(speech.ask())
    yield* door.begun
    expect(yield* speech.credits).toMatchObject({ reserved: threeSeconds })
    yield* Fiber.interrupt(asked as Fiber.Fiber<unknown, unknown>)
    expect(speech.upstream.interrupted).toBe(1)
    yield* leaves(speech, 0n, [499])
  })

  // Verifies: H-121.
  speechScenario("when the upstream has answered has what was done billed all the same", function* (speech) {
    const door = speech.upstream.waits()
    const asked = (yield* Effect.forkChild(speech.ask())) as Fiber.Fiber<unknown, unknown>
    yield* door.begun
    yield* door.answer("nobody hears this")
    yield* Fiber.interrupt(asked)
    yield* leaves(speech, threeSeconds, [200])
  })

  speechScenario("before anything was run leaves nothing", function* (speech) {
    const asked = (yield* Effect.forkChild(speech.ask())) as Fiber.Fiber<unknown, unknown>
    yield* Fiber.interrupt(asked)
    expect(yield* speech.credits).toMatchObject({ reserved: 0n })
  })
})

describe("a process that dies", () => {
  speechScenario("while an upstream works reserves no credit for longer than a lease", function* (speech) {
    const door = speech.upstream.waits()
    yield* Effect.forkDetach(Effect.exit(speech.ask()))
    yield* door.begun
    yield* speech.stage.restart
    expect(yield* speech.credits).toMatchObject({ reserved: threeSeconds })
    yield* speech.stage.leaveCredit(threeSeconds)
    speech.upstream.says({})
    // The new process has reached the database first then, and gives others 20 seconds to renew their leases.
    yield* speech.ask()
    expect(yield* speech.refused()).toMatchObject({ code: "insufficient_credits" })
    yield* TestClock.adjust("20 seconds")
    yield* speech.ask()
  })
})

describe("an Idempotency-Key", () => {
  const key = "a key"

  // Verifies: G-200, H-113.
  speechScenario("has its request run and billed once, and answered alike", function* (speech) {
    const asked = { key, fields: [["response_format", "verbose_json"]] } as const
    const first = (yield* speech.ask(asked)) as { readonly isReplayed: boolean; readonly response: object }
    speech.upstream.says({ text: "something else" })
    expect(yield* speech.ask(asked)).toEqual({ isReplayed: true, response: first.response })
    expect(first.isReplayed).toBe(false)
    yield* leaves(speech, threeSeconds, [200])
  })

  // Verifies: G-164, H-115.
  speechScenario("carries one request: other fields, another file or another route are refused", function* (speech) {
    yield* speech.ask({ key })
    for (const other of [{ fields: [["language", "hi"]] }, { file: wav(2) }, { route: "translations" }] as const) {
      expect(yield* speech.refused({ key, ...other })).toMatchObject({ status: 409, code: "idempotency_key_reused" })
    }
    yield* leaves(speech, threeSeconds, [200])
  })

  // Verifies: H-116.
  speechScenario("is refused while its first request runs", function* (speech) {
    const door = speech.upstream.waits()
    const first = yield* Effect.forkChild(speech.ask({ key }))
    yield* door.begun
    expect(yield* speech.refused({ key })).toMatchObject({
      status: 409,
      code: "idempotency_in_progress",
      retryAfterSeconds: 1
    })
    yield* door.answer("hello")
    yield* Fiber.join(first as Fiber.Fiber<unknown, unknown>)
    expect(yield* speech.ask({ key })).toMatchObject({ isReplayed: true })
  })

  speechScenario(
    // Verifies: H-8, H-114.
    "is free again after a failure, and comes after the form's fields and before the model",
    function* (speech) {
      speech.upstream.fails("failed")
      yield* speech.refused({ key })
      speech.upstream.says({})
      yield* speech.ask({ key, fields: [["language", "hi"]] })
      expect(yield* speech.refused({ key, fields: [["mode", "x"]] })).toMatchObject({ status: 422 })
      expect(yield* speech.refused({ key, fields: [["model", "none"]] })).toMatchObject({ status: 409 })
    }
  )

  speechScenario("is free again when the client has gone before there was an answer", function* (speech) {
    const door = speech.upstream.waits()
    const first = (yield* Effect.forkChild(speech.ask({ key }))) as Fiber.Fiber<unknown, unknown>
    yield* door.begun
    yield* Fiber.interrupt(first)
    speech.upstream.says({})
    expect(yield* speech.ask({ key })).toMatchObject({ isReplayed: false })
  })

  speechScenario("has the answer that nobody heard", function* (speech) {
    const door = speech.upstream.waits()
    const first = (yield* Effect.forkChild(speech.ask({ key }))) as Fiber.Fiber<unknown, unknown>
    yield* door.begun
    yield* door.answer("for whoever asks again")
    yield* Fiber.interrupt(first)
    const again = (yield* speech.ask({ key })) as {
      readonly isReplayed: boolean
      readonly response: { readonly body: string }
    }
    expect({ ...json(again.response), isReplayed: again.isReplayed }).toEqual({
      text: "for whoever asks again",
      isReplayed: true
    })
    yield* leaves(speech, threeSeconds, [200])
  })

  speechScenario(
    "is billed and kept in one transaction: a process that dies right after has its answer",
    function* (speech) {
      const door = speech.upstream.waits()
      yield* Effect.forkDetach(Effect.exit(speech.ask({ key })))
      yield* door.begun
      yield* speech.stage.killAtNextCommit
      yield* door.answer("kept")
      yield* turns
      yield* speech.stage.start
      speech.upstream.says({ text: "another" })
      const again = (yield* speech.ask({ key })) as {
        readonly isReplayed: boolean
        readonly response: { readonly body: string }
      }
      expect({ ...json(again.response), isReplayed: again.isReplayed }).toEqual({ text: "kept", isReplayed: true })
      yield* leaves(speech, threeSeconds, [200])
    }
  )

  speechScenario(
    // Verifies: H-163.
    "is billed once when its process stands still past its lease and it is asked again elsewhere",
    function* (speech) {
      yield* speech.stage.second
      const door = speech.upstream.waits()
      const stalled = (yield* Effect.forkChild(speech.ask({ key }))) as Fiber.Fiber<unknown, unknown>
      yield* door.begun
      const resume = (yield* speech.stage.stall()) as Effect.Effect<void>
      yield* door.answer("of the process that stood still")
      yield* turns
      yield* TestClock.adjust("10 minutes")
      speech.upstream.says({ text: "of the other process" })
      const second = yield* speech.stage.elsewhere(speech.asking({ key }))
      expect(second).toMatchObject({ isReplayed: false })
      yield* TestClock.adjust("1 second")
      yield* resume
      const first = (yield* Fiber.join(stalled)) as { readonly response: { readonly body: string } }
      expect({ ...first, ...json(first.response) }).toMatchObject({ isReplayed: true, text: "of the other process" })
      expect(yield* speech.ask({ key })).toMatchObject({ isReplayed: true })
      yield* leaves(speech, threeSeconds, [409, 200])
    }
  )

  // Verifies: H-163.
  speechScenario("answers a run that lost its claim with a retry while the other one runs", function* (speech) {
    yield* speech.stage.second
    const door = speech.upstream.waits()
    const stalled = (yield* Effect.forkChild(speech.ask({ key }))) as Fiber.Fiber<unknown, unknown>
    yield* door.begun
    const resume = (yield* speech.stage.stall()) as Effect.Effect<void>
    yield* door.answer("of the process that stood still")
    yield* turns
    yield* TestClock.adjust("10 minutes")
    const slow = speech.upstream.waits()
    const other = yield* Effect.forkChild(speech.stage.elsewhere(speech.asking({ key })))
    yield* slow.begun
    yield* resume
    expect(yield* Effect.flip(Fiber.join(stalled))).toMatchObject({
      status: 409,
      code: "idempotency_in_progress",
      retryAfterSeconds: 1
    })
    yield* slow.answer("of the other process")
    yield* Fiber.join(other as Fiber.Fiber<unknown, unknown>)
    yield* leaves(speech, threeSeconds, [200, 409])
  })
})
