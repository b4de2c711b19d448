/** What requests of language models cost: figures, estimates, prices, and what is held before. Verifies: LANG-4, LANG-5, INFE-4. */
import type { StorageProvider } from "@trunkline/core"
import { isObject, type LlmApi } from "@trunkline/core/provider"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { llmBodies, llmEvents, type ScriptedEvent } from "../upstreams/index.ts"
import type { Fields } from "./Exchange.ts"
import type { Start } from "./HttpWorld.ts"
import { apis, bodies, creditsOf, errorOf, type LlmPayer, type LlmWorld, openLlmWorld, refusalOf } from "./LlmWorld.ts"

const modelOf: Readonly<Record<LlmApi, string>> = {
  chat_completions: "chat-model",
  messages: "messages-model",
  responses: "responses-model"
}

interface Figures {
  readonly input: unknown
  readonly output: unknown
  readonly read?: unknown
  readonly write?: unknown
}

/** A usage in the words of an API: of OpenAI's two the input includes what a cache had or took. */
const usageOf: Readonly<Record<LlmApi, (figures: Figures) => Fields>> = {
  chat_completions: ({ input, output, read, write }) => ({
    ...{ prompt_tokens: input, completion_tokens: output },
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write }
  }),
  messages: ({ input, output, read, write }) => ({
    ...{ input_tokens: input, output_tokens: output },
    ...{ cache_read_input_tokens: read, cache_creation_input_tokens: write }
  }),
  responses: ({ input, output, read, write }) => ({
    ...{ input_tokens: input, output_tokens: output },
    input_tokens_details: { cached_tokens: read, cache_write_tokens: write }
  })
}

/** A whole answer, and a stream, with a usage of their own; null for none. */
const answerWith = (api: LlmApi, usage: unknown): Fields => {
  const { usage: _, ...answer } = llmBodies[api]("one two three")
  return usage === null ? answer : { ...answer, usage }
}

const streamWith = (api: LlmApi, usage: unknown): ReadonlyArray<ScriptedEvent> =>
  llmEvents[api]("one two three").flatMap((event): ReadonlyArray<ScriptedEvent> => {
    if (event === "[DONE]") return [event]
    if (api === "chat_completions") {
      if ((event as Fields).usage === undefined) return [event]
      return usage === null ? [] : [{ ...event, usage }]
    }
    if (api === "messages" && event.type === "message_start") {
      const { usage: _, ...message } = event.message as Fields
      return [{ ...event, message }]
    }
    if (api === "messages" && event.type === "message_delta") {
      const { usage: _, ...delta } = event
      return [usage === null ? delta : { ...delta, usage }]
    }
    if (api === "responses" && event.type === "response.completed")
      return [{ ...event, response: answerWith(api, usage) }]
    return [event]
  })

export const llmMeteringSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`metering of language models through ${name}`, () => {
    let world: LlmWorld
    let payer: LlmPayer
    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      world.there.says(null)
      payer = await world.payer()
    })

    /** The row of a request that was answered. */
    const billed = async (api: LlmApi, fields: Fields = {}): Promise<Fields> => {
      const answer = await world.ask(api, { model: modelOf[api], ...fields }, { key: payer.key })
      expect(answer.status, answer.text).toBe(200)
      return (await payer.rows())[0]!
    }

    const tokens = ({ cache_creation_tokens, cache_read_tokens, input_tokens, output_tokens, units }: Fields) => ({
      ...{ input: input_tokens, output: output_tokens, read: cache_read_tokens, write: cache_creation_tokens, units }
    })

    describe.each(apis)("of the API %s", (api) => {
      // Verifies: G-753.
      it("bills the upstream's own figures, whole and streamed, a zero included", async () => {
        const includes = api !== "messages"
        for (const [figures, row] of [
          [
            { input: 100, output: 50, read: 0, write: 0 },
            { input: 100, output: 50, read: 0, write: 0, units: 150 }
          ],
          [
            { input: 0, output: 0, read: 0, write: 0 },
            { input: 0, output: 0, read: 0, write: 0, units: 0 }
          ],
          [
            { input: 7, output: 3 },
            { input: 7, output: 3, read: 0, write: 0, units: 10 }
          ],
          [
            { input: includes ? 100 : 50, output: 9, read: 20, write: 30 },
            { input: 50, output: 9, read: 20, write: 30, units: 109 }
          ]
        ] as const) {
          world.there.says({ json: answerWith(api, usageOf[api](figures)) })
          expect(tokens(await billed(api))).toEqual(row)
          world.there.says({ stream: streamWith(api, usageOf[api](figures)) })
          expect(tokens(await billed(api, { stream: true }))).toEqual(row)
        }
      })

      // Verifies: G-754, G-755.
      it("bills the estimate for figures that are missing or impossible, and shows it in the answer", async () => {
        // "hello" and one message; "one two three" has 13 bytes.
        const [input, output] = [2 + 4, 4]
        const impossible = [-1, 1.5, 1_000_000_001, "12", null, Number.MAX_VALUE, {}, true]
        const cases: ReadonlyArray<readonly [unknown, number, number]> = [
          [null, input, output],
          [{}, input, output],
          ["usage", input, output],
          ...impossible.map((figure) => [usageOf[api]({ input: figure, output: 7 }), input, 7] as const),
          ...impossible.map((figure) => [usageOf[api]({ input: 12, output: figure }), 12, output] as const)
        ]
        for (const [usage, inputTokens, outputTokens] of cases) {
          for (const stream of [false, true]) {
            world.there.says(stream ? { stream: streamWith(api, usage) } : { json: answerWith(api, usage) })
            const answer = await world.ask(
              api,
              { model: modelOf[api], stream, ...(stream ? { stream_options: { include_usage: true } } : {}) },
              { key: payer.key }
            )
            const what = `${JSON.stringify(usage)} ${answer.text}`
            expect(answer.status, what).toBe(200)
            expect(tokens((await payer.rows())[0]!), what).toMatchObject({ input: inputTokens, output: outputTokens })
            expect(answer.text, what).toMatch(new RegExp(`"(prompt|input)_tokens":${inputTokens}\\b`))
            expect(answer.text, what).toMatch(new RegExp(`"(completion|output)_tokens":${outputTokens}\\b`))
          }
        }
      })

      // Verifies: G-756.
      it("reserves what a request can cost at most, exactly, and says what to do where that does not fit", async () => {
        const limit = api === "responses" ? "max_output_tokens" : "max_tokens"
        const model = "coin-model"
        // Five bytes, one message, the template, and the output.
        const held = 5 + 16 + 1024 + 100
        const { credits, key } = await world.payer({ more: String(held - 1000) })
        world.there.says({ json: llmBodies.chat_completions("hi") })
        const beyond = await world.ask(api, { model, [limit]: 101 }, { key })
        expect(refusalOf(beyond)).toEqual([402, "insufficient_credits", null])
        expect(errorOf(beyond).message).toContain("max_tokens")
        expect((await world.ask(api, { model, [limit]: 100 }, { key })).status).toBe(200)
        expect(await credits()).toMatchObject({ balance: String(held - 19), reserved: "0" })
        const ofKey = async (budget: string) => (await world.core.admin.createKey(world.account, { budget })).text
        const short = await world.ask(api, { model, [limit]: 100 }, { key: await ofKey(`${held - 1}.999999999`) })
        expect(refusalOf(short)).toEqual([402, "budget_exceeded", null])
        expect(errorOf(short).message).toContain("max_tokens")
        expect((await world.ask(api, { model, [limit]: 100 }, { key: await ofKey(String(held)) })).status).toBe(200)
      })

      // Verifies: G-757.
      it("reserves the model's maximum where the caller names none, and sends none", async () => {
        if (api === "messages") return
        const model = "coin-model"
        const { key } = await world.payer({ more: String(5 + 16 + 1024 + 1000 - 1000) })
        world.there.says({ json: llmBodies.chat_completions("hi") })
        expect((await world.ask(api, { model }, { key })).status).toBe(200)
        expect(Object.keys(world.there.calls.at(-1)!.json as Fields)).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/^max_/)])
        )
        expect(refusalOf(await world.ask(api, { model }, { key }))).toEqual([402, "insufficient_credits", null])
      })
    })

    // Verifies: G-758.
    it("reserves texts, tools, calls, results, documents, messages and pictures by their own measures", async () => {
      const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }]
      const picture = { type: "image_url", image_url: { url: "https://pictures.example/a.png" } }
      const file = {
        type: "file",
        file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${btoa("x".repeat(30))}` }
      }
      const call = { id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } }
      const cases: ReadonlyArray<readonly [Fields, number]> = [
        [
          {
            messages: [
              { role: "system", content: "\u00e4\u00f6" },
              { role: "user", content: "hi" }
            ]
          },
          4 + 2 + 32
        ],
        [{ tools }, 5 + 16 + Buffer.byteLength(JSON.stringify(tools))],
        [{ messages: [{ role: "user", content: [{ type: "text", text: "see" }, picture, picture] }] }, 3 + 16 + 20_000],
        [{ messages: [{ role: "user", content: [file] }] }, 30 + 16],
        [
          {
            messages: [
              { role: "assistant", content: null, tool_calls: [call] },
              { role: "tool", tool_call_id: "c1", content: "done" }
            ]
          },
          4 + 8 + 4 + 32
        ]
      ]
      world.there.says({ json: llmBodies.chat_completions("hi") })
      for (const [fields, input] of cases) {
        const held = input + 1024 + 10
        const asks = async (budget: string) => {
          const { text } = await world.core.admin.createKey(world.account, { budget })
          const answer = await world.ask(
            "chat_completions",
            { model: "coin-model", max_tokens: 10, ...fields },
            { key: text }
          )
          return answer.status
        }
        expect([await asks(`${held - 1}.999999999`), await asks(String(held))], JSON.stringify(fields)).toEqual([
          402, 200
        ])
      }
    })

    // Verifies: G-176, G-238, G-759.
    it("reserves the greater of two limits, and the output as often as there are answers", async () => {
      const fields = { model: "coin-model", max_tokens: 10, max_completion_tokens: 20, n: 3 }
      const held = 5 + 16 + 1024 + 60
      const ofKey = async (budget: number) =>
        (await world.core.admin.createKey(world.account, { budget: String(budget) })).text
      world.there.says({ json: llmBodies.chat_completions("hi") })
      expect((await world.ask("chat_completions", fields, { key: await ofKey(held - 1) })).status).toBe(402)
      expect((await world.ask("chat_completions", fields, { key: await ofKey(held) })).status).toBe(200)
      expect(world.there.calls.at(-1)!.json).toMatchObject({ max_tokens: 10, max_completion_tokens: 20, n: 3 })
      for (const limit of ["max_tokens", "max_completion_tokens"]) {
        const answer = await world.ask("chat_completions", { [limit]: 1001 })
        expect(refusalOf(answer)).toEqual([400, "max_tokens_too_large", limit])
      }
      expect(refusalOf(await world.ask("chat_completions", { max_tokens: 2 ** 40 }))).toEqual([
        400,
        "max_tokens_too_large",
        "max_tokens"
      ])
    })

    // Verifies: G-760.
    it("has prices of its own for what a cache had and took", async () => {
      const usage = usageOf.chat_completions({ input: 1000, output: 100, read: 400, write: 500 })
      world.there.says({ json: answerWith("chat_completions", usage) })
      const row = await billed("chat_completions", { model: "cached-model" })
      expect(row.credits).toBe((100 * 2 + 400 * 0.5 + 500 * 3 + 100 * 10) / 1_000_000)
      const more = usageOf.chat_completions({ input: 10, output: 0, read: 400, write: 500 })
      world.there.says({ json: answerWith("chat_completions", more) })
      expect(tokens(await billed("chat_completions", { model: "cached-model" }))).toMatchObject({
        input: 0,
        read: 10,
        write: 0
      })
      expect(tokens(await billed("chat_completions"))).toMatchObject({ units: 10 })
      expect((await payer.rows())[0]!.credits).toBe(creditsOf({ input: 10 }))
    })

    // Verifies: G-761.
    it("costs 2x and 1.5x above 272,000 tokens of input, what a cache had and took included", async () => {
      const spent = async (figures: Figures) => {
        world.there.says({ json: answerWith("chat_completions", usageOf.chat_completions(figures)) })
        return (await billed("chat_completions", { model: "long-model" })).credits
      }
      expect(await spent({ input: 272_000, output: 100 })).toBe((272_000 + 400) / 1_000_000)
      expect(await spent({ input: 272_001, output: 100 })).toBe((2 * 272_001 + 1.5 * 400) / 1_000_000)
      expect(await spent({ input: 272_001, output: 0, read: 272_000 })).toBe((2 * 272_001) / 1_000_000)
    })

    // Verifies: G-762.
    it("reserves the long price where the input may come to it", async () => {
      const messages = [{ role: "user", content: "x".repeat(272_000 - 1024 - 16) }]
      const cost = (input: number, isLong: boolean) => (isLong ? (2 * input + 1.5 * 40) / 1e6 : (input + 40) / 1e6)
      const asks = async (content: string, budget: number) => {
        const { text } = await world.core.admin.createKey(world.account, { budget: budget.toFixed(9) })
        const fields = { model: "long-model", max_tokens: 10, messages: [{ ...messages[0], content }] }
        return (await world.ask("chat_completions", fields, { key: text })).status
      }
      const text = messages[0]!.content
      expect(await asks(text, cost(272_000, false))).toBe(200)
      expect(await asks(text, cost(272_000, false) - 1e-9)).toBe(402)
      expect(await asks(`${text}x`, cost(272_001, true))).toBe(200)
      expect(await asks(`${text}x`, cost(272_001, true) - 1e-9)).toBe(402)
    })

    // Verifies: G-763.
    it("charges what an upstream claims beyond what was reserved to free credit, and never more", async () => {
      const usage = usageOf.chat_completions({ input: 5000, output: 5000 })
      world.there.says({ json: answerWith("chat_completions", usage) })
      const { credits, key, rows } = await world.payer({ more: "200" })
      const answer = await world.ask("chat_completions", { model: "coin-model", max_tokens: 10 }, { key })
      expect(answer.status).toBe(200)
      expect(await credits()).toMatchObject({ balance: "0", reserved: "0" })
      expect(await rows()).toMatchObject([{ credits: 1200, units: 10_000 }])
    })

    // Verifies: G-764.
    it("bills an estimate that is never more than was reserved", async () => {
      world.there.says({ json: { ...answerWith("chat_completions", null), choices: [choice("x".repeat(4000))] } })
      expect(tokens(await billed("chat_completions", { max_tokens: 10 }))).toMatchObject({ input: 6, output: 10 })
      const content = [...Array(3)].map(() => ({
        type: "image_url",
        image_url: { url: "https://pictures.example/a.png" }
      }))
      const messages = [
        { role: "system", content: "abc" },
        { role: "user", content }
      ]
      expect(tokens(await billed("chat_completions", { messages }))).toMatchObject({
        input: 1 + 8 + 3000,
        output: 1000
      })
    })

    // Verifies: G-765.
    it("overdraws nothing, whatever runs side by side", async () => {
      const held = 5 + 16 + 1024 + 100
      const { credits, key } = await world.payer({ more: String(3 * held - 1000) })
      world.there.says({ json: answerWith("chat_completions", usageOf.chat_completions({ input: 1045, output: 100 })) })
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          world.ask("chat_completions", { model: "coin-model", max_tokens: 100 }, { key })
        )
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 402, 402, 402, 402, 402])
      expect(await credits()).toMatchObject({ balance: "0", reserved: "0" })
    })

    // Verifies: G-766.
    it("is a call of the plan where it ran to its end, and none where it failed", async () => {
      const calls = async () => {
        const answer = await world.ask("chat_completions", {}, { key: payer.key })
        return answer.status
      }
      world.there.says({ status: 500, json: {} })
      for (let n = 0; n < 3; n++) expect(await calls()).toBe(502)
      world.there.says(null)
      const many = await Promise.all(
        Array.from({ length: 10 }, async () => Promise.all(Array.from({ length: 1 }, calls)))
      )
      expect(many.flat().every((status) => status === 200)).toBe(true)
      const left = 100 - 10
      for (let n = 0; n < left; n += 10) {
        expect(await Promise.all(Array.from({ length: 10 }, calls))).toEqual(Array.from({ length: 10 }, () => 200))
      }
      const beyond = await world.ask("messages", {}, { key: payer.key })
      expect(refusalOf(beyond)).toEqual([429, "quota_exceeded", null])
      expect((await world.ask("count_tokens", {}, { key: payer.key })).status).toBe(200)
    })

    // Verifies: G-767.
    it("is priced and logged, and not deducted, of the plan enterprise", async () => {
      const before = await world.core.admin.credits(world.account)
      await world.ask(
        "chat_completions",
        {},
        { headers: { "x-session-id": "s-1", "x-trace-id": "t-1", "x-request-id": "r-1" } }
      )
      const [row] = (await world.send("GET", "/v1/usage/logs?limit=1", { key: world.key })).items
      expect(row).toMatchObject({
        ...{
          service: "llm",
          model: "chat-model",
          status: 200,
          unit: "tokens",
          units: 19,
          credits: creditsOf({ input: 12, output: 7 })
        },
        ...{ session_id: "s-1", trace_id: "t-1", request_id: "r-1" }
      })
      expect(await world.core.admin.credits(world.account)).toEqual(before)
    })

    describe("an Idempotency-Key", () => {
      // Verifies: G-768.
      it.each([...apis, "count_tokens"] as const)(
        "of %s answers the same JSON with what was answered, however it is written",
        async (route) => {
          const { key, rows } = await world.payer()
          const headers = { "idempotency-key": `one of ${route}` }
          const api = route === "count_tokens" ? "messages" : route
          const fields = {
            ...bodies[api]({ model: modelOf[api] }),
            temperature: 1,
            top_p: null,
            unknown: { a: 1, b: [{ c: 2, d: 3 }] }
          }
          const { max_tokens: _, ...prompt } = fields as Fields
          const json = route === "count_tokens" ? prompt : fields
          const turned = turnedAround(json)
          const path = {
            chat_completions: "/v1/chat/completions",
            messages: "/v1/messages",
            responses: "/v1/responses",
            count_tokens: "/v1/messages/count_tokens"
          }[route]
          const before = world.there.calls.length
          const first = await world.send("POST", path, { key, headers, json })
          const again = await world.send("POST", path, {
            key,
            body: JSON.stringify(turned, null, 3),
            headers: { ...headers, "content-type": "application/json" }
          })
          expect(again.text).toBe(first.text)
          expect(again.headers["idempotent-replayed"]).toBe("true")
          expect(first.headers).not.toHaveProperty("idempotent-replayed")
          const reused = await world.send("POST", path, { key, headers, json: { ...json, temperature: 0 } })
          expect(refusalOf(reused)).toEqual([409, "idempotency_key_reused", null])
          expect(reused.headers["x-should-retry"]).toBe("false")
          expect(world.there.calls.length).toBe(before + 1)
          expect(await rows()).toHaveLength(route === "count_tokens" ? 0 : 1)
          const empty = await world.send("POST", path, { key, headers: { "idempotency-key": "x".repeat(256) }, json })
          expect(refusalOf(empty)).toEqual([400, "invalid_request", "Idempotency-Key"])
        }
      )

      // Verifies: G-769.
      it("is of one route: another one with the same JSON is another request", async () => {
        const { key } = await world.payer()
        const headers = { "idempotency-key": "of one route" }
        const json = { model: "all-model", max_tokens: 5, messages: [{ role: "user", content: "hi" }] }
        expect((await world.send("POST", "/v1/chat/completions", { key, headers, json })).status).toBe(200)
        for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
          expect(refusalOf(await world.send("POST", path, { key, headers, json }))).toEqual([
            409,
            "idempotency_key_reused",
            null
          ])
        }
      })
    })
  })

const choice = (content: string) => ({ index: 0, message: { role: "assistant", content }, finish_reason: "stop" })

/** The same JSON with the fields of every object in the other order, and without those that are null. */
const turnedAround = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turnedAround)
  if (!isObject(value)) return value
  const fields = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(fields.reverse().map(([name, one]) => [name, turnedAround(one)]))
}
