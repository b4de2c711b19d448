/** An agent that is tried, and what it knows, as a caller of the API sees them. Verifies: TRIA-1. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { llmBodies } from "../upstreams/index.ts"
import type { Fields } from "./HttpClient.ts"
import { nobody, type Start } from "./HttpWorld.ts"
import { type LlmWorld, nameThere, openLlmWorld } from "./LlmWorld.ts"

const bots = "/api/v1/bots"

const says = (text: string) => ({ json: llmBodies.chat_completions(text) })

/** An answer that asks for tools. */
const calls = (...tools: ReadonlyArray<readonly [name: string, written: string]>) => {
  const body = llmBodies.chat_completions("") as { readonly choices: ReadonlyArray<object> }
  const tool_calls = tools.map(([name, written], nth) => ({
    ...{ id: `call_${nth}`, type: "function" },
    function: { name, arguments: written }
  }))
  const message = { role: "assistant", content: null, tool_calls }
  return { json: { ...body, choices: [{ ...body.choices[0], message, finish_reason: "tool_calls" }] } }
}

const asked = (content = "How much does the kettle hold?") => ({ messages: [{ role: "user", content }] })

export const botTestSuite = (name: string, start: Start, storage: () => StorageProvider): void => {
  describe(`an agent that is tried through ${name}`, () => {
    let world: LlmWorld
    let bot: string

    const ask = (method: string, path: string, json?: unknown, key = world.key) =>
      world.send(method, path, { key, ...(json === undefined ? {} : { json }) })

    const make = async (fields: object = {}, key = world.key) => {
      const given = { name: "Asha", system_prompt: "You sell kettles.", config: { model: "chat-model" }, ...fields }
      return String((await ask("POST", bots, given, key)).body.id)
    }

    const test = (json: unknown, id = bot, key = world.key) => ask("POST", `${bots}/${id}/test`, json, key)

    const logged = async () => (await ask("GET", "/v1/usage/logs?limit=1000")).items

    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
      bot = await make()
      const entries = [
        { title: "Kettle AB-1234", content: "The kettle holds 1.7 litres." },
        { title: "Returns", content: "Returns are free for thirty days." }
      ]
      for (const entry of entries) await ask("POST", `${bots}/${bot}/knowledge`, entry)
    })
    beforeEach(() => world.there.says(null))
    afterAll(() => world.close())

    // Verifies: B-709.
    it("answers as a customer would be answered, with what it has looked up and what it cost", async () => {
      const long = `${"It holds 1.7 litres. ".repeat(250)}`
      world.there.says([
        calls(
          ["search_knowledge_base", JSON.stringify({ query: "kettle litres" })],
          ["search_knowledge_base", "{}"],
          ["order_pizza", '{"size":3}']
        ),
        says(long)
      ])
      const before = await logged()
      const { body, status, text } = await test({
        messages: [
          { role: "user", content: "Hello" },
          { role: "assistant", content: "Good morning." },
          { role: "user", content: "How much does the kettle hold?" }
        ]
      })
      expect(status, text).toBe(200)
      const found = { title: "Kettle AB-1234", snippet: "The kettle holds 1.7 litres.", score: expect.any(Number) }
      expect(body).toEqual({
        text: long.trim(),
        parts: expect.any(Array),
        tools: [
          {
            name: "search_knowledge_base",
            arguments: { query: "kettle litres" },
            result: [found],
            error: null
          },
          { name: "search_knowledge_base", arguments: {}, result: [], error: expect.stringContaining("query") },
          { name: "order_pizza", arguments: { size: 3 }, result: [], error: expect.stringContaining("no tool") }
        ],
        model: "chat-model",
        input_tokens: 24,
        output_tokens: 14,
        credits: expect.any(Number),
        latency_ms: expect.any(Number)
      })
      const parts = body.parts as ReadonlyArray<string>
      expect(parts.length).toBe(2)
      expect(parts.every((part) => part.length <= 4096)).toBe(true)
      expect(parts.join(" ").replaceAll(/\s+/g, " ")).toBe(long.trim())

      // Each run is a row of the usage log, and nothing else is left.
      const rows = (await logged()).slice(0, -before.length || undefined)
      expect(rows).toMatchObject([
        { model: "chat-model", session_id: null, input_tokens: 12, output_tokens: 7 },
        { model: "chat-model", session_id: null, input_tokens: 12, output_tokens: 7 }
      ])
      expect(new Set(rows.map(({ trace_id }) => trace_id)).size).toBe(1)
      const credits = rows.reduce((sum, row) => sum + Number(row.credits), 0)
      expect(body.credits).toBeCloseTo(credits, 9)
      expect((await ask("GET", "/api/v1/messaging/conversations")).items).toEqual([])

      const prompt = (world.there.calls.at(-2)!.json as { messages: ReadonlyArray<Fields> }).messages
      expect(prompt[0]).toMatchObject({ role: "system", content: expect.stringContaining("You sell kettles.") })
      expect(prompt.slice(1).map(({ role }) => role)).toEqual(["user", "assistant", "user"])
    })

    // Verifies: B-709.
    it("is tried with a prompt and settings that are not saved, while it is not active, and each time anew", async () => {
      const resting = await make({ is_active: false })
      expect((await test(asked(), resting)).body).toMatchObject({
        text: "hello there",
        parts: ["hello there"],
        tools: []
      })
      const tried = { ...asked(), system_prompt: "You sell teapots.", config: { model: "small-model", language: "hi" } }
      const answered = await test({ ...tried, config: { model: "unlimited-model", language: "hi" } }, resting)
      expect(answered.body, answered.text).toMatchObject({ model: "unlimited-model" })
      const sent = world.there.calls.at(-1)!.json as { model: string; messages: ReadonlyArray<Fields> }
      expect(sent.model).toBe(nameThere("unlimited-model"))
      expect(sent.messages[0]!.content).toContain("You sell teapots.")
      expect(sent.messages[0]!.content).toContain("Hindi")
      expect((await ask("GET", `${bots}/${resting}`)).body).toMatchObject({
        ...{ system_prompt: "You sell kettles.", config: { model: "chat-model" }, is_active: false }
      })
      await test({ ...asked(), system_prompt: null }, resting)
      expect(JSON.stringify(world.there.calls.at(-1)!.json)).not.toContain("You sell")
      const runs = world.there.calls.length
      for (const _ of ["first", "again"])
        await world.send("POST", `${bots}/${bot}/test`, {
          key: world.key,
          json: asked(),
          headers: { "idempotency-key": "one" }
        })
      expect(world.there.calls.length).toBe(runs + 2)
    })

    // Verifies: B-709.
    it("says in a sentence why it has no answer", async () => {
      const refused = async (model: string) => {
        const { body, headers, status } = await test({ ...asked(), config: { model } })
        return [status, headers["x-service-error"], String(body.detail)]
      }
      for (const [model, status, code, sentence] of [
        ["no-such-model", 409, "agent_model_missing", "There is no language model no-such-model."],
        ["listening-model", 409, "agent_model_missing", "There is no language model listening-model."],
        ["paid-model", 409, "agent_model_missing", "plan does not include"],
        ["resting-model", 409, "agent_model_missing", "out of service"],
        ["nowhere-model", 409, "agent_model_missing", "No provider is configured"]
      ] as const) {
        expect(await refused(model)).toEqual([status, code, expect.stringContaining(sentence)])
      }
      world.there.says({ status: 429, json: { error: { message: "slow" } }, headers: { "retry-after": "7" } })
      const throttled = await test(asked())
      expect([throttled.status, throttled.headers["retry-after"]]).toEqual([429, "7"])
      world.there.says({ status: 500, json: { error: { message: "a secret of theirs" } } })
      const broken = await test(asked())
      expect([broken.status, broken.text]).toEqual([502, expect.not.stringContaining("secret of theirs")])
      world.there.says(says("<think>nothing to say</think>"))
      expect(await refused("chat-model")).toEqual([502, "agent_silent", expect.stringContaining("said nothing")])
      world.there.says({ ...says("late"), delayMs: 2000 })
      expect(await refused("hasty-model")).toEqual([502, "agent_silent", expect.stringContaining("too long")])
      const poor = await world.payer()
      const unpaid = (await world.core.admin.createKey(poor.account, { scopes: ["*"] })).text
      // A credit for each token is more than a new account has.
      const dear = await make({ config: { model: "coin-model" } }, unpaid)
      const refusals = [await test(asked(), dear, unpaid)]
      await world.core.admin.changeAccount(poor.account, { paymentMethod: "missing" })
      refusals.push(await test(asked(), await make({}, unpaid), unpaid))
      expect(refusals.map(({ body, status }) => [status, body.detail])).toEqual([
        [402, expect.stringContaining("credit balance")],
        [402, expect.stringContaining("payment method")]
      ])
    })

    // Verifies: B-709.
    it("is asked by who may write, about an agent of their own, in words that are within bounds", async () => {
      const reader = await world.keyWith("messaging:read")
      expect((await test(asked(), bot, reader)).status).toBe(403)
      expect((await test(asked(), bot, world.stranger)).status).toBe(404)
      expect((await test(asked(), nobody)).status).toBe(404)
      const user = (content: string) => ({ role: "user", content })
      for (const wrong of [
        {},
        { messages: [] },
        { messages: Array.from({ length: 101 }, () => user("x")) },
        { messages: [user("x".repeat(30_000)), user("x".repeat(30_001))] },
        { messages: [user("x"), { role: "assistant", content: "y" }] },
        { messages: [{ role: "system", content: "x" }, user("x")] },
        { messages: [user(" ")] },
        { ...asked(), system_prompt: "x".repeat(100_001) },
        { ...asked(), config: null },
        { ...asked(), config: { functions: "no list" } }
      ]) {
        expect((await test(wrong)).status, JSON.stringify(wrong).slice(0, 80)).toBe(422)
      }
      const most = { messages: [user("x".repeat(30_000)), user("x".repeat(30_000))] }
      expect((await test(most)).status).toBe(200)
    })

    // Verifies: B-710, B-711.
    it("is searched as it would search, and finds what was changed", async () => {
      const search = (q: string, key = world.key) =>
        ask("GET", `${bots}/${bot}/knowledge/search?q=${encodeURIComponent(q)}`, undefined, key)
      const found = await search("how many litres does the kettle hold?")
      expect(found.status, found.text).toBe(200)
      expect(found.items).toEqual([
        {
          entry_id: expect.any(String),
          title: "Kettle AB-1234",
          snippet: "The kettle holds 1.7 litres.",
          score: expect.any(Number)
        }
      ])
      expect((await search("teapots")).items).toEqual([])
      for (const wrong of ["", " ", "x".repeat(1001)]) expect((await search(wrong)).status).toBe(422)
      expect((await search("kettle", world.stranger)).status).toBe(404)

      const entry = `${bots}/${bot}/knowledge/${String(found.items[0]!.entry_id)}`
      const changed = await ask("PATCH", entry, { content: "It holds two litres, and whistles." })
      expect(changed.body).toMatchObject({ title: "Kettle AB-1234", content: "It holds two litres, and whistles." })
      expect((await search("whistles")).items).toMatchObject([{ snippet: "It holds two litres, and whistles." }])
      expect((await ask("PATCH", entry, {})).body).toEqual(changed.body)
      for (const wrong of [{ title: null }, { title: " " }, { content: "" }, { content: "x".repeat(100_001) }])
        expect((await ask("PATCH", entry, wrong)).status, JSON.stringify(wrong).slice(0, 60)).toBe(422)
      expect((await ask("PATCH", entry, { title: "x" }, world.stranger)).status).toBe(404)
      expect((await ask("PATCH", `${bots}/${bot}/knowledge/${nobody}`, { title: "x" })).status).toBe(404)
    })
  })
}
