/** Responses as a caller meets them, without those that are kept. Verifies: LANG-1, LANG-2. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { llmBodies, llmEvents } from "../upstreams/index.ts"
import type { Answer, Fields } from "./Exchange.ts"
import type { Start } from "./HttpWorld.ts"
import { dataIn, errorOf, type LlmWorld, nameThere, openLlmWorld, refusalOf } from "./LlmWorld.ts"

const user = (...content: ReadonlyArray<Fields>) => ({ input: [{ role: "user", content }] })

const refusedEverywhere: ReadonlyArray<[string, Fields]> = [
  ["service_tier", { service_tier: "priority" }],
  ["background", { background: true }],
  ["conversation", { conversation: "conv_1" }],
  ["prompt", { prompt: { id: "p" } }],
  ["input", user({ type: "input_file", file_id: "file-1" })],
  ["input", user({ type: "input_image", file_id: "file-1" })],
  ["input", user({ type: "input_file", file_url: "https://files.example/a.pdf" })],
  [
    "input",
    { input: [{ type: "function_call_output", call_id: "c", output: [{ type: "input_image", file_id: "f" }] }] }
  ],
  [
    "input",
    {
      input: [{ type: "computer_call_output", call_id: "c", output: { type: "computer_screenshot", file_id: "f" } }]
    }
  ],
  ...[
    "web_search",
    "web_search_preview",
    "web_search_2025_08_26",
    "file_search",
    "code_interpreter",
    "image_generation",
    "mcp"
  ].map((type) => ["tools", { tools: [{ type: "function", name: "f" }, { type }] }] as [string, Fields]),
  ["tools", { tools: [{ type: "shell", environment: { type: "container_auto" } }] }]
]

const wrongFields: ReadonlyArray<[string, Fields]> = [
  ["input", { input: undefined }],
  ["input", { input: 5 }],
  ["input", { input: [] }],
  ["instructions", { instructions: 5 }],
  ["max_output_tokens", { max_output_tokens: 0 }],
  ["max_output_tokens", { max_output_tokens: 1.5 }],
  ["stream", { stream: "yes" }],
  ["store", { store: 1 }],
  ["previous_response_id", { previous_response_id: 5 }]
]

const wholeResponse = {
  ...{
    id: expect.stringMatching(/^resp_/),
    object: "response",
    created_at: expect.any(Number),
    status: "completed",
    error: null
  },
  ...{
    incomplete_details: null,
    instructions: "be kind",
    max_output_tokens: null,
    metadata: { a: "b" }
  },
  output: [
    {
      ...{ id: expect.any(String), type: "message", role: "assistant", status: "completed" },
      content: [{ type: "output_text", text: "hello there", annotations: [], logprobs: [] }]
    }
  ],
  ...{
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: expect.anything(),
    store: false,
    temperature: 0.5
  },
  ...{
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    user: "u"
  },
  usage: {
    ...{
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 7
    },
    ...{ output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 19 }
  }
}

export const responsesRoutesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`responses through ${name}`, () => {
    let world: LlmWorld
    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
    })
    afterAll(() => world.close())
    beforeEach(() => world.there.says(null))

    const ask = (fields: Fields = {}) => world.ask("responses", { store: false, ...fields })
    const sent = () => world.there.calls.at(-1)!.json as Fields

    // Verifies: G-118, G-789.
    it("passes a request on as it is, and lets nothing be stored there", async () => {
      const fields = {
        input: [
          { role: "user", content: "x" },
          { type: "message", role: "developer", content: [{ type: "input_text", text: "y", extra: null }] },
          { type: "input_image", image_url: "https://pictures.example/a.png", file_id: null },
          { type: "custom_call", anything: 1 }
        ],
        ...{
          instructions: "be kind",
          max_output_tokens: 5,
          reasoning: { effort: "low" },
          service_tier: "auto",
          unknown: { a: [null] }
        },
        ...{
          tools: [
            { type: "function", name: "f", parameters: {} },
            { type: "custom", name: "g" }
          ],
          background: false,
          text: { verbosity: "low" }
        }
      }
      for (const store of [undefined, true, false]) {
        const answer = await world.ask("responses", { ...fields, store, metadata: { a: "b" } })
        expect(answer.status, answer.text).toBe(200)
        expect(sent()).toEqual({ ...fields, model: nameThere("responses-model"), store: false })
      }
    })

    // Verifies: G-790.
    it("answers with what the upstream said, with our id, the requested model, and the request's fields", async () => {
      const answer = {
        ...llmBodies.responses("hi"),
        unknown: 1,
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" }
      }
      world.there.says({ json: answer })
      const { body } = await ask({ metadata: { a: "b" } })
      expect(body).toMatchObject({
        ...{ ...answer, id: expect.stringMatching(/^resp_\w+$/), model: "responses-model" },
        ...{ store: false, metadata: { a: "b" }, output: expect.any(Array) }
      })
    })

    // Verifies: G-791.
    it.each(refusedEverywhere)("refuses %s of %j before anything runs", async (param, fields) => {
      const before = world.there.calls.length
      for (const model of ["responses-model", "chat-model"]) {
        const answer = await ask({ model, ...fields })
        expect([answer.status, errorOf(answer).code], answer.text).toEqual([400, "invalid_request"])
        expect(String(errorOf(answer).param)).toMatch(new RegExp(`^${param}`))
      }
      expect(world.there.calls.length).toBe(before)
    })

    // Verifies: G-792.
    it.each(wrongFields)("names %s of %j: 422", async (param, fields) => {
      expect(refusalOf(await ask(fields))).toEqual([422, "invalid_request", param])
    })

    describe.each(["chat-model", "messages-model"])("of the model %s, whose upstream lacks the API", (model) => {
      // Verifies: G-793.
      it("are translated, with every field of a response", async () => {
        const fields = {
          model,
          instructions: "be kind",
          temperature: 0.5,
          metadata: { a: "b" },
          user: "u",
          reasoning: { effort: "low" }
        }
        const answer = await ask(fields)
        expect(answer.status, answer.text).toBe(200)
        expect(answer.body).toEqual({ ...wholeResponse, model })
        const events = dataIn((await ask({ ...fields, stream: true })).text) as ReadonlyArray<Fields>
        expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, n) => n))
        expect(events.map(({ type }) => String(type).replace("response.", ""))).toEqual([
          ...[
            "created",
            "in_progress",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.delta"
          ],
          ...["output_text.done", "content_part.done", "output_item.done", "completed"]
        ])
        expect(events.at(-1)).toMatchObject({
          response: { status: "completed", output: [{ content: [{ text: "hello there" }] }] }
        })
      })

      // Verifies: G-794.
      it("refuse what has no place there, in the words of the caller", async () => {
        const before = world.there.calls.length
        for (const [param, more] of [
          ["unknown", { unknown: 1 }],
          ["truncation", { truncation: "auto" }],
          ["include", { include: ["file_search_call.results"] }],
          ["tools", { tools: [{ type: "local_shell" }] }],
          ["input", { input: [{ type: "custom_call", anything: 1 }] }],
          ...(model === "messages-model" ? [["text", { text: { verbosity: "low" } }]] : [])
        ] as ReadonlyArray<[string, Fields]>) {
          const answer = await ask({ model, ...more })
          expect([answer.status, errorOf(answer).code], answer.text).toEqual([400, "invalid_request"])
          expect(String(errorOf(answer).param)).toMatch(new RegExp(`^${param}`))
        }
        expect(world.there.calls.length).toBe(before)
        const hints = {
          service_tier: "default",
          truncation: "disabled",
          max_tool_calls: 5,
          prompt_cache_key: "x",
          background: false
        }
        const taken = await ask({ model, ...hints, include: ["reasoning.encrypted_content"], safety_identifier: "u" })
        expect(taken.status, taken.text).toBe(200)
      })
    })

    // Verifies: G-795.
    it("numbers the events of an error on from what came before, also of a translation", async () => {
      const events = llmEvents.chat_completions("one two three").slice(0, 3)
      world.there.says({ stream: events, end: "breaks" })
      const all = dataIn((await ask({ model: "chat-model", stream: true })).text) as ReadonlyArray<Fields>
      expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, n) => n))
      expect(all.slice(-2).map(({ type }) => type)).toEqual(["response.failed", "error"])
      expect(all.at(-2)).toMatchObject({ response: { id: (all[0]!.response as Fields).id, status: "failed" } })
    })

    describe("the counting of an input's tokens", () => {
      const count = (fields: Fields = {}, key = world.key) =>
        world.send("POST", "/v1/responses/input_tokens", {
          ...{ key, json: { model: "responses-model", input: "hello", ...fields } }
        })
      const counted = (input_tokens: number) => ({ object: "response.input_tokens", input_tokens })
      const asRead = ({ body, headers, status }: Answer) => [status, body, headers["x-service-token-count"]]

      // Verifies: G-920.
      it("is by the upstream where it has the Responses API, else by estimate, and says which", async () => {
        world.there.says({ json: { ...counted(77), leaky: true } })
        expect(asRead(await count({ instructions: "be kind" }))).toEqual([200, counted(77), "upstream"])
        const there = world.there.calls.at(-1)!
        expect([there.path, there.json]).toEqual([
          "/v1/responses/input_tokens",
          { model: nameThere("responses-model"), input: "hello", instructions: "be kind" }
        ])
        const before = world.there.calls.length
        for (const model of ["chat-model", "messages-model"]) {
          // 12 bytes, and one message.
          expect(asRead(await count({ model, instructions: "be kind" }))).toEqual([200, counted(7), "estimate"])
        }
        expect(world.there.calls.length).toBe(before)
        for (const status of [404, 405]) {
          world.there.says({ status, json: { error: { message: "leaky" } } })
          expect(asRead(await count())).toEqual([200, counted(6), "estimate"])
        }
        world.there.says({ status: 500, json: { error: { message: "leaky" } } })
        expect(refusalOf(await count())).toEqual([502, "upstream_error", null])
      })

      // Verifies: G-920.
      it("counts the conversation that the input continues, and keeps nothing", async () => {
        const { body } = await world.ask("responses", { model: "chat-model", input: "a first input" })
        const continued = { model: "chat-model", previous_response_id: body.id }
        expect(asRead(await count(continued))).toEqual([200, counted(Math.ceil((13 + 11 + 5) / 4) + 3 * 4), "estimate"])
        await count({ model: "responses-model", previous_response_id: body.id, store: true })
        expect(world.there.calls.at(-1)!.json).toEqual({
          model: nameThere("responses-model"),
          input: [expect.anything(), expect.anything(), { role: "user", content: "hello" }]
        })
        expect(refusalOf(await count({ previous_response_id: "resp_none" }))).toEqual([
          404,
          "not_found",
          "previous_response_id"
        ])
      })

      // Verifies: G-920.
      it("costs nothing, has no row and needs no credit, and refuses what responses refuse", async () => {
        const { credits, key, rows } = await world.payer({ budget: "0.000000001" })
        expect((await count({}, key)).status).toBe(200)
        for (const [fields, refusal] of [
          [{ model: 5 }, [422, "invalid_request", "model"]],
          [{ input: undefined }, [422, "invalid_request", "input"]],
          [{ model: "none" }, [404, "model_not_found", "model"]],
          [{ conversation: "conv_1" }, [400, "invalid_request", "conversation"]],
          [
            {
              model: "blind-model",
              ...user({ type: "input_image", image_url: "https://pictures.example/a.png" })
            },
            [400, "invalid_request", "input"]
          ]
        ] as const) {
          expect(refusalOf(await count(fields, key))).toEqual(refusal)
        }
        expect(await rows()).toEqual([])
        expect(await credits()).toMatchObject({ balance: "1000", reserved: "0" })
      })
    })
  })
