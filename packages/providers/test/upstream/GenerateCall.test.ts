/** The callback form of a request to a language model. Verifies: OPAI-10, ANTH-3, CLNT-3, CLNT-6, CLNT-8. */
import { assert, describe, it } from "@effect/vitest"
import type { GenerateExchange, Json, LlmEvent, OpenGenerate } from "@trunkline/core/provider"
import { type FakeLlmServer, llmBodies } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { makeBoundedHttp } from "../../src/http/index.ts"
import { bodyOf, pathOf } from "../../src/upstream/GenerateForms.ts"
import { type GenerateLimits, makeGenerating } from "../../src/upstream/Generating.ts"
import { generateWork, noon, standstill, startedFake, until } from "./GenerateWorks.ts"

const limits: GenerateLimits = { wholeMs: 5_000, streamMs: 60_000, endMs: 50, maxBytes: 1_000_000 }

const openOf = (origin: string, timeoutMs = 5_000, change: Partial<GenerateLimits> = {}): OpenGenerate =>
  makeGenerating(
    { baseUrl: `${origin}/v1`, apiKey: null, timeoutMs },
    { path: pathOf, headers: () => ({}), body: bodyOf(true) },
    makeBoundedHttp(),
    { ...limits, ...change }
  ).openGenerate

/** Opens a call and logs what is called: the texts of events together, and how it ended. */
const opened = (
  open: OpenGenerate,
  isStreamed: boolean,
  onEvents: (exchange: GenerateExchange) => boolean = () => true
) => {
  const log: Array<string> = []
  let count = 0
  const { onEvents: _, ...work } = generateWork("chat_completions")
  const exchange = open(
    { ...work, isStreamed },
    {
      events: (events: ReadonlyArray<LlmEvent>) => {
        count += events.length
        log.push(events.map(({ data }) => String(data.text)).join())
        return onEvents(exchange)
      },
      ended: ({ hasEndMark, json }) => log.push(json === null ? `ended ${hasEndMark}` : "answered"),
      failed: ({ detail, hasBegun }) => log.push(`failed ${hasBegun}: ${detail}`)
    },
    noon
  )
  return { log, exchange, count: () => count }
}

const event = (text: string): Json => ({ text })

function* endless() {
  for (;;) {
    yield event("one")
    yield 5
  }
}

/** Long enough for whatever would still be called. */
const awhile = Effect.sleep(100)
const holds = (claim: () => boolean) =>
  Effect.promise(async () => {
    while (!claim()) await new Promise((resolve) => setTimeout(resolve, 5))
  })
const logged = (log: ReadonlyArray<string>, entries: number) => holds(() => log.length >= entries)

const streaming = (fake: FakeLlmServer, ...stream: ReadonlyArray<Json | string | number | Promise<void>>) =>
  fake.says({ stream: stream as Iterable<string> })

describe("a call that is passed on by callbacks", () => {
  it.live("gets a whole answer once, after it was opened", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ json: llmBodies.chat_completions("Hi") })
      const { log } = opened(openOf(fake.origin), false)
      assert.deepStrictEqual(log, [])
      yield* logged(log, 1)
      yield* awhile
      assert.deepStrictEqual(log, ["answered"])
    })
  )

  it.live("hears of a fault that is known at once in a later turn", () =>
    Effect.gen(function* () {
      const http = makeBoundedHttp()
      yield* Effect.promise(http.close)
      const form = { path: pathOf, headers: () => ({}), body: bodyOf(true) }
      const settings = { baseUrl: "http://127.0.0.1:9/v1", apiKey: null, timeoutMs: 5_000 }
      const { log } = opened(makeGenerating(settings, form, http).openGenerate, false)
      assert.deepStrictEqual(log, [])
      yield* Effect.sleep(0)
      assert.deepStrictEqual(log, ["failed false: no connection (UND_ERR_DESTROYED)"])
    })
  )

  it.live("hears nothing while it is paused, neither events nor the end, and then all of it in its order", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const [second, third] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      streaming(fake, event("one"), second.promise, event("two"), 20, event("three"), "data: [DONE]\n\n", third.promise)
      let isFirst = true
      const { exchange, log } = opened(openOf(fake.origin), true, (call) => {
        if (isFirst) call.pause()
        isFirst = false
        return true
      })
      yield* logged(log, 1)
      second.resolve()
      third.resolve()
      yield* awhile
      assert.deepStrictEqual(log, ["one"])
      exchange.resume()
      assert.deepStrictEqual(log, ["one"])
      yield* logged(log, 4)
      assert.deepStrictEqual(log, ["one", "two", "three", "ended true"])
    })
  )

  it.live("may be paused again with each event, and hears of a failure after what came before", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: [event("one"), 20, event("two"), "data: no JSON\n\n"] })
      const { exchange, log } = opened(openOf(fake.origin), true, (call) => {
        call.pause()
        return true
      })
      yield* logged(log, 1)
      yield* awhile
      exchange.resume()
      yield* logged(log, 2)
      yield* awhile
      assert.deepStrictEqual(log, ["one", "two"])
      exchange.resume()
      yield* logged(log, 3)
      assert.deepStrictEqual(log.at(-1), "failed true: an event that is no JSON object")
    })
  )

  it.live("may be paused before its head has come", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ json: llmBodies.chat_completions("Hi") })
      const { exchange, log } = opened(openOf(fake.origin, 60), false)
      exchange.pause()
      yield* awhile
      assert.deepStrictEqual(log, [])
      exchange.resume()
      yield* logged(log, 1)
      assert.deepStrictEqual(log, ["answered"])
    })
  )

  it.live("is read no further while it is paused, and goes on from there", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const long = { text: "x".repeat(100_000) }
      fake.says({ stream: [...Array<Json>(500).fill(long), "[DONE]"] })
      const { count, exchange, log } = opened(openOf(fake.origin), true, (call) => {
        if (count() === 1) call.pause()
        return true
      })
      yield* logged(log, 1)
      assert.isBelow(yield* standstill(fake), 20_000_000)
      assert.strictEqual(count(), 1)
      exchange.resume()
      yield* holds(() => log.at(-1) === "ended true")
      assert.strictEqual(count(), 500)
    })
  )

  it.live("gives an upstream its whole time after a pause", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const gate = Promise.withResolvers<void>()
      streaming(fake, event("one"), gate.promise, 150, event("two"), "data: [DONE]\n\n")
      const { exchange, log } = opened(openOf(fake.origin, 300), true, ({ pause }) => {
        pause()
        return true
      })
      yield* logged(log, 1)
      yield* Effect.sleep(400)
      exchange.resume()
      gate.resolve()
      yield* logged(log, 2)
      assert.deepStrictEqual(log, ["one", "two"])
      exchange.cancel()
    })
  )

  it.live("gives a stream that goes on for ever no more time, though its receiver pauses with each event", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: endless() })
      const { log } = opened(openOf(fake.origin, 5_000, { streamMs: 200 }), true, ({ pause, resume }) => {
        pause()
        setTimeout(resume, 20)
        return true
      })
      yield* holds(() => log.at(-1) === "failed true: the stream did not end within 200 ms")
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("ends with the events that its receiver took last, and closes the connection", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: [event("one"), 20, event("two")], end: "stays" })
      const { log } = opened(openOf(fake.origin), true, () => false)
      yield* until(fake, () => fake.aborted() === 1)
      assert.deepStrictEqual(log, ["one", "ended false"])
    })
  )

  it.live.each([
    ["at once", false],
    ["after a pause in which the stream ended", true]
  ])("fails once where its receiver throws, %s", ([_, isPaused]) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: [event("one"), 20, event("two"), "[DONE]"] })
      const { exchange, log } = opened(openOf(fake.origin), true, ({ pause }) => {
        if (log.length === 1 && isPaused) pause()
        else throw new Error("a fault of the receiver's")
        return true
      })
      yield* logged(log, 1)
      yield* awhile
      exchange.resume()
      yield* awhile
      assert.deepStrictEqual(log, [...(isPaused ? ["one", "two"] : ["one"]), "failed true: the stream broke off"])
    })
  )

  it.live("knows of the end mark that came with the events after which its receiver takes no more", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      streaming(fake, 'data: {"text":"one"}\n\ndata: [DONE]\n\n')
      const { log } = opened(openOf(fake.origin), true, () => false)
      yield* logged(log, 2)
      yield* awhile
      assert.deepStrictEqual(log, ["one", "ended true"])
    })
  )
})

describe("a call that is cancelled", () => {
  it.live("before its connection stands is never sent, and nothing is called", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const { exchange, log } = opened(openOf(fake.origin), false)
      exchange.cancel()
      yield* awhile
      assert.deepStrictEqual(log, [])
      assert.strictEqual(fake.begun(), 0)
    })
  )

  it.live("while it waits for its head ends the connection", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ does: "hang" })
      const { exchange, log } = opened(openOf(fake.origin), false)
      yield* until(fake, () => fake.calls.length === 1)
      exchange.cancel()
      yield* until(fake, () => fake.aborted() === 1)
      assert.deepStrictEqual(log, [])
    })
  )

  it.live.each([
    ["in the middle of an event's callback", true],
    ["between two events", false]
  ])("%s ends the connection, and nothing more is called", ([_, isWithin]) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: ['data: {"text":"one"}\n\ndata: no JSON\n\n'.slice(0, isWithin ? 99 : 22)], end: "stays" })
      const { exchange, log } = opened(openOf(fake.origin), true, ({ cancel }) => {
        if (isWithin) cancel()
        return true
      })
      yield* logged(log, 1)
      if (!isWithin) exchange.cancel()
      yield* until(fake, () => fake.aborted() === 1)
      yield* awhile
      assert.deepStrictEqual(log, ["one"])
    })
  )

  it.live("while it is paused hears nothing of what waited", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: [event("one"), 20, event("two"), "[DONE]"] })
      const { exchange, log } = opened(openOf(fake.origin), true, ({ pause }) => {
        pause()
        return true
      })
      yield* logged(log, 1)
      yield* awhile
      exchange.resume()
      exchange.cancel()
      yield* awhile
      assert.deepStrictEqual(log, ["one"])
    })
  )

  it.live("after its end or its failure leaves the connection as it is", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const open = openOf(fake.origin)
      for (const answer of [{ json: llmBodies.chat_completions("Hi") }, { json: {}, status: 500 }]) {
        fake.says(answer)
        const { exchange, log } = opened(open, false)
        yield* logged(log, 1)
        exchange.cancel()
        yield* awhile
        assert.lengthOf(log, 1)
      }
      assert.strictEqual(fake.connections(), 1)
      assert.strictEqual(fake.aborted(), 0)
    })
  )
})
