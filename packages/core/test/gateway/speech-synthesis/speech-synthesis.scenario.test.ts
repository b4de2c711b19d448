/** A request for speech from its fields to its bill: docs/reference/speech-synthesis.md. Verifies: SYNT-1, SYNT-2, SYNT-3, SYNT-4, SYNT-5. */
import type { UpstreamWhy } from "@trunkline/core/provider"
import { FakeSynthesis, leak, spokenBytes } from "@trunkline/testing/inference"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import {
  type Asked,
  fiveCharacters,
  type Heard,
  rest,
  type SynthesisStage,
  synthesisScenario
} from "./SynthesisScenarios.ts"

const credit = 1_000_000_000n
/** Five characters by bulbul:v3: 5 x 0.53 USD for 10,000, at 96 credits for a dollar. */
const charged = 25_440_000n

const body = { model: "bulbul:v3", input: fiveCharacters }
const bytes = (text: string) => new TextEncoder().encode(text)

/** Lets fibers go on that wait for the storage. */
const turns = Effect.promise(async () => {
  for (let nth = 0; nth < 40; nth++) await new Promise((resolve) => setImmediate(resolve))
})

/** Nothing of a request is left: no reservation, and only these rows, in any order. */
function* leaves(synthesis: SynthesisStage, billed: bigint, statuses: ReadonlyArray<number>) {
  yield* turns
  expect(yield* synthesis.credits).toMatchObject({ balance: 1000n * credit - billed, reserved: 0n })
  const rows = (yield* synthesis.rows) as ReadonlyArray<{ readonly httpStatus: number }>
  expect(rows.map(({ httpStatus }) => httpStatus).toSorted()).toEqual(statuses)
}

/** Audio that comes as a test lets it: first one piece, then the rest. */
const inTwoPieces = (upstream: FakeSynthesis) => {
  const first = Deferred.makeUnsafe<void>()
  const second = Deferred.makeUnsafe<void>()
  upstream.does(({ onBytes }) =>
    Effect.gen(function* () {
      yield* Deferred.await(first)
      yield* onBytes(bytes("one"))
      yield* Deferred.await(second)
      yield* onBytes(bytes("two"))
    })
  )
  return { first: Deferred.succeed(first, undefined), second: Deferred.succeed(second, undefined) }
}

describe("speech", () => {
  // Verifies: G-907.
  synthesisScenario("is billed by the characters of its input, as code points, in one row", function* (synthesis) {
    const heard = (yield* synthesis.hear()) as Heard
    expect(heard).toMatchObject({ bytes: spokenBytes, end: "whole" })
    yield* leaves(synthesis, charged, [200])
    expect(yield* synthesis.rows).toMatchObject([
      {
        ...{ model: "bulbul:v3", service: "tts", units: 5, unit: "characters", credits: charged },
        ...{ requestId: "request", sessionId: "session", traceId: "trace" }
      }
    ])
  })

  // Verifies: G-890, G-897.
  synthesisScenario(
    "goes to the upstream with the fields as they were sent, under its name of the model",
    function* (synthesis) {
      const sent = {
        ...body,
        voice: { id: "v" },
        response_format: "wav",
        speed: 2,
        language: "hi-IN",
        seed: 1
      } as const
      yield* synthesis.hear({ body: { ...sent, instructions: null, stream_format: "sse" } })
      yield* synthesis.hear({ body: { ...body, voice: null, response_format: null, speed: null, language: "" } })
      expect(synthesis.upstream.works).toEqual([
        {
          ...{ model: "there", input: fiveCharacters, voice: "v", format: "wav", speed: 2, language: "hi-IN" },
          fields: { ...sent, model: "there" }
        },
        {
          ...{ model: "there", input: fiveCharacters, voice: null, format: "mp3", speed: null, language: null },
          fields: { ...body, model: "there", language: "" }
        }
      ])
    },
    { routes: { "bulbul:v3": { upstream: "fake", model: "there" } } }
  )

  // Verifies: G-898.
  synthesisScenario("begins with its first piece, while the rest has not come", function* (synthesis) {
    const door = inTwoPieces(synthesis.upstream)
    const beginning = (yield* Effect.forkChild(synthesis.begin())) as Fiber.Fiber<never>
    yield* turns
    expect(beginning.pollUnsafe()).toBeUndefined()
    yield* door.first
    const answer = yield* Fiber.join(beginning)
    const { queue } = answer as { queue: Queue.Dequeue<Uint8Array> }
    expect(yield* Queue.take(queue)).toEqual(bytes("one"))
    expect(yield* synthesis.credits).toMatchObject({ reserved: charged })
    yield* door.second
    expect(yield* rest(answer)).toMatchObject({ bytes: bytes("two"), end: "whole" })
  })

  // Verifies: G-899.
  synthesisScenario("waits for a client that reads slowly", function* (synthesis) {
    let taken = 0
    synthesis.upstream.does(({ onBytes }) =>
      Effect.forEach(
        Array.from({ length: 50 }, () => bytes("piece")),
        (piece) => Effect.tap(onBytes(piece), () => Effect.sync(() => taken++)),
        { discard: true }
      )
    )
    const answer = (yield* synthesis.begin()) as never
    yield* turns
    expect(taken).toBeLessThan(10)
    expect(((yield* rest(answer)) as Heard).bytes).toHaveLength(250)
    expect(taken).toBe(50)
  })

  // Verifies: G-919.
  synthesisScenario(
    "has the format of its upstream, where the caller names none",
    function* (synthesis) {
      const types = (asked: Asked) => Effect.map(synthesis.begin(asked), ({ contentType }) => contentType)
      expect(yield* types({})).toBe("audio/wav")
      expect(yield* types({ body: { ...body, response_format: "mp3" } })).toBe("audio/mpeg")
      expect(synthesis.upstream.works.map(({ format }) => format)).toEqual(["wav", "mp3"])
    },
    { upstream: new FakeSynthesis(null, () => null, "wav") }
  )

  // Verifies: G-901.
  synthesisScenario("comes as events where the caller wants them, which the gateway writes", function* (synthesis) {
    synthesis.upstream.says(bytes("one"), Uint8Array.from([0, 255, 128]))
    const { end, text } = (yield* synthesis.hear({ body: { ...body, stream_format: "sse" } })) as Heard
    expect(end).toBe("whole")
    expect(text).toBe(
      [
        'data: {"type":"speech.audio.delta","audio":"b25l"}',
        'data: {"type":"speech.audio.delta","audio":"AP+A"}',
        'data: {"type":"speech.audio.done","usage":{"characters":5}}',
        ""
      ].join("\n\n")
    )
  })
})

describe("a request is refused before anything runs", () => {
  const withModel = (model: string, more: object = {}) => ({ body: { ...body, model, ...more } })
  const text = (length: number) => "ä".repeat(length)

  const steps: ReadonlyArray<readonly [what: string, asked: Asked, expected: object]> = [
    // Verifies: G-885.
    [
      "a model of another category",
      { ...withModel("kimi-k2.5"), plan: "pro" },
      { status: 400, param: "model", detail: expect.stringContaining("/v1/chat/completions") }
    ],
    [
      "a model that transcribes",
      withModel("saaras:v3"),
      { status: 400, param: "model", detail: expect.stringContaining("/v1/audio/transcriptions") }
    ],
    ["an unknown model", withModel("none"), { status: 404, code: "model_not_found", param: "model" }],
    ["a model of another plan", withModel("tts-1"), { status: 403, code: "model_not_available" }],
    ["a model that the key lacks", { allowedModels: ["tts-1"] }, { status: 403, code: "model_not_allowed" }],
    // Verifies: G-887, G-888.
    [
      "2,501 characters for bulbul:v3",
      withModel("bulbul:v3", { input: text(2501) }),
      { status: 400, code: "invalid_request", param: "input", detail: expect.stringMatching(/2501 .* 2500/) }
    ],
    ["2,001 characters for aura", withModel("aura-2-en", { input: text(2001) }), { status: 400, param: "input" }],
    ["4,097 characters for melotts", withModel("melotts", { input: text(4097) }), { status: 400, param: "input" }],
    // Verifies: G-913.
    ["a spent monthly budget", { monthlyBudget: 0n }, { status: 429, code: "quota_exceeded" }],
    ["credit", {}, { status: 402, code: "insufficient_credits" }]
  ]

  for (const [what, asked, expected] of steps) {
    synthesisScenario(what, function* (synthesis) {
      yield* synthesis.stage.leaveCredit(0n)
      expect(yield* synthesis.refused(asked)).toMatchObject(expected)
      expect(synthesis.upstream.works).toEqual([])
      expect(yield* synthesis.rows).toEqual([])
    })
  }

  // Verifies: G-887, G-888.
  synthesisScenario("but for as many characters as the model accepts", function* (synthesis) {
    const emoji = "😀".repeat(2000)
    for (const [model, input] of [
      ["bulbul:v3", text(2500)],
      ["aura-2-en", emoji],
      ["melotts", text(4096)]
    ] as const) {
      expect(yield* synthesis.hear({ body: { model, input } })).toMatchObject({ end: "whole" })
    }
  })

  // Verifies: G-886.
  synthesisScenario("beyond the bytes that the model accepts", function* (synthesis) {
    const asked = withModel("sized", { input: text(9999) })
    expect(yield* synthesis.refused({ ...asked, bytes: 1001 })).toMatchObject({ status: 413, code: "file_too_large" })
    expect(yield* synthesis.refused({ ...asked, bytes: 1000 })).toMatchObject({ status: 400, param: "input" })
  })

  // Verifies: G-896, G-913.
  synthesisScenario(
    "where the upstream does not support a field, before credit is looked at",
    function* (synthesis) {
      yield* synthesis.stage.leaveCredit(0n)
      expect(yield* synthesis.refused({ body: { ...body, instructions: "slowly" } })).toMatchObject({
        ...{ status: 400, code: "invalid_request", param: "instructions", detail: "not here", showsRequestId: false }
      })
      expect(yield* synthesis.rows).toEqual([])
    },
    {
      upstream: new FakeSynthesis(null, ({ fields }) =>
        "instructions" in fields ? { param: "instructions", message: "not here" } : null
      )
    }
  )

  // Verifies: G-913.
  synthesisScenario(
    "where nobody is configured to speak",
    function* (synthesis) {
      expect(yield* synthesis.refused()).toMatchObject({ status: 502, code: "service_unavailable", isPermanent: true })
      expect(yield* synthesis.credits).toMatchObject({ reserved: 0n })
    },
    { routes: {} }
  )

  // Verifies: G-907.
  synthesisScenario("when the plan's calls of the month are used up: each answer is one", function* (synthesis) {
    synthesis.upstream.fails("failed")
    yield* synthesis.refused()
    synthesis.upstream.says(bytes("audio"))
    for (let nth = 0; nth < 50; nth++) yield* synthesis.hear()
    expect(yield* synthesis.refused()).toMatchObject({
      ...{ status: 429, code: "quota_exceeded", detail: expect.stringContaining("speech calls") }
    })
  })
})

describe("an upstream that fails before its first byte", () => {
  const answers: ReadonlyArray<readonly [UpstreamWhy, number, string]> = [
    ["refused_input", 400, "invalid_request"],
    ["too_large", 413, "file_too_large"],
    ["throttled", 429, "rate_limit_exceeded"],
    ["operator", 502, "provider_error"],
    ["timeout", 502, "service_unavailable"],
    ["unreachable", 502, "service_unavailable"],
    ["failed", 502, "service_unavailable"],
    ["wrong_route", 502, "service_unavailable"],
    ["unreadable", 502, "service_unavailable"]
  ]

  for (const [why, status, code] of answers) {
    // Verifies: G-908.
    synthesisScenario(
      `by ${why} is an ordinary error answer that costs nothing: ${status} ${code}`,
      function* (synthesis) {
        synthesis.upstream.fails(why)
        const refused = yield* synthesis.refused({ body: { ...body, stream_format: "sse" } })
        expect(refused).toMatchObject({ status, code, showsRequestId: status === 429 || status >= 500 })
        expect(JSON.stringify(refused)).not.toContain(leak)
        yield* leaves(synthesis, 0n, [status])
      }
    )
  }

  const second = new FakeSynthesis("second")
  // Verifies: G-909.
  synthesisScenario(
    "goes on to the next one, and the answer says so",
    function* (synthesis) {
      synthesis.upstream.fails("failed")
      const answer = (yield* synthesis.begin()) as { readonly headers: object }
      expect(answer.headers).toEqual({ "served-by": "second", attempts: "2" })
      expect(yield* rest(answer as never)).toMatchObject({ bytes: spokenBytes, end: "whole" })
      expect(second.works).toMatchObject([{ model: "other", fields: { model: "other" } }])
      yield* leaves(synthesis, charged, [200, 502])
    },
    {
      upstreams: { second },
      routes: {
        "*": { upstream: "fake" },
        "bulbul:v3": { upstream: "fake", fallbacks: [{ upstream: "second", model: "other" }] }
      }
    }
  )
})

describe("an answer that breaks off", () => {
  const spare = new FakeSynthesis("spare")
  const withSpare = {
    upstreams: { spare },
    routes: { "bulbul:v3": { upstream: "fake", retries: 1, fallbacks: [{ upstream: "spare" }] } }
  }

  // Verifies: G-900, G-909.
  synthesisScenario(
    "is torn, costs nothing, and is tried nowhere else",
    function* (synthesis) {
      synthesis.upstream.fails("unreadable", bytes("half"))
      expect(yield* synthesis.hear()).toMatchObject({ text: "half", end: "broken" })
      expect([synthesis.upstream.works, spare.works].map(({ length }) => length)).toEqual([1, 0])
      yield* leaves(synthesis, 0n, [502])
    },
    withSpare
  )

  // Verifies: G-902.
  synthesisScenario("ends with an error event, where it comes as events", function* (synthesis) {
    synthesis.upstream.fails("refused_input", bytes("one"))
    const { end, text } = (yield* synthesis.hear({ body: { ...body, stream_format: "sse" } })) as Heard
    const [delta, error, ...others] = text
      .trimEnd()
      .split("\n\n")
      .map((one) => JSON.parse(one.slice("data: ".length)))
    expect([end, delta.type, others]).toEqual(["whole", "speech.audio.delta", []])
    expect(error).toEqual({
      error: {
        ...{ type: "api_error", code: "service_unavailable", param: null, request_id: "request" },
        message: expect.not.stringContaining(leak)
      }
    })
    yield* leaves(synthesis, 0n, [502])
  })

  // Verifies: G-900.
  synthesisScenario("by a fault of ours is torn, too", function* (synthesis) {
    synthesis.upstream.does(({ onBytes }) => Effect.andThen(onBytes(bytes("half")), Effect.die(new Error("a bug"))))
    expect(yield* synthesis.hear()).toMatchObject({ end: "broken" })
    yield* leaves(synthesis, 0n, [500])
  })

  // Verifies: G-906.
  synthesisScenario("leaves its Idempotency-Key free: a retry runs again and is billed once", function* (synthesis) {
    synthesis.upstream.fails("failed", bytes("half"))
    expect(yield* synthesis.hear({ key: "a key" })).toMatchObject({ end: "broken" })
    yield* turns
    synthesis.upstream.says(bytes("whole"))
    expect(yield* synthesis.hear({ key: "a key" })).toMatchObject({ text: "whole", end: "whole" })
    yield* leaves(synthesis, charged, [200, 502])
  })
})

describe("a client that goes", () => {
  // Verifies: G-903.
  synthesisScenario("before the first byte ends the work, and pays nothing", function* (synthesis) {
    inTwoPieces(synthesis.upstream)
    const beginning = (yield* Effect.forkChild(synthesis.begin())) as Fiber.Fiber<unknown>
    yield* turns
    expect(yield* synthesis.credits).toMatchObject({ reserved: charged })
    yield* Fiber.interrupt(beginning)
    expect(synthesis.upstream.interrupted).toBe(1)
    yield* leaves(synthesis, 0n, [499])
  })

  // Verifies: G-903.
  synthesisScenario("after the first byte ends the work, and pays in full", function* (synthesis) {
    const door = inTwoPieces(synthesis.upstream)
    yield* door.first
    const answer = (yield* synthesis.begin()) as { readonly abandon: Effect.Effect<void> }
    yield* answer.abandon
    expect(synthesis.upstream.interrupted).toBe(1)
    yield* leaves(synthesis, charged, [499])
    expect(yield* synthesis.rows).toMatchObject([{ units: 5, credits: charged }])
  })

  // Verifies: G-904.
  synthesisScenario("leaves the run to its end under an Idempotency-Key, for the retry", function* (synthesis) {
    const door = inTwoPieces(synthesis.upstream)
    yield* door.first
    const answer = (yield* synthesis.begin({ key: "a key" })) as { readonly abandon: Effect.Effect<void> }
    yield* answer.abandon
    expect(yield* synthesis.refused({ key: "a key" })).toMatchObject({ status: 409, code: "idempotency_in_progress" })
    yield* door.second
    yield* turns
    expect(synthesis.upstream.interrupted).toBe(0)
    expect(yield* synthesis.begin({ key: "a key" })).toMatchObject({
      _tag: "Whole",
      result: { isReplayed: true, response: { body: Buffer.from("onetwo").toString("base64"), encoding: "base64" } }
    })
    yield* leaves(synthesis, charged, [200])
  })

  // Verifies: G-904.
  synthesisScenario("before the first byte leaves it, too", function* (synthesis) {
    const door = inTwoPieces(synthesis.upstream)
    const beginning = (yield* Effect.forkChild(synthesis.begin({ key: "a key" }))) as Fiber.Fiber<unknown>
    yield* turns
    yield* Fiber.interrupt(beginning)
    yield* door.first
    yield* door.second
    yield* leaves(synthesis, charged, [200])
  })
})

describe("an Idempotency-Key", () => {
  const key = "a key"

  // Verifies: G-905.
  synthesisScenario("has its request run and billed once, and answered with the same bytes", function* (synthesis) {
    yield* synthesis.hear({ key })
    synthesis.upstream.says(bytes("something else"))
    expect(yield* synthesis.begin({ key, body: { input: fiveCharacters, voice: null, model: "bulbul:v3" } })).toEqual({
      _tag: "Whole",
      result: {
        isReplayed: true,
        response: {
          ...{ status: 200, contentType: "audio/mpeg", headers: {}, encoding: "base64" },
          body: Buffer.from(spokenBytes).toString("base64")
        }
      }
    })
    yield* leaves(synthesis, charged, [200])
  })

  // Verifies: G-905.
  synthesisScenario("keeps events as they were sent", function* (synthesis) {
    const asked = { key, body: { ...body, stream_format: "sse" as const } }
    const first = (yield* synthesis.hear(asked)) as Heard
    expect(yield* synthesis.begin(asked)).toMatchObject({
      result: { response: { contentType: "text/event-stream", body: first.text } }
    })
    for (const other of [{}, { body: { ...asked.body, speed: 2 } }, { body: { ...asked.body, seed: 1 } }]) {
      expect(yield* synthesis.refused({ key, ...other })).toMatchObject({ status: 409, code: "idempotency_key_reused" })
    }
    yield* leaves(synthesis, charged, [200])
  })
})

describe("a stream that never ends", () => {
  // Verifies: G-910.
  synthesisScenario("is given up after an hour", function* (synthesis) {
    synthesis.upstream.does(({ onBytes }) => Effect.andThen(onBytes(bytes("a")), Effect.never))
    const answer = (yield* synthesis.begin()) as never
    const hearing = (yield* Effect.forkChild(rest(answer))) as Fiber.Fiber<Heard>
    yield* TestClock.adjust("60 minutes")
    expect(synthesis.upstream.interrupted).toBe(0)
    yield* TestClock.adjust("16 seconds")
    expect(yield* Fiber.join(hearing)).toMatchObject({ end: "broken" })
    yield* leaves(synthesis, 0n, [502])
  })
})
