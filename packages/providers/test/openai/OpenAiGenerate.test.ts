/** Verifies: OPAI-1, OPAI-4, OPAI-9, OPAI-10. */
import { assert, describe, it } from "@effect/vitest"
import type { Json, LlmApi, UpstreamWhy } from "@trunkline/core/provider"
import { type FakeLlmServer, type LlmAnswer, llmBodies, llmEvents, sentEvents } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { InvalidProviderOptions, type OpenAiOptions, openai } from "../../src/openai/index.ts"
import {
  bodies,
  byCallbacks,
  failureOf,
  failureOfStream,
  generateWork,
  key,
  standstill,
  startedFake,
  streamed,
  until
} from "../upstream/GenerateWorks.ts"

const apis = ["chat_completions", "responses", "messages"] as const

const runOf = ({ origin }: FakeLlmServer, options: Partial<OpenAiOptions> = {}) => {
  const { generate } = openai({ baseUrl: `${origin}/v1`, apiKey: key, timeoutMs: 5_000, ...options }).make(
    "a"
  ).capabilities
  assert.isDefined(generate)
  return generate
}

const paths: Readonly<Record<LlmApi, string>> = {
  chat_completions: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages"
}

const eventsOf = (api: LlmApi, text: string) =>
  llmEvents[api](text).filter((event): event is Json => event !== "[DONE]")

// Verifies: H-180.
describe("a request of a language model's API", () => {
  it.live.each(apis)("goes to the route of %s with its body as it is, and so comes its answer", (api) =>
    Effect.gen(function* () {
      const fake = yield* startedFake({ apiKey: key })
      const answer = yield* runOf(fake)(generateWork(api))
      assert.deepStrictEqual(answer, { json: llmBodies[api]("hello there"), hasEndMark: false })
      const [call] = fake.calls
      assert.deepStrictEqual([call?.method, call?.path, call?.json], ["POST", paths[api], bodies[api]])
      assert.strictEqual(call?.headers.accept, "application/json")
      assert.strictEqual(call?.headers.authorization, `Bearer ${key}`)
      assert.lengthOf(fake.calls, 1)
    })
  )

  it.live.each(apis)("is the same one by callbacks, and so are its answer and its events: %s", (api) =>
    Effect.gen(function* () {
      const fake = yield* startedFake({ apiKey: key })
      const { openGenerate } = openai({ baseUrl: `${fake.origin}/v1`, apiKey: key, streamUsage: false }).make("a")
      for (const run of [runOf(fake, { streamUsage: false }), byCallbacks(openGenerate!)]) {
        assert.deepStrictEqual((yield* run(generateWork(api))).json, llmBodies[api]("hello there"))
        const body = { ...bodies[api], stream: true, stream_options: { include_usage: true } }
        const { events } = yield* streamed(run, api, { body }).ran
        assert.deepStrictEqual(
          events.map(({ data }) => data),
          eventsOf(api, "hello there")
        )
      }
      assert.deepStrictEqual(fake.calls.slice(2), fake.calls.slice(0, 2))
    })
  )

  it.live("that only counts tokens goes to the route for that", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const answer = yield* runOf(fake)(generateWork("messages", { task: "count" }))
      assert.deepStrictEqual(answer.json, { input_tokens: 12 })
      assert.strictEqual(fake.calls[0]?.path, "/v1/messages/count_tokens")
    })
  )

  it.live("has the headers of the messages API there alone, and none else of the caller's", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const run = runOf(fake)
      const headers = { "anthropic-version": "2024-01-01", "anthropic-beta": "a,b", "x-other": "leaky" }
      yield* run(generateWork("messages", { headers }))
      yield* run(generateWork("messages"))
      yield* run(generateWork("chat_completions", { headers }))
      const sent = fake.calls.map((call) => [call.headers["anthropic-version"], call.headers["anthropic-beta"]])
      assert.deepStrictEqual(sent, [
        ["2024-01-01", "a,b"],
        ["2023-06-01", undefined],
        [undefined, undefined]
      ])
      for (const call of fake.calls) assert.notProperty(call.headers, "x-other")
    })
  )

  // Verifies: H-181.
  it.live("loses stream_options where the server refuses them, and nothing else", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const body = { ...bodies.chat_completions, stream: true, stream_options: { include_usage: true } }
      yield* streamed(runOf(fake), "chat_completions", { body }).ran
      yield* streamed(runOf(fake, { streamUsage: false }), "chat_completions", { body }).ran
      const { stream_options: _, ...without } = body
      assert.deepStrictEqual(
        fake.calls.map(({ json }) => json),
        [body, without]
      )
    })
  )
})

describe("a stream of a language model's API", () => {
  for (const cut of [undefined, 1, 7] as const) {
    it.live.each(apis)(`of %s passes each event on as it is, in pieces of ${cut ?? "whole events"}`, (api) =>
      Effect.gen(function* () {
        const fake = yield* startedFake()
        const text = "Grüße, 你好 👋"
        fake.says({ stream: llmEvents[api](text), ...(cut === undefined ? {} : { cut }) })
        const { answer, events } = yield* streamed(runOf(fake), api).ran
        const expected = eventsOf(api, text)
        assert.deepStrictEqual(
          events.map(({ data }) => data),
          expected
        )
        assert.deepStrictEqual(
          events.map(({ event }) => event),
          expected.map(({ type }) => (typeof type === "string" ? type : null))
        )
        assert.deepStrictEqual(answer, { json: null, hasEndMark: true })
        assert.strictEqual(fake.calls[0]?.headers.accept, "text/event-stream")
      })
    )
  }

  it.live.each(apis)("of %s without the end mark says so", (api) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: llmEvents[api]("Hi").slice(0, -1) })
      const { answer, events } = yield* streamed(runOf(fake), api).ran
      assert.deepStrictEqual(answer, { json: null, hasEndMark: false })
      assert.lengthOf(events, llmEvents[api]("Hi").length - 1)
    })
  )

  // Verifies: H-184.
  it.live.each(apis)("of %s ends with its end mark, whatever comes after it", (api) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const after = sentEvents([{ error: { message: "leaky" } }])
      fake.says({ stream: [...llmEvents[api]("Hi"), after, 10, after], end: "stays" })
      const { answer, events } = yield* streamed(runOf(fake), api).ran
      assert.isTrue(answer.hasEndMark)
      assert.lengthOf(events, eventsOf(api, "Hi").length)
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("of responses ends with an incomplete response, too", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: [{ type: "response.incomplete", response: { status: "incomplete" } }], end: "stays" })
      assert.isTrue((yield* streamed(runOf(fake), "responses").ran).answer.hasEndMark)
    })
  )

  it.live("has neither comments nor empty events, and may have CRLF", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: [': ping\r\n\r\ndata:\r\n\r\ndata: {"a":1}\r\n\r\n: x\r\ndata: [DONE]\r\n\r\n'] })
      const { answer, events } = yield* streamed(runOf(fake), "chat_completions").ran
      assert.deepStrictEqual(events, [{ event: null, data: { a: 1 } }])
      assert.isTrue(answer.hasEndMark)
    })
  )

  // Verifies: H-190.
  it.live("waits for the reader of its events, and keeps the upstream waiting", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const event = { filling: "x".repeat(1024 * 1024) }
      fake.says({ stream: Array<typeof event>(100).fill(event) })
      const taken = Promise.withResolvers<boolean>()
      let begun = 0
      const onEvents = (events: ReadonlyArray<unknown>) => {
        begun += events.length
        return Effect.promise(() => taken.promise)
      }
      const fiber = yield* Effect.forkChild(streamed(runOf(fake), "chat_completions", { onEvents }).ran)
      assert.isBelow(yield* standstill(fake), 20_000_000)
      assert.strictEqual(begun, 1)
      taken.resolve(true)
      yield* Fiber.join(fiber)
      assert.strictEqual(begun, 100)
    })
  )

  it.live("is read no further once nobody wants its events", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const [first, ...others] = eventsOf("messages", "one two three")
      fake.says({ stream: [first!, 100, ...others, 60_000] })
      let count = 0
      const onEvents = () => Effect.sync(() => ++count < 2)
      const { answer } = yield* streamed(runOf(fake), "messages", { onEvents }).ran
      assert.deepStrictEqual(answer, { json: null, hasEndMark: false })
      assert.strictEqual(count, 2)
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  // Verifies: H-190.
  it.live("closes the upstream's connection when its caller goes, before the first event and after it", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      for (const [nth, stream] of [[60_000], [...eventsOf("messages", "Hi"), 60_000]].entries()) {
        fake.says({ stream })
        const streaming = streamed(runOf(fake), "messages")
        const fiber = yield* Effect.forkChild(streaming.ran)
        yield* until(fake, () => fake.calls.length === nth + 1)
        while (nth === 1 && streaming.events.length === 0) yield* Effect.sleep(5)
        yield* Fiber.interrupt(fiber)
        yield* until(fake, () => fake.aborted() === nth + 1)
      }
    })
  )

  it.live("leaves a connection that is used again", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const run = runOf(fake)
      for (let nth = 0; nth < 6; nth += 1) {
        yield* streamed(run, apis[nth % 3] ?? "messages").ran
        yield* Effect.sleep(5)
      }
      assert.strictEqual(fake.connections(), 1)
    })
  )
})

type Case = readonly [what: string, answer: LlmAnswer, why: UpstreamWhy, detail: string]

const error = (code: string) => ({ error: { message: "leaky words of org-1234", type: code, param: null, code } })
const html: LlmAnswer = { json: "<html>leaky</html>", headers: { "content-type": "text/html" } }
const other = "answered 200 with something else"

// Verifies: H-185, H-187.
describe("an answer that is not what was asked for", () => {
  it.live.each([
    ["another content type", html, "unreadable", other],
    ["a whole answer", { json: llmBodies.chat_completions("Hi") }, "unreadable", other],
    ["no event", { stream: [] }, "unreadable", "a stream without an event"],
    ["the end mark alone", { stream: ["[DONE]"] }, "unreadable", "a stream without an event"],
    ["an event that is no JSON", { stream: ["data: {leaky\n\n"] }, "unreadable", "an event that is no JSON object"],
    ["an event that is a list", { stream: ["data: [1]\n\n"] }, "unreadable", "an event that is no JSON object"],
    ["half an event", { stream: ["data: {}\n"], end: "breaks" }, "failed", "the stream broke off"],
    ["a refusal", { status: 401, json: error("invalid_api_key") }, "operator", "answered 401 invalid_api_key"],
    [
      "a throttled one",
      { stream: [error("rate_limit_exceeded")] },
      "throttled",
      "reported an error: rate_limit_exceeded"
    ],
    ["a spent quota", { stream: [error("insufficient_quota")] }, "operator", "reported an error: insufficient_quota"],
    [
      "a context that is too short",
      { stream: [error("context_length_exceeded")] },
      "context_too_long",
      "reported an error: context_length_exceeded"
    ],
    ["bytes that are no HTTP", { does: "raw", bytes: "SSH-2.0-leaky\r\n\r\n" }, "unreadable", "the answer is not HTTP"],
    ["a reset", { does: "reset" }, "unreachable", "the connection ended before there was an answer"]
  ] as ReadonlyArray<Case>)("of a stream fails: %s", ([_, answer, why, detail]) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says(answer)
      const streaming = streamed(runOf(fake), "chat_completions")
      assert.deepStrictEqual(yield* failureOfStream(streaming), { why, detail })
      assert.lengthOf(streaming.events, 0)
      assert.strictEqual(fake.begun(), 1)
    })
  )

  it.live.each([
    ["another content type", html, "unreadable", other],
    ["events", { stream: llmEvents.chat_completions("Hi") }, "unreadable", other],
    ["no choice", { json: { ...llmBodies.chat_completions("Hi"), choices: [] } }, "unreadable", other],
    ["an answer of another API", { json: llmBodies.messages("Hi") }, "unreadable", other],
    ["a list", { json: [1] }, "unreadable", other],
    ["half an answer", { does: "truncate" }, "unreadable", "the answer broke off"],
    ["more than fits", { does: "trickle", megabytes: 17 }, "unreadable", "an answer of more than 16 MiB"],
    [
      "an error under 200",
      { json: error("rate_limit_exceeded") },
      "throttled",
      "reported an error: rate_limit_exceeded"
    ],
    [
      "a redirect",
      { status: 307, json: "", headers: { location: "https://leaky.example" } },
      "wrong_route",
      "answered 307"
    ],
    ["an overload", { status: 529, json: error("overloaded_error") }, "failed", "answered 529 overloaded_error"],
    ["a refusal that breaks off", { does: "truncate", status: 503 }, "failed", "answered 503"],
    ["a refusal without end", { does: "trickle", status: 400, megabytes: 1 }, "refused_input", "answered 400"]
  ] as ReadonlyArray<Case>)("of a whole answer fails: %s", ([_, answer, why, detail]) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says(answer)
      assert.deepStrictEqual(yield* failureOf(runOf(fake)(generateWork("chat_completions"))), { why, detail })
      assert.strictEqual(fake.begun(), 1)
    })
  )

  // Verifies: H-189.
  it.live("says which field is refused, and when to come back", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const named = { error: { message: "leaky", type: "invalid_request_error", code: null, param: "tools[0].name" } }
      fake.says([
        { status: 400, json: named },
        { status: 429, json: error("rate_limit_error"), headers: { "retry-after": "7" } }
      ])
      const refused = yield* Effect.flip(runOf(fake)(generateWork("responses")))
      assert.deepStrictEqual([refused.why, refused.param], ["refused_input", "tools[0].name"])
      const throttled = yield* Effect.flip(runOf(fake)(generateWork("responses")))
      assert.deepStrictEqual([throttled.why, throttled.retryAfterSeconds], ["throttled", 7])
    })
  )
})

// Verifies: H-185.
describe("an error in the middle of a stream", () => {
  it.live.each([
    ["chat_completions", error("rate_limit_exceeded"), "rate_limit_exceeded"],
    ["messages", { type: "error", error: { type: "overloaded_error", message: "leaky" } }, "overloaded_error"],
    [
      "responses",
      { type: "response.failed", response: { status: "failed", ...error("server_error") } },
      "server_error"
    ],
    ["responses", { type: "error", code: "server_error", message: "leaky", param: null }, "server_error"]
  ] as ReadonlyArray<[LlmApi, Json, string]>)("of %s fails it, and is no event", ([api, reported, code]) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const [first = {}] = eventsOf(api, "Hi")
      fake.says({ stream: [first, reported, ...eventsOf(api, "Hi")], end: "stays" })
      const streaming = streamed(runOf(fake), api)
      assert.deepStrictEqual(yield* failureOfStream(streaming), { why: "failed", detail: `reported an error: ${code}` })
      assert.deepStrictEqual(
        streaming.events.map(({ data }) => data),
        [first]
      )
      yield* until(fake, () => fake.aborted() === 1)
    })
  )

  it.live("or a connection that breaks off fails it after the events that came", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ stream: [...eventsOf("messages", "one two"), 20], end: "breaks" })
      const streaming = streamed(runOf(fake), "responses")
      assert.deepStrictEqual(yield* failureOfStream(streaming), { why: "failed", detail: "the stream broke off" })
      assert.lengthOf(streaming.events, eventsOf("messages", "one two").length)
    })
  )
})

// Verifies: H-180.
describe("the APIs of an upstream", () => {
  const make = (options: Partial<OpenAiOptions> = {}) =>
    openai({ baseUrl: "http://localhost:1/v1", ...options }).make("a")

  it("are that of chats, unless they are named", () => {
    assert.deepStrictEqual(make().apis, ["chat_completions"])
    assert.deepStrictEqual(make({ apis: ["responses", "messages"] }).apis, ["responses", "messages"])
  })

  it("decide whether it can run our agents, which chat", () => {
    assert.sameMembers(Object.keys(make({ serves: ["llm"] }).capabilities), ["chat", "generate"])
    assert.sameMembers(Object.keys(make({ serves: ["llm"], apis: ["responses"] }).capabilities), ["generate"])
  })

  it("are none where it does not serve language models", () => {
    const upstream = make({ serves: ["stt"] })
    assert.sameMembers(Object.keys(upstream.capabilities), ["transcribe"])
    assert.isUndefined(upstream.apis)
  })

  it("that cannot be are refused with everything else that is wrong", () => {
    const wrong = { baseUrl: "x", apis: ["chat"], streamUsage: "yes" } as unknown as OpenAiOptions
    assert.throws(() => openai(wrong), InvalidProviderOptions, /^openai: baseUrl: .*; apis: .*; streamUsage: /)
    assert.throws(() => make({ apis: [] }), InvalidProviderOptions, /apis: /)
  })

  it("have half a minute or more for an answer that has begun", () => {
    assert.strictEqual(make({ timeoutMs: 1_000, serves: ["llm"] }).maxMs, 31_000)
  })
})
