/** Limits of time and size of a language model's answers. Verifies: OPAI-10, ANTH-3. */

import { assert, describe, it } from "@effect/vitest"
import type { Json, Run } from "@trunkline/core/provider"
import { atMost } from "@trunkline/testing/slow-machine"
import { type FakeLlmServer, type LlmAnswer, llmBodies } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { makeBoundedHttp } from "../../src/http/index.ts"
import { bodyOf, pathOf } from "../../src/upstream/GenerateForms.ts"
import { type GenerateLimits, makeGenerating } from "../../src/upstream/Generating.ts"
import {
  byCallbacks,
  failureOf,
  failureOfStream,
  generateWork,
  key,
  startedFake,
  streamed,
  until
} from "./GenerateWorks.ts"

const limits: GenerateLimits = { wholeMs: 5_000, streamMs: 5_000, endMs: 50, maxBytes: 2048 }

const generating = ({ origin }: FakeLlmServer, timeoutMs: number, change: Partial<GenerateLimits> = {}) =>
  makeGenerating(
    { baseUrl: `${origin}/v1`, apiKey: Redacted.make(key), timeoutMs },
    { path: pathOf, headers: () => ({}), body: bodyOf(true) },
    makeBoundedHttp(),
    { ...limits, ...change }
  )

const forms: ReadonlyArray<
  readonly [form: string, runOf: (...made: Parameters<typeof generating>) => Run<"generate">]
> = [
  ["a fiber", (...made) => generating(...made).generate],
  ["callbacks", (...made) => byCallbacks(generating(...made).openGenerate)]
]

const event: Json = { choices: [] }

/** Endless, but for a client that goes. */
function* everySoOften<A>(what: A, ...first: ReadonlyArray<A>): Generator<A | number> {
  yield* first
  for (;;) {
    yield what
    yield 10
  }
}

const later = (ms: number, body: Json): LlmAnswer => ({
  stream: [...JSON.stringify(body)].flatMap((char, nth) => (nth === 5 ? [ms, char] : [char])),
  headers: { "content-type": "application/json" }
})

type Case = readonly [what: string, answer: LlmAnswer, detail: string]

// Verifies: H-186, H-187.
describe.each(forms)("a stream for %s", (_, runOf) => {
  it.live.each([
    ["no head", { does: "hang" }, "no answer within 600 ms"],
    ["a head without an event", { stream: [], end: "stays" }, "no event within 600 ms"],
    ["comments without an event", { stream: everySoOften(": ping\n\n") }, "no event within 600 ms"],
    ["an event that never ends", { stream: everySoOften("data: x\n") }, "no event within 600 ms"],
    ["a stream that stalls", { stream: [event], end: "stays" }, "no further event within 600 ms"],
    [
      "comments in the place of further events",
      { stream: everySoOften<Json | string>(": ping\n\n", event) as Iterable<string> },
      "no further event within 600 ms"
    ]
  ] as ReadonlyArray<Case>)("that does not go on in time is closed: %s", ([_, answer, detail]) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says(answer)
      const streaming = streamed(runOf(fake, 600), "chat_completions")
      assert.deepStrictEqual(yield* failureOfStream(streaming), { why: "timeout", detail })
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("that goes on for ever is closed after its time, however often an event comes", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: everySoOften(event) })
      const streaming = streamed(runOf(fake, 2_000, { streamMs: 200 }), "chat_completions")
      const failed = yield* failureOfStream(streaming)
      assert.deepStrictEqual(failed, { why: "timeout", detail: "the stream did not end within 200 ms" })
      assert.isAbove(streaming.events.length, 1)
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("whose events come in time may last longer than one of them, and its reader may be slow", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: [event, 150, event, 150, event, 150, event, "[DONE]"] })
      let count = 0
      const onEvents = (events: ReadonlyArray<unknown>) => {
        count += events.length
        return Effect.as(Effect.sleep(count === 2 ? 900 : 0), true)
      }
      const { answer } = yield* streamed(runOf(fake, 600), "chat_completions", { onEvents }).ran
      assert.isTrue(answer.hasEndMark)
      assert.strictEqual(count, 4)
    })
  )

  it.live("that sends on and on after its end mark is closed at once", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: everySoOften<Json | "[DONE]">(event, event, "[DONE]") as Iterable<Json> })
      const { answer, events } = yield* streamed(runOf(fake, 5_000), "chat_completions").ran
      assert.isTrue(answer.hasEndMark)
      assert.lengthOf(events, 1)
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("with an event that is too long fails after the events before it", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const long = { text: "x".repeat(1024) }
      fake.says({ stream: [event, { ...long, more: long }], cut: 100, end: "stays" })
      const run = runOf(fake, 5_000, { maxBytes: 2048 })
      const streaming = streamed(run, "chat_completions")
      assert.strictEqual((yield* failureOfStream(streaming)).why, "unreadable")
      assert.lengthOf(streaming.events, 1)
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("of 100 MB comes whole, wherever it is cut", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const long = { text: "é".repeat(250_000) }
      fake.says({ stream: [...Array<Json>(200).fill(long), "[DONE]"], cut: 60_001 })
      let bytes = 0
      const onEvents = (events: ReadonlyArray<{ readonly data: Json }>) =>
        Effect.sync(() => {
          for (const { data } of events) bytes += Buffer.byteLength(String(data.text))
          return true
        })
      const run = runOf(fake, 20_000, { maxBytes: 1_000_000, streamMs: 60_000 })
      assert.isTrue((yield* streamed(run, "chat_completions", { onEvents }).ran).answer.hasEndMark)
      assert.strictEqual(bytes, 100_000_000)
    })
  )
})

// Verifies: H-186, H-187.
describe.each(forms)("a whole answer for %s", (_, runOf) => {
  const work = generateWork("chat_completions")

  it.live("has its own time after the head, which is never short", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const body = llmBodies.chat_completions("Hi")
      fake.says(later(800, body))
      assert.deepStrictEqual((yield* runOf(fake, 500)(work)).json, body)
    })
  )

  it.live.each([
    [400, 500, 500],
    [500, 20, 500]
  ] as const)("that never ends is closed after the longer of the two limits: %j", ([timeoutMs, wholeMs, expected]) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ does: "trickle", everyMs: 5 })
      const failed = yield* failureOf(runOf(fake, timeoutMs, { wholeMs })(work))
      assert.deepStrictEqual(failed, { why: "timeout", detail: `the answer did not end within ${expected} ms` })
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("that refuses is waited for no longer than for its head: the status is enough", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ does: "trickle", everyMs: 5, status: 500 })
      const from = performance.now()
      assert.strictEqual((yield* failureOf(runOf(fake, 400, { wholeMs: 20_000 })(work))).why, "failed")
      assert.isBelow(performance.now() - from, atMost(5_000))
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("that is too large is not read to its end", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({
        stream: Array<string>(100).fill(" ".repeat(1_000_000)),
        headers: { "content-type": "application/json" }
      })
      assert.strictEqual((yield* failureOf(runOf(fake, 5_000)(work))).why, "unreadable")
      yield* until(fake, () => fake.aborted() === 1)
    })
  )
})
