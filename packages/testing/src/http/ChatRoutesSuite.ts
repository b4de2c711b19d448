/** Chat completions as a caller meets them: fields, answers, and what is refused. Verifies: LANG-1, LANG-2. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { llmBodies, llmEvents } from "../upstreams/index.ts"
import type { Fields } from "./Exchange.ts"
import type { Start } from "./HttpWorld.ts"
import { bodies, dataIn, errorOf, type LlmWorld, nameThere, openLlmWorld, refusalOf } from "./LlmWorld.ts"

const picture = "data:image/png;base64,iVBORw0KGgo="

const user = (content: unknown) => ({ messages: [{ role: "user", content }] })

const refusedEverywhere: ReadonlyArray<[string, Fields]> = [
  ["service_tier", { service_tier: "flex" }],
  ["service_tier", { service_tier: 5 }],
  ["web_search_options", { web_search_options: {} }],
  ["audio", { audio: { voice: "x", format: "wav" } }],
  ["modalities", { modalities: ["text", "audio"] }],
  ["messages", user([{ type: "file", file: { file_id: "file-1" } }])],
  [
    "messages",
    user([
      { type: "text", text: "x" },
      { type: "image_file", file_id: "file-1" }
    ])
  ]
]

const wrongFields: ReadonlyArray<[string, unknown]> = [
  ["max_tokens", 0],
  ["max_tokens", 1.5],
  ["max_tokens", "5"],
  ["max_completion_tokens", 0],
  ["max_completion_tokens", -1],
  ["n", 0],
  ["n", 129],
  ["stream", "true"],
  ["stream_options", 5],
  ["stream_options.include_usage", "yes"],
  ["messages.0.role", "robot"],
  ["messages.0.role", null]
]

const refusedAtMessages: ReadonlyArray<[string, Fields]> = [
  ["n", { n: 2 }],
  ["temperature", { temperature: 1.5 }],
  ["logprobs", { logprobs: true }],
  ["seed", { seed: 1 }],
  ["verbosity", { verbosity: "low" }],
  ["functions", { functions: [{ name: "f" }] }],
  ["response_format", { response_format: { type: "json_object" } }],
  ["reasoning_effort", { reasoning_effort: "minimal" }],
  ["tools", { tools: [{ type: "custom", custom: { name: "x" } }] }],
  ["messages", user([{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }])],
  ["unknown", { unknown: 1 }]
]

const conversation = {
  ...{ model: "messages-model", temperature: 0.5, stop: "x", user: "u-1", reasoning_effort: "high" },
  messages: [
    { role: "system", content: "be kind" },
    {
      role: "user",
      content: [
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url: picture } }
      ]
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c.1", type: "function", function: { name: "look", arguments: '{"a":1}' } }]
    },
    { role: "tool", tool_call_id: "c.1", content: "done" },
    { role: "user", content: "go on" }
  ],
  tools: [{ type: "function", function: { name: "look", description: "d", parameters: { type: "object" } } }],
  ...{ tool_choice: "required", parallel_tool_calls: false }
}

const conversationThere = {
  ...{
    model: nameThere("messages-model"),
    max_tokens: 1000,
    temperature: 0.5,
    stop_sequences: ["x"],
    metadata: { user_id: "u-1" }
  },
  system: expect.anything(),
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "see" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }
      ]
    },
    { role: "assistant", content: [{ type: "tool_use", id: "c_1", name: "look", input: { a: 1 } }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c_1", content: "done" },
        { type: "text", text: "go on" }
      ]
    }
  ],
  tools: [{ name: "look", description: "d", input_schema: { type: "object" } }],
  tool_choice: { type: "any", disable_parallel_tool_use: true },
  output_config: { effort: "high" }
}

const completion = {
  ...{
    id: expect.stringMatching(/^chatcmpl-/),
    object: "chat.completion",
    created: expect.any(Number),
    model: "messages-model"
  },
  choices: [
    {
      ...{ index: 0, finish_reason: "tool_calls", logprobs: null },
      message: {
        ...{ role: "assistant", content: "I look", refusal: null, reasoning_content: "hm" },
        tool_calls: [{ id: "t1", type: "function", function: { name: "look", arguments: '{"a":2}' } }]
      }
    }
  ],
  usage: {
    ...{ prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
    prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 }
  }
}

export const chatRoutesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`chat completions through ${name}`, () => {
    let world: LlmWorld
    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
    })
    afterAll(() => world.close())
    beforeEach(() => world.there.says(null))

    const ask = (fields: Fields = {}) => world.ask("chat_completions", fields)
    const sent = () => world.there.calls.at(-1)!.json as Fields

    // Verifies: G-770.
    it("passes a request on as it is, unknown fields and the order of messages included", async () => {
      const fields = {
        messages: [
          ...["user", "user", "system", "assistant", "developer"].map((role) => ({
            role,
            content: `of ${role}`,
            extra: 1
          })),
          { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "x", cache: null }] },
          { role: "function", name: "f", content: "y" }
        ],
        ...{ temperature: 1.5, top_p: 0.5, seed: 7, logit_bias: { "5": 1 }, stop: ["a"], n: 2, service_tier: "auto" },
        ...{
          max_tokens: 5,
          max_completion_tokens: 6,
          unknown: { nested: [null, 1] },
          response_format: { type: "json_object" }
        }
      }
      expect((await ask(fields)).status).toBe(200)
      expect(sent()).toEqual({ ...fields, model: nameThere("chat-model") })
      expect(
        (await ask({ ...fields, stream: true, stream_options: { include_usage: false, include_obfuscation: false } }))
          .status
      ).toBe(200)
      expect(sent()).toEqual({
        ...{ ...fields, model: nameThere("chat-model"), stream: true },
        stream_options: { include_usage: true, include_obfuscation: false }
      })
    })

    // Verifies: G-771.
    it("accepts store and metadata and passes neither on, also where it translates", async () => {
      for (const model of ["chat-model", "messages-model"]) {
        const answer = await ask({ model, store: true, metadata: { a: "b" }, service_tier: "default", stream: false })
        expect(answer.status, answer.text).toBe(200)
        expect(sent()).not.toHaveProperty("store")
        expect(sent()).not.toHaveProperty("metadata")
      }
    })

    // Verifies: G-117, G-772.
    it("answers with what the upstream said: choices, calls, refusals, logprobs, and fields that nobody knows", async () => {
      const there = {
        ...llmBodies.chat_completions("hi"),
        ...{ system_fingerprint: "fp_1", unknown: { a: 1 }, service_tier: "default" },
        choices: [
          {
            ...{ index: 0, finish_reason: "tool_calls", logprobs: { content: [] } },
            message: {
              ...{ role: "assistant", content: null, refusal: "no", reasoning_content: "hm" },
              tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }]
            }
          },
          { index: 1, finish_reason: "stop", message: { role: "assistant", content: "two" } }
        ]
      }
      world.there.says({ json: there })
      const { body } = await ask({ n: 2 })
      expect(body).toEqual({ ...there, id: expect.stringMatching(/^chatcmpl-\w+$/), model: "chat-model" })
      expect(body.id).not.toBe(llmBodies.chat_completions("hi").id)
      expect((await ask()).body.id).not.toBe(body.id)
    })

    // Verifies: G-773.
    it.each(refusedEverywhere)("refuses %s of %j before anything runs", async (param, fields) => {
      const before = world.there.calls.length
      const answer = await ask(fields)
      expect(answer.status, answer.text).toBe(400)
      expect(errorOf(answer)).toMatchObject({ code: "invalid_request", type: "invalid_request_error" })
      expect(String(errorOf(answer).param)).toMatch(new RegExp(`^${param}`))
      expect(world.there.calls.length).toBe(before)
    })

    // Verifies: G-773.
    it("accepts what is neutral: null, text alone, and a file that is there", async () => {
      for (const fields of [
        { modalities: ["text"], audio: null, web_search_options: null, service_tier: null },
        user([
          { type: "file", file: { file_id: null, filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } }
        ]),
        user([{ type: "image_url", image_url: { url: picture } }])
      ]) {
        expect((await ask(fields)).status).toBe(200)
      }
    })

    // Verifies: G-774.
    it.each(wrongFields)("names %s where it is %j: 422", async (param, value) => {
      const [field = "", inner] = param.split(".")
      const fields: Fields = param.startsWith("messages")
        ? { messages: [{ role: value, content: "x" }] }
        : { [field]: inner === undefined ? value : { [inner]: value } }
      const answer = await ask(fields)
      expect(refusalOf(answer)).toEqual([422, "invalid_request", param])
      expect(errorOf(answer).message).toContain(param)
    })

    // Verifies: G-775.
    it("shows a maximum of output for every language model, its own or the default", async () => {
      const at = await openLlmWorld(start, storage, { models: { defaultMaxOutputTokens: 777 } })
      try {
        const maximum = async (one: LlmWorld, id: string) =>
          (await one.send("GET", `/v1/models/${id}`, { key: one.key })).body.max_output_tokens
        expect([await maximum(world, "unlimited-model"), await maximum(at, "unlimited-model")]).toEqual([32_768, 777])
        expect(await maximum(at, "chat-model")).toBe(1000)
        const above = await at.ask("chat_completions", { model: "unlimited-model", max_tokens: 778 })
        expect(refusalOf(above)).toEqual([400, "max_tokens_too_large", "max_tokens"])
        expect((await at.ask("chat_completions", { model: "unlimited-model", max_tokens: 777 })).status).toBe(200)
      } finally {
        await at.close()
      }
    })

    describe("at an upstream with the messages API", () => {
      const model = "messages-model"

      // Verifies: G-776.
      it("translates the request, the answer and the stream", async () => {
        const usage = { input_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 4 }
        const content = [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "I look" },
          { type: "tool_use", id: "t1", name: "look", input: { a: 2 } }
        ]
        world.there.says({ json: { ...llmBodies.messages("x"), content, stop_reason: "tool_use", usage } })
        const answer = await ask(conversation)
        expect(sent()).toEqual(conversationThere)
        expect(answer.body).toEqual(completion)
        world.there.says({ stream: llmEvents.messages("one two") })
        const events = dataIn((await ask({ ...conversation, stream: true })).text)
        expect(sent().stream).toBe(true)
        expect(events.at(-1)).toBe("[DONE]")
        const deltas = events
          .slice(0, -1)
          .map((event) => (event as { choices: [{ delta: Fields; finish_reason: unknown }] }).choices[0])
        expect(deltas[0]).toMatchObject({ delta: { role: "assistant", content: "" } })
        expect(deltas.map(({ delta }) => delta.content ?? "").join("")).toBe("one two")
        expect(deltas.at(-1)).toMatchObject({ delta: {}, finish_reason: "stop" })
      })

      // Verifies: G-777.
      it.each(refusedAtMessages)("refuses %s of %j before anything runs", async (param, fields) => {
        const before = world.there.calls.length
        const answer = await ask({ model, ...fields })
        expect([answer.status, errorOf(answer).code], answer.text).toEqual([400, "invalid_request"])
        expect(String(errorOf(answer).param)).toMatch(new RegExp(`^${param}`))
        expect(world.there.calls.length).toBe(before)
      })

      // Verifies: G-777.
      it("passes over what is neutral", async () => {
        const neutral = {
          n: 1,
          logprobs: false,
          presence_penalty: 0,
          frequency_penalty: 0,
          logit_bias: {},
          modalities: ["text"]
        }
        const hints = { prompt_cache_key: "x", prompt_cache_retention: "24h", seed: null, service_tier: "auto" }
        const answer = await ask({ model, ...neutral, ...hints })
        expect(answer.status, answer.text).toBe(200)
        expect(sent()).toEqual({ model: nameThere(model), max_tokens: 1000, messages: expect.anything() })
        expect(bodies.chat_completions().messages).toHaveLength(1)
      })
    })
  })
