/** Messages and the counting of their tokens as a caller meets them. Verifies: LANG-1, LANG-2. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { llmBodies, llmEvents } from "../upstreams/index.ts"
import type { Fields } from "./Exchange.ts"
import type { Start } from "./HttpWorld.ts"
import {
  bodies,
  countTokens,
  dataIn,
  errorOf,
  expectNoLeak,
  type LlmWorld,
  nameThere,
  openLlmWorld,
  refusalOf
} from "./LlmWorld.ts"

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }
const ofFile = { type: "file", file_id: "file-1" }

/** Options that are refused everywhere, by the field that is named. */
const refused: ReadonlyArray<[string, Fields]> = [
  ["service_tier", { service_tier: "priority" }],
  ["speed", { speed: "fast" }],
  ["inference_geo", { inference_geo: "us" }],
  ["container", { container: "c-1" }],
  ["mcp_servers", { mcp_servers: [] }],
  ["tools", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
  ["tools", { tools: [{ type: "code_execution_20250522", name: "code" }] }],
  ["messages", { messages: [{ role: "user", content: [{ type: "image", source: ofFile }] }] }],
  ["messages", { messages: [{ role: "user", content: [{ type: "document", source: ofFile }] }] }],
  [
    "messages",
    {
      messages: [
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "image", source: ofFile }] }]
        }
      ]
    }
  ]
]

const conversation = {
  ...{ model: "chat-model", system: "be kind", temperature: 0.5, stop_sequences: ["x"], metadata: { user_id: "u" } },
  messages: [
    { role: "user", content: [{ type: "text", text: "see" }, image] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "t", signature: "s" },
        { type: "tool_use", id: "t1", name: "look", input: { a: 1 } }
      ]
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: "no", is_error: true },
        { type: "text", text: "go on" }
      ]
    }
  ],
  tools: [{ name: "look", input_schema: { type: "object" } }],
  tool_choice: { type: "any", disable_parallel_tool_use: true }
}

const conversationThere = {
  ...{
    model: nameThere("chat-model"),
    max_tokens: 100,
    temperature: 0.5,
    stop: ["x"],
    user: "u",
    tool_choice: "required",
    parallel_tool_calls: false
  },
  messages: [
    { role: "system", content: "be kind" },
    {
      role: "user",
      content: [
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }
      ]
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "t1", type: "function", function: { name: "look", arguments: '{"a":1}' } }]
    },
    { role: "tool", tool_call_id: "t1", content: "Error: no" },
    { role: "user", content: "go on" }
  ]
}

const answered = {
  ...{ id: expect.stringMatching(/^msg_/), type: "message", role: "assistant", model: "chat-model" },
  content: [
    { type: "text", text: "I look" },
    { type: "tool_use", id: "c1", name: "look", input: {} }
  ],
  ...{ stop_reason: "tool_use", stop_sequence: null },
  usage: { input_tokens: 7, cache_read_input_tokens: 3, cache_creation_input_tokens: 0, output_tokens: 4 }
}

const passedOn = {
  system: [{ type: "text", text: "be kind", cache_control: { type: "ephemeral" } }],
  messages: [
    { role: "user", content: "see", extra: 1 },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "ours", signature: "" },
        { type: "thinking", thinking: "theirs", signature: "s" },
        { type: "text", text: "yes" }
      ]
    },
    { role: "system", content: "in between" },
    { role: "user", content: [image, { type: "tool_result", tool_use_id: "t", content: [image] }] }
  ],
  ...{
    top_k: 5,
    thinking: { type: "adaptive" },
    service_tier: "standard_only",
    speed: "standard",
    unknown: { a: null }
  },
  tools: [
    { name: "a", input_schema: { type: "object" } },
    ...["custom", "bash_20250124", "text_editor_20250728", "memory_20250818", "computer_20250124", "browser_1"].map(
      (type) => ({ type, name: type })
    )
  ]
}

export const messagesRoutesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`messages of language models through ${name}`, () => {
    let world: LlmWorld
    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
    })
    afterAll(() => world.close())
    beforeEach(() => world.there.says(null))

    const ask = (fields: Fields = {}, sent: Parameters<LlmWorld["ask"]>[2] = {}) => world.ask("messages", fields, sent)
    const count = (fields: Fields = {}, sent: Parameters<LlmWorld["ask"]>[2] = {}) =>
      world.ask("count_tokens", fields, sent)
    const there = () => world.there.calls.at(-1)!
    const sent = () => there().json as Fields

    // Verifies: G-136, G-778.
    it("accepts the key as x-api-key too, which counts before the other header", async () => {
      const json = bodies.messages()
      for (const path of ["/v1/messages", countTokens, "/openai/v1/messages"]) {
        const send = (headers: Record<string, string>) => world.send("POST", path, { json, headers })
        const { key } = world
        expect((await send({ "x-api-key": key })).status).toBe(200)
        expect((await send({ "x-api-key": key, authorization: `Bearer ${key}` })).status).toBe(200)
        expect((await send({ "x-api-key": key, authorization: "Bearer nonsense" })).status).toBe(200)
        const wrong = await send({ "x-api-key": "nonsense", authorization: `Bearer ${key}` })
        expect(refusalOf(wrong)).toEqual([401, "invalid_api_key", null])
      }
      const chat = await world.send("POST", "/v1/chat/completions", {
        json: bodies.chat_completions(),
        headers: { "x-api-key": world.key }
      })
      expect(chat.status).toBe(401)
    })

    // Verifies: G-119, G-779.
    it("has type and request_id beside every error, and request-id as a header of every answer", async () => {
      for (const [method, path, sent, status] of [
        ["POST", "/v1/messages", { json: bodies.messages() }, 401],
        ["PUT", "/v1/messages", {}, 405],
        ["GET", countTokens, {}, 405],
        [
          "POST",
          "/v1/messages",
          { key: world.key, body: Buffer.alloc(33_554_433, " "), headers: { "content-type": "application/json" } },
          413
        ],
        ["POST", "/v1/messages", { key: world.key, json: bodies.messages({ max_tokens: 0 }) }, 422]
      ] as const) {
        const { body, headers, status: answered } = await world.host(method, path, sent)
        expect([path, answered]).toEqual([path, status])
        expect(body).toEqual({ type: "error", error: expect.any(Object), request_id: headers["x-request-id"] })
        expect(headers["request-id"]).toBe(headers["x-request-id"])
      }
      for (const stream of [false, true]) {
        const { headers } = await ask({ stream }, { headers: { "x-request-id": "mine" } })
        expect([headers["request-id"], headers["x-request-id"]]).toEqual(["mine", "mine"])
      }
    })

    // Verifies: G-780.
    it("passes a request on as it is, without the thinking that is ours", async () => {
      const answer = await ask(passedOn)
      expect(answer.status, answer.text).toBe(200)
      const { messages, ...others } = sent()
      expect(others).toEqual({ ...passedOn, messages: undefined, model: nameThere("messages-model"), max_tokens: 100 })
      const [first, second, ...rest] = passedOn.messages
      expect(messages).toEqual([
        first,
        { ...second, content: (second!.content as ReadonlyArray<unknown>).slice(1) },
        ...rest
      ])
    })

    // Verifies: G-781.
    it("answers with what the upstream said, unknown fields included", async () => {
      const answer = {
        ...llmBodies.messages("hi"),
        ...{ stop_reason: "refusal", stop_sequence: "x", unknown: [1], context_management: null },
        content: [
          { type: "thinking", thinking: "t", signature: "s" },
          { type: "text", text: "a", citations: null }
        ]
      }
      world.there.says({ json: answer })
      expect((await ask()).body).toEqual({
        ...answer,
        id: expect.stringMatching(/^msg_\w{8,}$/),
        model: "messages-model"
      })
    })

    // Verifies: G-782.
    it.each(refused)("refuses %s of %j before anything runs, and counts none of it", async (param, fields) => {
      const before = world.there.calls.length
      for (const answer of [await ask(fields), await count(fields)]) {
        expect([answer.status, errorOf(answer).code], answer.text).toEqual([400, "invalid_request"])
        expect(String(errorOf(answer).param)).toMatch(new RegExp(`^${param}`))
      }
      expect(world.there.calls.length).toBe(before)
    })

    // Verifies: G-783.
    it.each([
      ["max_tokens", { max_tokens: undefined }],
      ["max_tokens", { max_tokens: null }],
      ["max_tokens", { max_tokens: 0 }],
      ["max_tokens", { max_tokens: 1.5 }],
      ["system", { system: 5 }],
      ["system.0.type", { system: [image] }],
      ["messages.0.role", { messages: [{ role: "tool", content: "x" }] }],
      ["stream", { stream: 1 }]
    ] as ReadonlyArray<[string, Fields]>)("names %s of %j: 422", async (param, fields) => {
      expect(refusalOf(await ask(fields))).toEqual([422, "invalid_request", param])
    })

    describe("at an upstream with the chat API", () => {
      const model = "chat-model"

      // Verifies: G-784.
      it("translates the request, the answer and the stream", async () => {
        const message = {
          role: "assistant",
          content: "I look",
          tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "" } }]
        }
        const usage = { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } }
        world.there.says({
          json: { ...llmBodies.chat_completions("x"), choices: [{ index: 0, message, finish_reason: "stop" }], usage }
        })
        const answer = await ask(conversation)
        expect(there().path).toBe("/v1/chat/completions")
        expect(sent()).toMatchObject(conversationThere)
        expect(answer.body).toEqual(answered)
        world.there.says({ stream: llmEvents.chat_completions("one two") })
        const events = dataIn((await ask({ ...conversation, stream: true })).text) as ReadonlyArray<Fields>
        expect(events.map(({ type }) => type)).toEqual([
          ...[
            "message_start",
            "ping",
            "content_block_start",
            "content_block_delta",
            "content_block_delta",
            "content_block_stop"
          ],
          ...["message_delta", "message_stop"]
        ])
        expect(events.at(-2)).toMatchObject({
          delta: { stop_reason: "end_turn" },
          usage: { input_tokens: 12, output_tokens: 7 }
        })
      })

      // Verifies: G-785.
      it.each([
        ["top_k", { top_k: 5 }],
        [
          "messages",
          { messages: [{ role: "user", content: [{ type: "search_result", source: "x", title: "t", content: [] }] }] }
        ],
        ["tools", { tools: [{ type: "bash_20250124", name: "bash" }] }],
        ["unknown", { unknown: 1 }]
      ] as ReadonlyArray<[string, Fields]>)("refuses %s of %j before anything runs", async (param, fields) => {
        const before = world.there.calls.length
        const answer = await ask({ model, ...fields })
        expect([answer.status, errorOf(answer).code], answer.text).toEqual([400, "invalid_request"])
        expect(String(errorOf(answer).param)).toMatch(new RegExp(`^${param}`))
        expect(world.there.calls.length).toBe(before)
      })

      // Verifies: G-785.
      it("accepts every option that has no effect there", async () => {
        const answer = await ask({
          model,
          service_tier: "auto",
          speed: "standard",
          thinking: { type: "adaptive" },
          cache_control: { type: "ephemeral" }
        })
        expect(answer.status, answer.text).toBe(200)
      })
    })

    describe("the counting of tokens", () => {
      // Verifies: G-119, G-786.
      it("is by the upstream where it has the messages API, else by estimate, and says which", async () => {
        world.there.says({ json: { input_tokens: 77, leaky: true } })
        const asked = await count({ system: "be kind" }, { headers: { "anthropic-beta": "b" } })
        expect([asked.status, asked.body, asked.headers["x-service-token-count"]]).toEqual([
          200,
          { input_tokens: 77 },
          "upstream"
        ])
        expect([there().path, sent()]).toMatchObject([
          "/v1/messages/count_tokens",
          { model: nameThere("messages-model"), system: "be kind" }
        ])
        expect(there().headers["anthropic-beta"]).toBe("b")
        const before = world.there.calls.length
        for (const model of ["chat-model", "responses-model"]) {
          const estimate = await count({ model, system: "be kind" })
          // 12 bytes, and one message.
          expect([estimate.body, estimate.headers["x-service-token-count"]]).toEqual([
            { input_tokens: 3 + 4 },
            "estimate"
          ])
        }
        expect(world.there.calls.length).toBe(before)
      })

      // Verifies: G-786.
      it("is by estimate where the upstream answers 404, and fails after its other refusals", async () => {
        world.there.says({ status: 404, json: { error: { message: "leaky" } } })
        const lacking = await count()
        expect([lacking.body, lacking.headers["x-service-token-count"]]).toEqual([{ input_tokens: 6 }, "estimate"])
        for (const status of [302, 405, 409, 500, 501]) {
          world.there.says({ status, json: { error: { message: "leaky" } } })
          const failed = await count()
          expect([status, failed.status, errorOf(failed).code]).toEqual([status, 502, "upstream_error"])
        }
        world.there.says({ status: 400, json: { error: { message: "leaky", code: "model_not_found" } } })
        expect((await count()).status).toBe(502)
      })

      // Verifies: G-786.
      it("goes on to a fallback, as every service does", async () => {
        world.there.says([{ status: 500, json: {} }, { json: { input_tokens: 5 } }])
        const second = await count({ model: "doubled-model" })
        expect([second.status, second.body, second.headers["x-service-attempts"]]).toEqual([
          200,
          { input_tokens: 5 },
          "2"
        ])
        expect(sent().model).toBe("second")
        world.there.says({ status: 500, json: {} })
        const failed = await count({ model: "doubled-model" })
        expect([...refusalOf(failed), failed.headers["x-service-attempts"]]).toEqual([502, "upstream_error", null, "2"])
      })

      // Verifies: G-787.
      it("costs nothing, has no row, needs no credit, and uses a request of the key's minute", async () => {
        const { credits, key, rows } = await world.payer({ budget: "0.000000001", requestsPerMinute: 2 })
        const [first, second, third] = [
          await count({}, { key }),
          await count({ model: "chat-model" }, { key }),
          await count({}, { key })
        ]
        expect([first!.status, second!.status, third!.status]).toEqual([200, 200, 429])
        expect([first!.headers["x-ratelimit-remaining"], second!.headers["x-ratelimit-remaining"]]).toEqual(["1", "0"])
        expect(await rows()).toEqual([])
        expect(await credits()).toMatchObject({ balance: "1000", reserved: "0" })
      })

      // Verifies: G-788.
      it("fails as messages do", async () => {
        for (const [answer, status, code] of [
          [
            { status: 400, json: { error: { type: "invalid_request_error", message: "leaky" } } },
            400,
            "invalid_request"
          ],
          [
            { status: 429, json: { error: { type: "rate_limit_error", message: "leaky" } } },
            429,
            "rate_limit_exceeded"
          ],
          [{ status: 401, json: { error: { type: "authentication_error", message: "leaky" } } }, 502, "provider_error"],
          [{ status: 529, json: { error: { type: "overloaded_error", message: "leaky" } } }, 502, "upstream_error"],
          [{ json: { input_tokens: -1 } }, 502, "upstream_error"],
          [{ json: { input_tokens: "5" } }, 502, "upstream_error"],
          [{ does: "reset" }, 503, "upstream_unavailable"]
        ] as const) {
          world.there.says(answer)
          const failed = await count()
          expect([failed.status, errorOf(failed).code], failed.text).toEqual([status, code])
          expect(failed.body).toMatchObject({ type: "error", request_id: failed.headers["x-request-id"] })
          expectNoLeak(failed, world.there.origin)
        }
        world.there.says({ does: "hang" })
        expect(refusalOf(await count({ model: "hasty-model" }))).toEqual([502, "upstream_timeout", null])
        expect(refusalOf(await count({ model: "nowhere-model" }))).toEqual([502, "service_unavailable", null])
      })
    })
  })
