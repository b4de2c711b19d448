/** Language models over the chat route: docs/reference/upstreams.md#chat. Verifies: OPAI-1, OPAI-4, OPAI-7. */
import { assert, describe, it } from "@effect/vitest"
import type { ChatMessage, ChatTool, ChatWork, UpstreamWhy } from "@trunkline/core/provider"
import { type FakeUpstream, openAiChat, openAiError, startFakeOpenAi } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import OpenAI from "openai"
import { type OpenAiOptions, openai } from "../../src/openai/index.ts"
import { chatBody } from "../../src/openai/OpenAiChat.ts"

const key = "sk-topsecret"

const fake = Effect.acquireRelease(
  Effect.promise(() => startFakeOpenAi({ apiKey: key })),
  (one) => Effect.promise(one.close)
)

const user = (text: string, images: ReadonlyArray<{ contentType: string; bytes: Uint8Array }> = []): ChatMessage => ({
  ...{ role: "user", text, images }
})
const tool: ChatTool = { name: "look_up", description: "Looks up", parameters: { type: "object", properties: {} } }

const work = (change: Partial<ChatWork> = {}): ChatWork => ({
  ...{ model: "gemma-4", requestedModel: "gemma-4-26b-a4b-it", messages: [user("hi")], tools: [], maxOutputTokens: 64 },
  ...change
})

const chat = ({ origin }: FakeUpstream, change: Partial<ChatWork> = {}, options: Partial<OpenAiOptions> = {}) => {
  const { chat: run } = openai({ baseUrl: `${origin}/v1`, apiKey: key, ...options }).make("chat-a").capabilities
  return run === undefined ? Effect.die("it serves no language models") : run(work(change))
}

/** The one request that was made, as JSON; the fake has taken it, or the chat would have failed. */
const asked = (change: Partial<ChatWork> = {}) =>
  Effect.gen(function* () {
    const upstream = yield* fake
    yield* chat(upstream, change)
    assert.lengthOf(upstream.calls, 1)
    return upstream.calls[0]!
  })

const answered = (body: unknown) =>
  Effect.gen(function* () {
    const upstream = yield* fake
    upstream.behave({ does: "answer", body })
    return yield* chat(upstream)
  })
const said = (message: unknown, usage?: unknown) => answered({ choices: [{ message }], usage })

describe("a chat", () => {
  it.live("is one JSON request to the chat route, with headers of our own alone", () =>
    Effect.gen(function* () {
      const call = yield* asked()
      assert.strictEqual(`${call.method} ${call.path}`, "POST /v1/chat/completions")
      assert.deepStrictEqual(call.query, [])
      assert.deepStrictEqual(
        { ...call.headers, host: "" },
        {
          ...{ host: "", connection: "keep-alive", accept: "application/json", "user-agent": "trunkline" },
          ...{
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            "content-length": String(call.bytes)
          }
        }
      )
      assert.deepStrictEqual(call.json, {
        ...{ model: "gemma-4", messages: [{ role: "user", content: "hi" }], max_tokens: 64 }
      })
    })
  )

  it.live("has messages of every role, calls of tools with their results, and the tools that there are", () =>
    Effect.gen(function* () {
      const toolCalls = [{ id: "c1", name: "look_up", arguments: '{"q":1}' }]
      const { json } = yield* asked({
        tools: [tool],
        messages: [
          { role: "system", text: "Be kind." },
          user("नमस्ते 🍵"),
          { role: "assistant", text: "", toolCalls },
          { role: "tool", callId: "c1", text: "nothing" },
          { role: "assistant", text: "Wait.", toolCalls: [{ ...toolCalls[0]!, id: "c2" }] },
          { role: "tool", callId: "c2", text: "something" },
          { role: "assistant", text: "Done.", toolCalls: [] }
        ]
      })
      const call = { id: "c1", type: "function", function: { name: "look_up", arguments: '{"q":1}' } }
      assert.deepStrictEqual(json, {
        model: "gemma-4",
        messages: [
          { role: "system", content: "Be kind." },
          { role: "user", content: "नमस्ते 🍵" },
          { role: "assistant", content: null, tool_calls: [call] },
          { role: "tool", tool_call_id: "c1", content: "nothing" },
          { role: "assistant", content: "Wait.", tool_calls: [{ ...call, id: "c2" }] },
          { role: "tool", tool_call_id: "c2", content: "something" },
          { role: "assistant", content: "Done." }
        ],
        tools: [{ type: "function", function: tool }],
        tool_choice: "auto",
        max_tokens: 64
      })
    })
  )

  it.live("has its pictures in itself, each under a type of pictures", () =>
    Effect.gen(function* () {
      const slab = new Uint8Array([9, 1, 2, 3, 9])
      const { json } = yield* asked({
        messages: [
          user("what is this", [{ contentType: "image/PNG; charset=x", bytes: slab.subarray(1, 4) }]),
          user("", [{ contentType: 'text/html,<script>"', bytes: new Uint8Array([255]) }])
        ]
      })
      assert.deepStrictEqual((json as { readonly messages: unknown }).messages, [
        {
          role: "user",
          content: [
            { type: "text", text: "what is this" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } }
          ]
        },
        { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/jpeg;base64,/w==" } }] }
      ])
    })
  )

  it.live.each([
    ["gemma-4-26b-a4b-it", "max_tokens"],
    ["gpt-4o", "max_tokens"],
    ["openai/gpt-oss-120b", "max_tokens"],
    ["moonshotai/kimi-k2.5", "max_tokens"],
    ["gpt-5.4-mini", "max_completion_tokens"],
    ["openai/gpt-5.5", "max_completion_tokens"],
    ["o4-mini", "max_completion_tokens"]
  ] as ReadonlyArray<[model: string, field: string]>)(
    "bounds the output in the word that the model knows: %s",
    ([model, field]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* asked({ model })).json, {
          ...{ model, messages: [{ role: "user", content: "hi" }], [field]: 64 }
        })
      })
  )

  it("is a body of one chunk, alone in its memory", () => {
    for (const text of ["hi", "x".repeat(100_000)]) {
      const body = chatBody(work({ messages: [user(text)] }))
      assert.deepStrictEqual(
        body.chunks.map(({ buffer, byteLength }) => [buffer.byteLength, byteLength]),
        [[body.size, body.size]]
      )
    }
  })

  it.live("is asked of an upstream that serves language models alone", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const made = (options: Partial<OpenAiOptions>) =>
        openai({ baseUrl: `${upstream.origin}/v1`, apiKey: key, ...options }).make("a")
      assert.isUndefined(made({ serves: ["stt"] }).capabilities.chat)
      assert.isUndefined(made({ serves: ["llm"] }).capabilities.transcribe)
      assert.isDefined(made({ serves: ["llm"] }).capabilities.chat)
      assert.isDefined(made({}).capabilities.chat)
    })
  )

  it.live("that is given up ends its request", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave({ does: "hang" })
      const waiting = yield* Effect.forkChild(chat(upstream))
      yield* Effect.promise(() => upstream.until(() => upstream.calls.length === 1))
      yield* Fiber.interrupt(waiting)
      yield* Effect.promise(() => upstream.until(() => upstream.aborted() === 1))
    })
  )
})

describe("an answer to a chat", () => {
  it.live("is a text, with the tokens that it took", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(openAiChat({ text: "नमस्ते", tokens: { input: 900, cached: 512, output: 33 }, delayMs: 5 }))
      assert.deepStrictEqual(yield* chat(upstream), {
        ...{ text: "नमस्ते", toolCalls: [], tokens: { input: 900, cachedInput: 512, output: 33 } }
      })
    })
  )

  it.live("may want tools, with arguments as the model wrote them", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(
        openAiChat({
          calls: [
            ["look_up", { q: "tea" }],
            ["look_up", '{"q": "te']
          ]
        })
      )
      const { text, toolCalls } = yield* chat(upstream, { tools: [tool] })
      assert.strictEqual(text, "")
      assert.deepStrictEqual(toolCalls, [
        { id: "call_look_up_0", name: "look_up", arguments: '{"q":"tea"}' },
        { id: "call_look_up_1", name: "look_up", arguments: '{"q": "te' }
      ])
    })
  )

  it.live.each([
    ["no content", {}, ""],
    ["null", { content: null, tool_calls: null, refusal: null }, ""],
    ["another shape", { content: 7, tool_calls: "none" }, ""],
    ["a refusal in its place", { content: null, refusal: "I cannot." }, "I cannot."],
    [
      "parts, some of which are thoughts",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "A" },
          { type: "text", text: "b" },
          null
        ]
      },
      "Ab"
    ],
    ["thoughts beside it", { content: "A", reasoning_content: "hm", reasoning: "hm" }, "A"]
  ] as ReadonlyArray<[string, unknown, string]>)("may have %s as its text", ([_, message, text]) =>
    Effect.map(said(message), (answer) => assert.deepStrictEqual(answer, { text, toolCalls: [], tokens: null }))
  )

  it.live.each([
    [
      "an object",
      { id: "a", function: { name: "t", arguments: { q: [1] } } },
      { id: "a", name: "t", arguments: '{"q":[1]}' }
    ],
    ["nothing", { function: { name: "t" } }, { id: "call_0", name: "t", arguments: "{}" }],
    ["null", { id: "", function: { name: "t", arguments: null } }, { id: "call_0", name: "t", arguments: "{}" }],
    ["no text", { id: 7, function: { name: "t", arguments: "" } }, { id: "call_0", name: "t", arguments: "{}" }]
  ] as ReadonlyArray<[string, unknown, unknown]>)("may have a call with %s for arguments or id", ([_, call, read]) =>
    Effect.map(said({ content: null, tool_calls: [call, null, { function: {} }] }), ({ toolCalls }) =>
      assert.deepStrictEqual<unknown>(toolCalls, [read])
    )
  )

  it.live.each([
    ["missing", undefined, null],
    ["null", null, null],
    ["half", { prompt_tokens: 5 }, null],
    ["without details", { prompt_tokens: 5, completion_tokens: 1 }, { input: 5, cachedInput: 0, output: 1 }],
    [
      "with details that are null",
      { prompt_tokens: 5, completion_tokens: 0, prompt_tokens_details: { cached_tokens: null } },
      { input: 5, cachedInput: 0, output: 0 }
    ]
  ] as ReadonlyArray<[string, unknown, unknown]>)("may have its usage %s", ([_, usage, tokens]) =>
    Effect.map(said({ content: "a" }, usage), (answer) => assert.deepStrictEqual<unknown>(answer.tokens, tokens))
  )

  it.live.each([
    ["no choices", {}],
    ["none of them", { choices: [] }],
    ["no message", { choices: [{}] }],
    ["an error in its choice", { choices: [{ message: { content: "Half an" }, error: { message: "leaky words" } }] }],
    ["a failure as its end", { choices: [{ message: { content: "Half an" }, finish_reason: "network_error" }] }],
    ["an end that nobody knows", { choices: [{ message: { content: "Half an" }, finish_reason: "mystery" }] }],
    ["a message that is none", { choices: [{ message: "hi" }] }],
    ["an error in its place", { error: { message: "leaky words" } }],
    ["no JSON", "<html>"]
  ])("with %s is unreadable", ([_, body]) =>
    Effect.map(Effect.flip(answered(body)), ({ why }) => assert.strictEqual(why, "unreadable"))
  )
})

describe("a chat that fails", () => {
  it.live.each([
    ["the prompt refused", openAiError(400, "context_length_exceeded"), "context_too_long"],
    ["a prompt too large", openAiError(413, null), "too_large"],
    ["throttled", openAiError(429, "rate_limit_exceeded", "tokens", { "retry-after": "7" }), "throttled"],
    ["a spent quota", openAiError(429, "insufficient_quota", "insufficient_quota"), "operator"],
    ["a refused key", openAiError(401, "invalid_api_key"), "operator"],
    ["no such model", openAiError(404, "model_not_found"), "not_found"],
    ["trouble", openAiError(500, null, "server_error"), "failed"],
    ["too much to do", openAiError(503, "overloaded", "overloaded_error"), "throttled"],
    ["a reset", { does: "reset" }, "unreachable"],
    ["a break", { does: "truncate" }, "unreadable"],
    ["no end", { does: "hang" }, "timeout"]
  ] as const)("by %s says why, and nothing of theirs", ([_, mood, why]) =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(mood)
      const failed = yield* Effect.flip(chat(upstream, {}, { timeoutMs: why === "timeout" ? 100 : 5_000 }))
      assert.strictEqual<UpstreamWhy>(failed.why, why)
      assert.strictEqual(failed.retryAfterSeconds, why === "throttled" && failed.detail.includes("429") ? 7 : null)
      assert.notMatch(JSON.stringify(failed), /leaky|org-1234|inner\.example|topsecret|127\.0\.0\.1/)
      assert.lengthOf(upstream.calls, 1)
    })
  )
})

describe("the server that stands in for OpenAI", () => {
  it.live("is understood by OpenAI's own client, and understands it", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const client = new OpenAI({ baseURL: `${upstream.origin}/v1`, apiKey: key, maxRetries: 0 })
      const message = { role: "user", content: "hi" } as const
      const { choices, usage } = yield* Effect.promise(() =>
        client.chat.completions.create({ model: "gpt-5.4", messages: [message], max_completion_tokens: 9 })
      )
      assert.strictEqual(choices[0]?.message.content, "hello")
      assert.strictEqual(usage?.total_tokens, 19)
      const refused = yield* Effect.promise(() =>
        client.chat.completions.create({ model: "gpt-5.4", messages: [message], max_tokens: 9 }).then(
          () => null,
          (error: unknown) => error
        )
      )
      assert.instanceOf(refused, OpenAI.BadRequestError)
      assert.strictEqual(refused.code, "unsupported_parameter")
    })
  )
})
