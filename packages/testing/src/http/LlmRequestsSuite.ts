/**
 * What holds for every route of language models: bodies, the order of refusals, who runs a model, and failures of upstreams.
 * Verifies: LANG-1, LANG-2, INFE-1, INFE-3.
 */
import { gzipSync } from "node:zlib"
import type { StorageProvider } from "@trunkline/core"
import { parseExactJson } from "@trunkline/core/testing"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type LlmAnswer, llmBodies } from "../upstreams/index.ts"
import type { Answer, Fields } from "./Exchange.ts"
import type { Start } from "./HttpWorld.ts"
import {
  apis,
  bodies,
  countTokens,
  errorOf,
  expectNoLeak,
  type LlmWorld,
  nameThere,
  openLlmWorld,
  paths,
  refusalOf
} from "./LlmWorld.ts"

const routes = [...apis, "count_tokens"] as const

const pathOf = (route: (typeof routes)[number]) => (route === "count_tokens" ? countTokens : paths[route])

/** What a refusal has on each route. */
const expectEnvelope = (route: (typeof routes)[number], { body, headers }: Answer, error: Fields) => {
  const id = headers["x-request-id"]
  const isMessages = route === "messages" || route === "count_tokens"
  expect(body).toEqual(
    isMessages
      ? { type: "error", error: expect.objectContaining(error), request_id: id }
      : { error: expect.objectContaining(error) }
  )
  expect(Object.keys(body.error as Fields).sort()).toEqual(expect.arrayContaining(["code", "message", "param", "type"]))
  expect(headers["request-id"]).toBe(isMessages ? id : undefined)
}

/** A key whose budget nothing fits into. */
const poorly = { budget: "0.000000001" }

const leaky = (code: string, fields: Fields = {}): unknown => ({
  error: { message: "leaky words of org-1234 at https://inner.example", type: code, code, ...fields }
})

/** An answer with everything that one has, and more levels than anybody reads. */
const tooDeep = JSON.stringify({ ...llmBodies.chat_completions("hi"), ...llmBodies.messages("hi") }).replace(
  /\}$/,
  `,"more":${"[".repeat(100_000)}${"]".repeat(100_000)}}`
)

type Failure = [what: string, answer: LlmAnswer, status: number, code: string, param?: string | null]

/** What upstreams do, and what it is answered as. `param` is undefined where it is the route's own. */
const failures: ReadonlyArray<Failure> = [
  ["400", { status: 400, json: leaky("invalid_request_error") }, 400, "invalid_request"],
  ["415", { status: 415, json: leaky("invalid_request_error") }, 400, "invalid_request"],
  ["422", { status: 422, json: leaky("unprocessable") }, 400, "invalid_request"],
  [
    "a field",
    { status: 400, json: leaky("invalid_request_error", { param: "model" }) },
    400,
    "invalid_request",
    "model"
  ],
  [
    "a field of nobody's",
    { status: 400, json: leaky("invalid_request_error", { param: "leaky" }) },
    400,
    "invalid_request"
  ],
  ["a long prompt", { status: 400, json: leaky("context_length_exceeded") }, 400, "context_length_exceeded"],
  [
    "a long prompt elsewhere",
    { status: 400, json: leaky("exceed_context_size_error") },
    400,
    "context_length_exceeded"
  ],
  [
    "a long prompt in words",
    { status: 400, json: leaky("invalid_request_error", { message: "prompt is too long: 9 > 8" }) },
    400,
    "context_length_exceeded"
  ],
  [
    "a long prompt in other words",
    { status: 400, json: leaky("bad", { message: "This model's maximum context length is 8 tokens" }) },
    400,
    "context_length_exceeded"
  ],
  ["413", { status: 413, json: leaky("request_too_large") }, 413, "file_too_large"],
  ["429", { status: 429, json: leaky("rate_limit_error") }, 429, "rate_limit_exceeded", null],
  ["503 of throttling", { status: 503, json: leaky("slow_down") }, 429, "rate_limit_exceeded", null],
  ["401", { status: 401, json: leaky("invalid_api_key") }, 502, "provider_error", null],
  ["402", { status: 402, json: leaky("unpaid") }, 502, "provider_error", null],
  ["403", { status: 403, json: leaky("forbidden") }, 502, "provider_error", null],
  ["a quota", { status: 429, json: leaky("insufficient_quota") }, 502, "provider_error", null],
  [
    "a quota in words",
    { status: 429, json: { error: { message: "You exceeded your current quota" } } },
    502,
    "provider_error",
    null
  ],
  [
    "credit in words",
    { status: 400, json: leaky("invalid_request_error", { message: "Your credit balance is too low" }) },
    502,
    "provider_error",
    null
  ],
  ["408", { status: 408, json: leaky("timeout") }, 502, "upstream_timeout", null],
  ["a reset", { does: "reset" }, 503, "upstream_unavailable", null],
  ["500", { status: 500, json: leaky("server_error") }, 502, "upstream_error", null],
  ["503", { status: 503, json: leaky("server_error") }, 502, "upstream_error", null],
  ["529", { status: 529, json: leaky("overloaded_error") }, 502, "upstream_error", null],
  ["404", { status: 404, json: leaky("not_found_error") }, 502, "upstream_error", null],
  ["418", { status: 418, json: leaky("teapot") }, 502, "upstream_error", null],
  [
    "a redirect",
    { status: 307, json: "", headers: { location: "https://inner.example" } },
    502,
    "upstream_error",
    null
  ],
  ["no JSON", { does: "answer", body: "leaky words" }, 502, "upstream_error", null],
  ["JSON nested too deeply", { does: "answer", body: tooDeep }, 502, "upstream_error", null],
  ["something else", { json: { leaky: true } }, 502, "upstream_error", null],
  ["a cut answer", { does: "truncate", body: '{"leaky' }, 502, "upstream_error", null]
]

export const llmRequestsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`requests of language models through ${name}`, () => {
    let world: LlmWorld
    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
    })
    afterAll(() => world.close())
    beforeEach(() => world.there.says(null))

    const calls = () => world.there.calls.length
    const sent = () => world.there.calls.at(-1)!
    const asks = async (...given: Parameters<LlmWorld["ask"]>) => refusalOf(await world.ask(...given))

    describe.each(routes)("on the route %s", (route) => {
      // Verifies: G-152, H-22, G-720.
      it("refuses in the envelope of its API, from every layer, and shows the request's id", async () => {
        const before = calls()
        const send = (sent: Parameters<LlmWorld["send"]>[2], path = pathOf(route), method = "POST") =>
          world.send(method, path, { key: world.key, ...sent })
        const json = bodies[route === "count_tokens" ? "messages" : route]()
        const cases: ReadonlyArray<readonly [Answer, number, string]> = [
          [await world.send("POST", pathOf(route), { json }), 401, "invalid_api_key"],
          [await send({ json, key: await keyWithout(world) }), 403, "permission_denied"],
          [await send({}, pathOf(route), "GET"), 405, "method_not_allowed"],
          [await send({ body: "a=b", headers: { "content-type": "text/plain" } }), 415, "invalid_request"],
          [await send({ body: "{", headers: { "content-type": "application/json" } }), 400, "invalid_request"],
          [await send({ json: { ...json, model: 5 } }), 422, "invalid_request"],
          [await send({ json: { ...json, model: "none" } }), 404, "model_not_found"],
          [await send({ json }, `/openai${pathOf(route)}`), 200, ""]
        ]
        for (const [answer, status, code] of cases.slice(0, -1)) {
          expect(answer.status, answer.text).toBe(status)
          expectEnvelope(route, answer, { code })
        }
        expect(cases.at(-1)![0].status).toBe(200)
        const own = await send({ json: { ...json, model: "none" }, headers: { "x-request-id": "mine-7" } })
        expect(own.headers["x-request-id"]).toBe("mine-7")
        expectEnvelope(route, own, { code: "model_not_found" })
        expect(calls() - before).toBeLessThanOrEqual(1)
      })

      // Verifies: G-721.
      it("accepts JSON in UTF-8 alone, not compressed", async () => {
        const json = JSON.stringify(bodies[route === "count_tokens" ? "messages" : route]())
        const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
          world.send("POST", pathOf(route), {
            ...{ key: world.key, body },
            headers: { "content-type": "application/json", ...headers }
          })
        const before = calls()
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
          expect(refusalOf(await send(json, { "content-type": type })), type).toEqual([415, "invalid_request", null])
        }
        for (const [encoding, body] of [
          ["gzip", gzipSync(json)],
          ["br", json]
        ] as const) {
          expect((await send(body, { "content-encoding": encoding })).status).toBe(415)
        }
        const latin = Buffer.from(json.replace("hello", "h\u00e4llo"), "latin1")
        for (const body of ["{", "[]", '"text"', "5", "null", `${json}x`, latin]) {
          const { headers, status } = await send(body)
          expect([body, status, headers["content-type"]]).toEqual([body, 400, expect.stringMatching(/json/)])
        }
        expect(calls()).toBe(before)
        expect((await send(json, { "content-type": "application/json; charset=utf-8" })).status).toBe(200)
        expect((await send(json, { "content-encoding": "identity" })).status).toBe(200)
      })

      // Verifies: G-722.
      it("survives lone surrogates, repeated keys, numbers beyond all bounds and deep nesting", async () => {
        const field = route === "responses" ? "input" : "messages"
        const json = bodies[route === "count_tokens" ? "messages" : route]()
        const text = JSON.stringify(json)
        const send = (body: string) =>
          world.send("POST", pathOf(route), {
            ...{ key: world.key, body },
            headers: { "content-type": "application/json" }
          })
        expect((await send(text.replace("hello", "a \\ud800 b"))).status).toBe(200)
        expect(JSON.stringify(sent().json)).toContain("\\ud800")
        expect((await send(text.replace(/^\{/, '{"model":"none",'))).status).toBe(200)
        expect((await send(text.replace(/^\{/, '{"__proto__":{"model":"none"},"constructor":{},'))).status).toBe(200)
        for (const value of ["1e999", `${"[".repeat(100_000)}${"]".repeat(100_000)}`]) {
          for (const name of ["anything", field]) {
            const answer = await send(text.replace(/\}$/, `,"${name}":${value}}`))
            expect([400, 422], `${name} ${answer.text}`).toContain(answer.status)
          }
        }
      })

      // Verifies: H-759.
      it("passes integers beyond 2^53 on with all of their digits", async () => {
        const api = route === "count_tokens" ? "messages" : route
        const long = '"seed":9007199254740993,"deep":[{"id":-12345678901234567890,"at":0.12345678901234567}]'
        const body = JSON.stringify(bodies[api]()).replace(/\}$/, `,${long}}`)
        const send = () =>
          world.send("POST", pathOf(route), {
            ...{ key: world.key, body },
            headers: { "content-type": "application/json" }
          })
        expect((await send()).status).toBe(200)
        expect(JSON.stringify(sent().json)).toContain(long.slice(0, 65))
        if (route === "count_tokens") return
        world.there.says({ json: { ...llmBodies[api]("hi"), more: parseExactJson("[9007199254740993]") } })
        expect((await send()).text).toContain('"more":[9007199254740993]')
      })

      it("refuses too many elements, items and parts before anything runs, and names the bound", async () => {
        const api = route === "count_tokens" ? "messages" : route
        const field = route === "responses" ? "input" : "messages"
        const before = calls()
        const item = (content: unknown) => ({ role: "user", content })
        const list = <A>(length: number, one: A): ReadonlyArray<A> => Array.from({ length }, () => one)
        const text = { type: route === "responses" ? "input_text" : "text", text: "x" }
        for (const [body, status, param, said] of [
          [{ [field]: list(2049, item("x")) }, 422, field, "2048"],
          [{ [field]: [item("x"), item(list(257, text))] }, 422, `${field}.1.content`, "256"],
          [{ zz: list(200_001, 0) }, 400, null, "200,000"]
        ] as const) {
          const answer = await world.send("POST", pathOf(route), {
            key: world.key,
            json: { ...bodies[api](), ...body }
          })
          expect(answer.status).toBe(status)
          expectEnvelope(route, answer, { code: "invalid_request", param, message: expect.stringContaining(said) })
        }
        expect(calls()).toBe(before)
        const most = await world.ask(route, { [field]: [...list(2047, item("x")), item(list(256, text))] })
        expect(most.status).toBe(200)
      })

      // Verifies: G-723.
      it("names every field that is wrong, and reads null as an absent one", async () => {
        const api = route === "count_tokens" ? "messages" : route
        const field = route === "responses" ? "input" : "messages"
        for (const [fields, param] of [
          [{ model: null }, "model"],
          [{ model: 5 }, "model"],
          [{ [field]: null }, field],
          [{ [field]: [] }, field],
          [{ [field]: {} }, field],
          [{ [field]: [5] }, `${field}.0`],
          ...(route === "responses" ? [] : [[{ [field]: [{ role: "nobody" }] }, `${field}.0.role`]]),
          ...(route === "count_tokens" ? [] : [[{ stream: "yes" }, "stream"]])
        ] as ReadonlyArray<readonly [Fields, string]>) {
          expect(await asks(route, fields), JSON.stringify(fields)).toEqual([422, "invalid_request", param])
        }
        const many = await world.ask(route, { model: 5, [field]: [] })
        expect(errorOf(many).message).toMatch(/model.*;.*(messages|input)|(messages|input).*;.*model/)
        const absent = { temperature: null, top_p: null, tools: null, ...(api === "messages" ? { system: null } : {}) }
        expect((await world.ask(route, absent)).status).toBe(200)
        expect(sent().json).not.toHaveProperty("temperature")
      })

      // Verifies: G-724.
      it("refuses in the documented order, before anything runs or is billed", async () => {
        const before = calls()
        const { account, key, rows } = await world.payer(poorly)
        const { admin } = world.core
        const asKey = (fields: Fields, sent: object = {}) => asks(route, fields, { key, ...sent })
        const limited = (await admin.createKey(account, { models: ["blind-model", "listening-model", "paid-model"] }))
          .text
        const asLimited = (fields: Fields) => asks(route, fields, { key: limited })
        expect(await asKey({ model: 5 })).toEqual([422, "invalid_request", "model"])
        expect(await asKey({ model: "none", service_tier: "leaky" })).toEqual([404, "model_not_found", "model"])
        expect(await asLimited({ model: "chat-model", service_tier: "leaky" })).toEqual([
          403,
          "model_not_allowed",
          "model"
        ])
        expect(await asLimited({ model: "paid-model", service_tier: "leaky" })).toEqual([
          403,
          "model_not_available",
          "model"
        ])
        expect(await asKey({ model: "resting-model", service_tier: "x" })).toEqual([
          503,
          "model_under_maintenance",
          "model"
        ])
        const category = await world.ask(route, { model: "listening-model", service_tier: "leaky" }, { key })
        expect(refusalOf(category)).toEqual([400, "invalid_request", "model"])
        expect(errorOf(category).message).toContain("/v1/audio/transcriptions")
        expect(await rows()).toEqual([])
        expect(calls()).toBe(before)
      })

      // Verifies: G-240, G-724.
      it("refuses what the model does not support before credit and upstreams are looked at", async () => {
        const before = calls()
        const { key, rows } = await world.payer(poorly)
        const asKey = (fields: Fields) => asks(route, fields, { key })
        const seeing = pictures[route === "count_tokens" ? "messages" : route]
        const long = { model: "small-model", anything: "x".repeat(500), max_tokens: 11, max_output_tokens: 11 }
        expect(await asKey(long)).toEqual([413, "file_too_large", null])
        if (route !== "count_tokens") {
          const limit = route === "responses" ? "max_output_tokens" : "max_tokens"
          const beyond = { model: "small-model", [limit]: 11, service_tier: "leaky" }
          expect(await asKey(beyond)).toEqual([400, "max_tokens_too_large", limit])
        }
        const blind = await asKey({ model: "blind-model", ...seeing, service_tier: "leaky" })
        expect(blind).toEqual([400, "invalid_request", expect.stringMatching(/^(messages|input)/)])
        expect(await asKey({ service_tier: "leaky" })).toEqual([400, "invalid_request", "service_tier"])
        if (route === "count_tokens")
          expect(await asks(route, { model: "nowhere-model" }, { key })).toEqual([502, "service_unavailable", null])
        else expect(await asKey({ model: "nowhere-model" })).toEqual([402, "budget_exceeded", null])
        expect(await rows()).toEqual([])
        expect(calls()).toBe(before)
      })
    })

    describe("who runs a model", () => {
      // Verifies: G-725.
      it("is the upstream of its route: over the route's own API, else over one that it is translated to", async () => {
        const table = [
          ["chat_completions", "chat-model", "/v1/chat/completions"],
          ["chat_completions", "messages-model", "/v1/messages"],
          ["chat_completions", "all-model", "/v1/chat/completions"],
          ["messages", "chat-model", "/v1/chat/completions"],
          ["messages", "messages-model", "/v1/messages"],
          ["messages", "all-model", "/v1/messages"],
          ["responses", "chat-model", "/v1/chat/completions"],
          ["responses", "messages-model", "/v1/messages"],
          ["responses", "responses-model", "/v1/responses"],
          ["responses", "all-model", "/v1/responses"]
        ] as const
        for (const [api, model, path] of table) {
          for (const stream of [false, true]) {
            const answer = await world.ask(api, { model, stream })
            expect(answer.status, answer.text).toBe(200)
            expect([api, model, sent().path, sent().json]).toMatchObject([
              api,
              model,
              path,
              { model: nameThere(model) }
            ])
            expectNoLeak(answer, world.there.origin)
            expect(answer.text).toContain(`"model":"${model}"`)
          }
        }
      })

      // Verifies: G-726.
      it("is nobody where no API fits, no route leads or nothing is configured: 502 after all other checks", async () => {
        const { key } = await world.payer()
        const poor = await world.payer(poorly)
        for (const [api, model] of [
          ["chat_completions", "responses-model"],
          ["messages", "responses-model"],
          ["chat_completions", "nowhere-model"],
          ["responses", "nowhere-model"]
        ] as const) {
          const answer = await world.ask(api, { model }, { key })
          expect(refusalOf(answer)).toEqual([502, "service_unavailable", null])
          expect(errorOf(answer).request_id).toBe(answer.headers["x-request-id"])
          expect(await asks(api, { model }, { key: poor.key })).toEqual([402, "budget_exceeded", null])
        }
        expect((await world.ask("count_tokens", { model: "responses-model" })).body).toEqual({ input_tokens: 6 })
      })

      // Verifies: G-727.
      it("gets our key and the two headers of Anthropic, and nothing else of the caller's", async () => {
        const headers = {
          ...{ "user-agent": "leaky-agent", "x-private": "leaky", "openai-organization": "leaky", cookie: "leaky=1" },
          ...{ "anthropic-version": "2024-01-01", "anthropic-beta": "one,two", "x-stainless-os": "leaky" }
        }
        await world.ask("messages", {}, { headers })
        expect(sent().headers).toMatchObject({ "anthropic-version": "2024-01-01", "anthropic-beta": "one,two" })
        expect(sent().headers["x-api-key"]).toMatch(/^sk-/)
        expect(JSON.stringify(sent().headers)).not.toMatch(/leaky|svc_/)
        await world.ask("messages")
        expect(sent().headers["anthropic-version"]).toBe("2023-06-01")
        expect(sent().headers).not.toHaveProperty("anthropic-beta")
        await world.ask("chat_completions", {}, { headers })
        expect(sent().headers.authorization).toMatch(/^Bearer sk-/)
        expect(JSON.stringify(sent().headers)).not.toMatch(/leaky|svc_|anthropic/)
      })

      // Verifies: G-728.
      it("passes on none of the upstream's headers, and reports the attempts where there was more than one", async () => {
        const there = {
          "x-request-id": "leaky",
          "request-id": "leaky",
          "openai-processing-ms": "5",
          "retry-after": "7"
        }
        world.there.says({ json: llmBodies.chat_completions("hi"), headers: there })
        const answer = await world.ask("chat_completions")
        expect(JSON.stringify(answer.headers)).not.toMatch(/leaky|processing|retry-after|attempts/)
        expect(answer.headers["x-request-id"]).toMatch(/^[\w-]+$/)
        world.there.says([{ status: 500, json: {} }, { json: llmBodies.messages("hi") }])
        const second = await world.ask("chat_completions", { model: "backed-model" })
        expect([second.status, second.headers["x-service-attempts"]]).toEqual([200, "2"])
        world.there.says({ status: 500, json: {} })
        const failed = await world.ask("chat_completions", { model: "backed-model" })
        expect([failed.status, failed.headers["x-service-attempts"]]).toEqual([502, "2"])
      })
    })

    describe.each(apis)("failures of upstreams on the route %s", (api) => {
      // Verifies: G-174, G-193, H-30, G-729, G-730.
      it.each(failures)(
        "%s is answered in our own words, costs nothing and has a row",
        async (_, answer, status, code, param) => {
          const { credits, key, rows } = await world.payer()
          for (const stream of [false, true]) {
            world.there.says(answer)
            const failed = await world.ask(
              api,
              { stream, model: `${api === "chat_completions" ? "chat" : api}-model` },
              { key }
            )
            const own = api === "responses" ? "input" : "messages"
            const hasParam = status === 400 || status === 413
            expect(refusalOf(failed), failed.text).toEqual([
              status,
              code,
              param === undefined && hasParam ? own : (param ?? null)
            ])
            expect(errorOf(failed).request_id).toBe(hasParam ? undefined : failed.headers["x-request-id"])
            expect(failed.headers["content-type"]).toMatch(/^application\/json/)
            expect(failed.headers["retry-after"]).toBe(status === 429 ? "1" : undefined)
            expectNoLeak(failed, world.there.origin)
          }
          expect(await rows()).toMatchObject([1, 2].map(() => ({ status, credits: 0, units: 0, service: "llm" })))
          expect(await credits()).toMatchObject({ balance: "1000", reserved: "0" })
        }
      )

      // Verifies: G-731.
      it("an upstream that does not answer in time is 502 upstream_timeout", async () => {
        for (const answer of [{ does: "hang" }, { stream: [], end: "stays" }] as ReadonlyArray<LlmAnswer>) {
          world.there.says(answer)
          const failed = await world.ask(api, { model: "hasty-model", stream: true })
          expect(refusalOf(failed)).toEqual([502, "upstream_timeout", null])
        }
        world.there.says({ does: "hang" })
        expect(await asks(api, { model: "hasty-model" })).toEqual([502, "upstream_timeout", null])
      })

      // Verifies: G-732.
      it("events where none were asked for, and none where they were, are 502 upstream_error", async () => {
        const model = `${api === "chat_completions" ? "chat" : api}-model`
        world.there.says({ json: llmBodies[api]("hello") })
        expect(await asks(api, { model, stream: true })).toEqual([502, "upstream_error", null])
        world.there.says({ stream: [{ type: "x", choices: [] }] })
        expect(await asks(api, { model })).toEqual([502, "upstream_error", null])
        world.there.says({ stream: [] })
        expect(await asks(api, { model, stream: true })).toEqual([502, "upstream_error", null])
      })

      // Verifies: G-733.
      it("Retry-After is the upstream's, within a second and an hour", async () => {
        const model = `${api === "chat_completions" ? "chat" : api}-model`
        for (const [given, expected] of [
          ["7", "7"],
          ["0", "1"],
          ["86400", "3600"],
          ["soon", "1"],
          [new Date(Date.now() + 86_400_000 * 400).toUTCString(), "3600"]
        ] as const) {
          world.there.says({ status: 429, json: leaky("rate_limit_error"), headers: { "retry-after": given } })
          const failed = await world.ask(api, { model })
          expect([failed.status, failed.headers["retry-after"]], given).toEqual([429, expected])
        }
      })
    })
  })

/** A key of the world's account that may not use language models. */
const keyWithout = async (world: LlmWorld): Promise<string> =>
  (await world.core.admin.createKey(world.account, { permissions: ["stt"] })).text

const picture = "data:image/png;base64,iVBORw0KGgo="

const pictures = {
  chat_completions: { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: picture } }] }] },
  messages: {
    messages: [
      {
        role: "user",
        content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }]
      }
    ]
  },
  responses: { input: [{ role: "user", content: [{ type: "input_image", image_url: picture, file_id: null }] }] }
} as const
