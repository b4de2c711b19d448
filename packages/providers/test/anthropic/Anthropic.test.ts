/** Verifies: ANTH-1, ANTH-2, ANTH-3. */
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { type FakeLlmServer, llmBodies, llmEvents } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { type AnthropicOptions, anthropic, InvalidProviderOptions } from "../../src/anthropic/index.ts"
import { bodies, byCallbacks, failureOf, generateWork, key, startedFake, streamed } from "../upstream/GenerateWorks.ts"

const runOf = ({ origin }: FakeLlmServer) => {
  const { generate } = anthropic({ baseUrl: origin, apiKey: key, timeoutMs: 5_000 }).make("a").capabilities
  assert.isDefined(generate)
  return generate
}

// Verifies: H-43, H-182.
describe("a request to Anthropic", () => {
  it.live("goes below /v1 with the key as x-api-key, and is one request", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake({ apiKey: key })
      const answer = yield* runOf(fake)(generateWork("messages"))
      assert.deepStrictEqual(answer.json, llmBodies.messages("hello there"))
      const [call] = fake.calls
      assert.deepStrictEqual([call?.path, call?.json], ["/v1/messages", bodies.messages])
      assert.strictEqual(call?.headers["x-api-key"], key)
      assert.notProperty(call?.headers, "authorization")
      assert.lengthOf(fake.calls, 1)
    })
  )

  it.live("that counts tokens goes to the route for that", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const answer = yield* runOf(fake)(generateWork("messages", { task: "count" }))
      assert.deepStrictEqual(answer.json, { input_tokens: 12 })
      assert.strictEqual(fake.calls[0]?.path, "/v1/messages/count_tokens")
    })
  )

  it.live("has the caller's version and betas, or else the version that every client has", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const headers = { "anthropic-version": "2024-01-01", "anthropic-beta": "a,b", "user-agent": "leaky" }
      yield* runOf(fake)(generateWork("messages", { headers }))
      yield* runOf(fake)(generateWork("messages"))
      const sent = fake.calls.map((call) => [
        call.headers["anthropic-version"],
        call.headers["anthropic-beta"],
        call.headers["user-agent"]
      ])
      assert.deepStrictEqual(sent, [
        ["2024-01-01", "a,b", "trunkline"],
        ["2023-06-01", undefined, "trunkline"]
      ])
    })
  )

  it.live("is the same one by callbacks, and so is its answer", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake({ apiKey: key })
      const { openGenerate } = anthropic({ baseUrl: fake.origin, apiKey: key }).make("a")
      const answers = [
        yield* runOf(fake)(generateWork("messages")),
        yield* byCallbacks(openGenerate!)(generateWork("messages"))
      ]
      assert.deepStrictEqual(answers[1], answers[0])
      assert.deepStrictEqual(fake.calls[1], fake.calls[0])
    })
  )

  it.live("that is streamed passes on every event, pings too", () =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      const { answer, events } = yield* streamed(runOf(fake), "messages").ran
      assert.deepStrictEqual(
        events.map(({ data }) => data),
        [...llmEvents.messages("hello there")] as never
      )
      assert.include(
        events.map(({ event }) => event),
        "ping"
      )
      assert.deepStrictEqual(answer, { json: null, hasEndMark: true })
    })
  )

  it.live.each([
    [401, "authentication_error", "x", "operator"],
    [400, "invalid_request_error", "Your credit balance is too low to access leaky", "operator"],
    [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum, leaky", "context_too_long"],
    [400, "invalid_request_error", "messages.0: leaky", "refused_input"],
    [413, "request_too_large", "leaky", "too_large"],
    [429, "rate_limit_error", "leaky", "throttled"],
    [404, "not_found_error", "leaky", "not_found"],
    [500, "api_error", "leaky", "failed"],
    [529, "overloaded_error", "leaky", "failed"]
  ] as const)("that is refused with %i %s has the reason for it", ([status, type, message, why]) =>
    Effect.gen(function* () {
      const fake = yield* startedFake()
      fake.says({ status, json: { type: "error", error: { type, message }, request_id: "req_leaky" } })
      const failed = yield* failureOf(runOf(fake)(generateWork("messages")))
      assert.deepStrictEqual(failed, { why, detail: `answered ${status} ${type}` })
    })
  )
})

describe("an upstream of the kind anthropic", () => {
  it("serves language models on the messages API, by default at Anthropic's address", () => {
    const upstream = anthropic({ apiKey: key }).make("claude")
    assert.deepStrictEqual(Object.keys(upstream.capabilities), ["generate", "chat"])
    assert.deepStrictEqual(
      { provider: upstream.provider, apis: upstream.apis, servedBy: upstream.servedBy, maxMs: upstream.maxMs },
      { provider: "anthropic", apis: ["messages"], servedBy: null, maxMs: 120_000 }
    )
  })

  it("needs a key, serves nothing else, and reports every fault at once", () => {
    const wrong = { serves: ["stt"], timeoutMs: 0, apis: ["messages"] } as unknown as AnthropicOptions
    for (const fault of [/apiKey: expected a key/, /serves: anthropic/, /timeoutMs: /, /apis: /]) {
      assert.throws(() => anthropic(wrong), InvalidProviderOptions, fault)
    }
  })

  it("shows its key to nobody who looks at it", () => {
    const provider = anthropic({ apiKey: key })
    assert.notInclude(inspect([provider, provider.make("a")], { depth: 9, showHidden: true }), key)
    assert.notInclude(JSON.stringify([provider, provider.make("a")]), key)
  })
})
