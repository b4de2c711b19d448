/** Official client libraries of language models, unchanged, with our address and our key alone. */
import { createAnthropic } from "@ai-sdk/anthropic"
import { createOpenAI } from "@ai-sdk/openai"
import Anthropic from "@anthropic-ai/sdk"
import { isObject } from "@trunkline/core/provider"
import { type FakeLlmServer, llmBodies, llmEvents, startFakeLlmServer } from "@trunkline/testing/upstreams"
import { generateText, jsonSchema, streamText, tool } from "ai"
import Groq from "groq-sdk"
import OpenAI from "openai"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { json } from "./Command.ts"
import { cleanUp, folder, type Server, serve } from "./Spawned.ts"

let there: FakeLlmServer
let server: Server
let key: string

beforeAll(async () => {
  there = await startFakeLlmServer({ text: "hello there", apiKey: "upstream-secret" })
  const at = { base_url: `${there.origin}/v1`, api_key: "upstream-secret" }
  const cwd = folder(200, {
    models: {
      upstreams: {
        chat: { kind: "openai", ...at },
        claude: { kind: "anthropic", base_url: there.origin, api_key: "upstream-secret" },
        all: { kind: "openai", ...at, apis: ["chat_completions", "responses", "messages"] }
      },
      routes: { "gpt-5.4": { upstream: "all" }, "claude-sonnet-5": { upstream: "claude" }, "*": { upstream: "chat" } }
    }
  })
  server = await serve(cwd)
  const account = (await json(cwd, "account", "create", "--name", "Client", "--plan", "enterprise")).id
  key = (await json(cwd, "key", "create", "--account", account)).key
})

afterAll(async () => {
  cleanUp()
  await there.close()
})
beforeEach(() => there.says(null))

const collected = async <A>(stream: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const one of stream) all.push(one)
  return all
}

const picture = "data:image/png;base64,iVBORw0KGgo="
const look = {
  name: "look",
  description: "Looks",
  parameters: { type: "object", properties: { at: { type: "string" } } }
}

/** Answers of each API that call a tool, whole and as a stream. */
const chatCall = { id: "call_1", type: "function", function: { name: "look", arguments: '{"at":"it"}' } } as const
const calling = {
  chat: {
    ...llmBodies.chat_completions(""),
    choices: [
      { index: 0, message: { role: "assistant", content: null, tool_calls: [chatCall] }, finish_reason: "tool_calls" }
    ]
  },
  messages: {
    ...llmBodies.messages(""),
    ...{ content: [{ type: "tool_use", id: "toolu_1", name: "look", input: { at: "it" } }], stop_reason: "tool_use" }
  },
  responses: {
    ...llmBodies.responses(""),
    output: [
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "look",
        arguments: '{"at":"it"}',
        status: "completed"
      }
    ]
  }
}

/** The upstreams over which each model is run: over its own API, and over a translation. */
const models = ["gpt-5.4", "claude-sonnet-5", "kimi-k2.5"]

const refused = async (promise: PromiseLike<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error
  )

describe.each(["/v1", "/openai/v1"])("the openai client at %s", (base) => {
  const client = (apiKey = key) => new OpenAI({ apiKey, baseURL: `${server.url}${base}`, maxRetries: 0 })

  // Verifies: G-796.
  it.each(models)("chats with %s: whole, as a stream, with a picture", async (model) => {
    const messages = [
      { role: "system", content: "be kind" },
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: picture } }
        ]
      }
    ] as const
    const { chat } = client()
    const whole = await chat.completions.create({ model, messages: [...messages] as never, max_completion_tokens: 50 })
    expect(whole.choices[0]?.message.content).toBe("hello there")
    expect([whole.model, whole.usage?.total_tokens]).toEqual([model, 19])
    const chunks = await collected(
      await chat.completions.create({
        model,
        messages: [...messages] as never,
        stream: true,
        stream_options: { include_usage: true }
      })
    )
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("hello there")
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(19)
    const helped = await chat.completions.stream({ model, messages: [...messages] as never }).finalChatCompletion()
    expect(helped.choices[0]?.message.content).toBe("hello there")
  })

  // Verifies: G-796.
  it("calls tools", async () => {
    there.says({ json: calling.chat })
    const answer = await client().chat.completions.create({
      ...{ model: "gpt-5.4", messages: [{ role: "user", content: "look" }] },
      tools: [{ type: "function", function: look }]
    })
    expect(answer.choices[0]?.message.tool_calls).toEqual([chatCall])
    there.says({ json: calling.messages })
    const translated = await client().chat.completions.create({
      ...{ model: "claude-sonnet-5", messages: [{ role: "user", content: "look" }] },
      tools: [{ type: "function", function: look }]
    })
    expect(translated.choices[0]?.message.tool_calls).toMatchObject([
      { function: { name: "look", arguments: '{"at":"it"}' } }
    ])
  })

  // Verifies: G-796.
  it.each(models)("makes responses of %s: whole, as a stream", async (model) => {
    const { responses } = client()
    const whole = await responses.create({ model, input: "hello", store: false })
    const counted = await responses.inputTokens.count({ model, input: "hello" })
    expect(counted).toMatchObject({ object: "response.input_tokens", input_tokens: expect.any(Number) })
    expect([whole.output_text, whole.model, whole.usage?.total_tokens]).toEqual(["hello there", model, 19])
    const events = await collected(await responses.create({ model, input: "hello", stream: true, store: false }))
    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { model } })
    const helped = await responses
      .stream({ model, input: [{ role: "user", content: "hello" }], store: false })
      .finalResponse()
    expect(helped.output_text).toBe("hello there")
  })

  // Verifies: G-797.
  it("throws typed errors, also in the middle of a stream", async () => {
    const messages = [{ role: "user", content: "hi" }] as const
    const asking = (model: string, more: object = {}, apiKey = key) =>
      refused(client(apiKey).chat.completions.create({ model, messages: [...messages], ...more }))
    expect(await asking("none")).toMatchObject({ constructor: OpenAI.NotFoundError, code: "model_not_found" })
    expect(await asking("gpt-5.4", {}, "none")).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(await asking("gpt-5.4", { n: 0 })).toMatchObject({
      constructor: OpenAI.UnprocessableEntityError,
      param: "n"
    })
    there.says({ status: 429, json: {}, headers: { "retry-after": "5" } })
    expect(await asking("gpt-5.4")).toBeInstanceOf(OpenAI.RateLimitError)
    there.says({ stream: llmEvents.chat_completions("hello there").slice(0, 2), end: "breaks" })
    const broken = await refused(
      client()
        .chat.completions.create({ model: "gpt-5.4", messages: [...messages], stream: true })
        .then(collected)
    )
    expect(broken).toMatchObject({ constructor: OpenAI.APIError, code: "upstream_error" })
  })
})

// Verifies: G-798.
describe("the groq client", () => {
  it.each(models)("chats with %s, whole and as a stream", async (model) => {
    const { chat } = new Groq({ apiKey: key, baseURL: server.url, maxRetries: 0 })
    const messages = [{ role: "user", content: "hi" }] as const
    const whole = await chat.completions.create({ model, messages: [...messages] })
    expect(whole.choices[0]?.message.content).toBe("hello there")
    const chunks = await collected(await chat.completions.create({ model, messages: [...messages], stream: true }))
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("hello there")
    expect(await refused(chat.completions.create({ model: "none", messages: [...messages] }))).toBeInstanceOf(
      Groq.NotFoundError
    )
  })
})

describe("the anthropic client", () => {
  const client = (given: ConstructorParameters<typeof Anthropic>[0] = { apiKey: key }) =>
    new Anthropic({ authToken: null, baseURL: server.url, maxRetries: 0, ...given })

  // Verifies: G-798.
  it.each(models)("makes messages of %s: whole, as a stream, with a picture, and counts tokens", async (model) => {
    const content = [
      { type: "text", text: "see" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }
    ] as const
    const messages = [{ role: "user" as const, content: [...content] }]
    const { messages: own } = client()
    const whole = await own.create({ model, max_tokens: 50, system: "be kind", messages })
    expect([whole.content, whole.model, whole.stop_reason]).toMatchObject([
      [{ type: "text", text: "hello there" }],
      model,
      "end_turn"
    ])
    expect(whole._request_id).toMatch(/^[\w-]+$/)
    const events = await collected(await own.create({ model, max_tokens: 50, messages, stream: true }))
    expect(events.at(-1)?.type).toBe("message_stop")
    const final = await own.stream({ model, max_tokens: 50, messages }).finalMessage()
    expect(final).toMatchObject({ content: [{ text: "hello there" }], usage: { input_tokens: 12, output_tokens: 7 } })
    expect((await own.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0)
    expect((await client().beta.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0)
  })

  // Verifies: G-798.
  it("calls tools, and sends the key in either header", async () => {
    const tools = [{ name: "look", input_schema: { type: "object" as const } }]
    const asked = { max_tokens: 50, messages: [{ role: "user" as const, content: "look" }], tools }
    there.says({ json: calling.messages })
    const answer = await client().messages.create({ model: "claude-sonnet-5", ...asked })
    expect(answer.content).toMatchObject([{ type: "tool_use", id: "toolu_1", name: "look", input: { at: "it" } }])
    there.says({ json: calling.chat })
    const translated = await client({ apiKey: null, authToken: key }).messages.create({ model: "kimi-k2.5", ...asked })
    expect(translated.content).toMatchObject([{ type: "tool_use", name: "look", input: { at: "it" } }])
    expect(translated.stop_reason).toBe("tool_use")
  })

  // Verifies: G-798.
  it("throws typed errors, also in the middle of a stream", async () => {
    const asked = { model: "claude-sonnet-5", max_tokens: 50, messages: [{ role: "user" as const, content: "hi" }] }
    const missing = await refused(client().messages.create({ ...asked, model: "none" }))
    expect(missing).toBeInstanceOf(Anthropic.NotFoundError)
    expect(missing).toMatchObject({
      requestID: expect.stringMatching(/^[\w-]+$/),
      error: { type: "error", error: { code: "model_not_found" } }
    })
    expect(await refused(client({ apiKey: "none" }).messages.create(asked))).toBeInstanceOf(
      Anthropic.AuthenticationError
    )
    there.says({ stream: llmEvents.messages("hello there").slice(0, 4), end: "breaks" })
    const broken = await refused(
      client()
        .messages.create({ ...asked, stream: true })
        .then(collected)
    )
    expect(broken).toBeInstanceOf(Anthropic.APIError)
    expect(JSON.stringify((broken as InstanceType<typeof Anthropic.APIError>).error)).toContain("upstream_error")
  })
})

/** A chat's stream that calls the tool with its arguments in two pieces, and one that speaks. */
const callingStream = [
  { tool_calls: [{ index: 0, ...chatCall, function: { name: "look", arguments: '{"at":' } }] },
  { tool_calls: [{ index: 0, function: { arguments: '"it"}' } }] }
]
const chatStream = (deltas: ReadonlyArray<object>, finish_reason: string) => [
  ...deltas.map((delta) => ({ id: "there", choices: [{ index: 0, delta, finish_reason: null }] })),
  { id: "there", choices: [{ index: 0, delta: {}, finish_reason }] },
  "[DONE]" as const
]

describe("the library ai", () => {
  const kinds = {
    chat: (model: string) => createOpenAI({ apiKey: key, baseURL: `${server.url}/v1` }).chat(model),
    responses: (model: string) => createOpenAI({ apiKey: key, baseURL: `${server.url}/v1` }).responses(model),
    messages: (model: string) => createAnthropic({ apiKey: key, baseURL: `${server.url}/v1` })(model)
  }

  // Verifies: G-799.
  describe.each(Object.keys(kinds) as ReadonlyArray<keyof typeof kinds>)("over %s", (kind) => {
    it.each(models)("makes texts with %s: whole, as a stream, with a picture", async (name) => {
      const model = kinds[kind](name)
      const messages = [
        {
          role: "user" as const,
          content: [
            { type: "text" as const, text: "see" },
            { type: "image" as const, image: Buffer.from("iVBORw0KGgo=", "base64"), mediaType: "image/png" }
          ]
        }
      ]
      const whole = await generateText({ model, system: "be kind", messages, maxRetries: 0 })
      expect([whole.text, whole.usage.inputTokens, whole.usage.outputTokens]).toEqual(["hello there", 12, 7])
      const stream = streamText({ model, messages, maxRetries: 0 })
      expect((await collected(stream.textStream)).join("")).toBe("hello there")
      expect((await stream.usage).outputTokens).toBe(7)
    })

    it("streams three rounds of tools with a model whose upstream has the chat API alone", async () => {
      const round = { stream: chatStream(callingStream, "tool_calls") }
      there.says([round, round, { stream: chatStream([{ content: "seen" }], "stop") }])
      const before = there.calls.length
      const ids: Array<string> = []
      const stream = streamText({
        ...{ model: kinds[kind]("kimi-k2.5"), prompt: "look twice", maxRetries: 0 },
        stopWhen: ({ steps }) => steps.length === 3,
        tools: {
          look: tool({
            inputSchema: jsonSchema<{ readonly at: string }>(look.parameters as never),
            execute: async ({ at }, { toolCallId }) => {
              ids.push(toolCallId)
              return `${at} is a tree`
            }
          })
        }
      })
      expect((await collected(stream.textStream)).join("")).toBe("seen")
      expect(there.calls.length - before).toBe(3)
      expect(ids).toHaveLength(2)
      const { messages } = there.calls.at(-1)!.json as { readonly messages: ReadonlyArray<{ readonly role: string }> }
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "tool"])
    })

    it("calls tools and goes on with their results", async () => {
      const name = { chat: "gpt-5.4", responses: "gpt-5.4", messages: "claude-sonnet-5" }[kind]
      there.says([
        { json: calling[kind] },
        {
          json:
            kind === "chat"
              ? llmBodies.chat_completions("seen")
              : kind === "messages"
                ? llmBodies.messages("seen")
                : llmBodies.responses("seen")
        }
      ])
      const seen: Array<unknown> = []
      const answer = await generateText({
        ...{ model: kinds[kind](name), prompt: "look", maxRetries: 0 },
        stopWhen: ({ steps }) => steps.length === 2,
        tools: {
          look: tool({
            inputSchema: jsonSchema<{ readonly at: string }>(look.parameters as never),
            execute: async (input) => {
              seen.push(input)
              return "a tree"
            }
          })
        }
      })
      expect([answer.text, seen]).toEqual(["seen", [{ at: "it" }]])
      expect(isObject(there.calls.at(-1)?.json)).toBe(true)
      expect(JSON.stringify(there.calls.at(-1)!.json)).toContain("a tree")
    })
  })
})
