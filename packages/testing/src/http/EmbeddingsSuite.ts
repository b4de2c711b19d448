/** The route of embeddings as a caller of the API meets it: docs/reference/embeddings.md. Verifies: EMBD-1, EMBD-2, EMBD-3. */
import type { KeyOptions, StorageProvider, TrunklineOptions, UpstreamProvider } from "@trunkline/core"
import { upstreamProvider } from "@trunkline/core/provider"
import { embedded } from "@trunkline/providers/embedded"
import { openai } from "@trunkline/providers/openai"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  type FakeUpstream,
  openAiEmbeddings,
  openAiError,
  openAiVector,
  startFakeOpenAi,
  type UpstreamMood
} from "../upstreams/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

const path = "/v1/embeddings"
const small = "text-embedding-3-small"

/** Every form of an input, with how many inputs it is. */
const forms: ReadonlyArray<readonly [what: string, input: unknown, inputs: number]> = [
  ["a text", "Mangoes ripen in May.", 1],
  ["texts", ["one", "two", "three"], 3],
  ["token numbers, which are one input", [101, 2023, 102], 1],
  ["lists of token numbers", [[101], [0, 102]], 2]
]

/** What is refused by its fields, with the first field that is named. */
const wrong: ReadonlyArray<readonly [what: string, body: Fields, param: string]> = [
  ["no input", { input: undefined }, "input"],
  ["null for an input", { input: null }, "input"],
  ["an empty text", { input: "" }, "input"],
  ["an empty list", { input: [] }, "input"],
  ["an empty text in a list", { input: ["one", ""] }, "input"],
  ["an empty list of tokens in a list", { input: [[1], []] }, "input"],
  ["texts beside numbers", { input: ["one", 2] }, "input"],
  ["a text beside a list of tokens", { input: [[1], "one"] }, "input"],
  ["half a token", { input: [1.5] }, "input"],
  ["a token below zero", { input: [[-1]] }, "input"],
  ["a number", { input: 7 }, "input"],
  ["an object", { input: { text: "one" } }, "input"],
  ["lists in lists of lists", { input: [[[1]]] }, "input"],
  ["no model", { model: undefined }, "model"],
  ["an empty model", { model: "" }, "model"],
  ["no dimension", { dimensions: 0 }, "dimensions"],
  ["half a dimension", { dimensions: 1.5 }, "dimensions"],
  ["dimensions in a text", { dimensions: "256" }, "dimensions"],
  ["another form of vectors", { encoding_format: "int8" }, "encoding_format"]
]

type Refusal = readonly [what: string, body: Fields, status: number, code: string, param: string]

/** What the model, or the gateway, does not do. */
const refusals: ReadonlyArray<Refusal> = [
  ["an unknown model", { model: "none" }, 404, "model_not_found", "model"],
  // Verifies: G-815.
  ["a language model", { model: "kimi-k2.5" }, 400, "invalid_request", "model"],
  // Verifies: G-236, G-803.
  ["129 inputs", { input: Array.from({ length: 129 }, () => "one") }, 400, "invalid_request", "input"],
  ["3 inputs for a model of 2", { model: "tiny", input: ["a", "b", "c"] }, 400, "invalid_request", "input"],
  // Verifies: G-804.
  ["1,537 dimensions of a model of 1,536", { dimensions: 1537 }, 400, "invalid_request", "dimensions"],
  // Verifies: G-816.
  ["a body beyond the model's bytes", { model: "tiny", input: "x".repeat(400) }, 413, "file_too_large", ""]
]

/** What an upstream may do, and what its caller gets. */
const failures: ReadonlyArray<readonly [what: string, mood: UpstreamMood, status: number, code: string]> = [
  ["refuses the request", openAiError(400, "invalid_value"), 400, "invalid_request"],
  ["refuses an input beyond its context", openAiError(400, "context_length_exceeded"), 400, "context_length_exceeded"],
  ["refuses what the input says", openAiError(400, "content_filter"), 400, "invalid_request"],
  ["finds the request too large", openAiError(413, null), 413, "file_too_large"],
  ["is asked too often", openAiError(429, "rate_limit_exceeded"), 429, "rate_limit_exceeded"],
  ["refuses our key", openAiError(401, "invalid_api_key"), 502, "provider_error"],
  ["fails", openAiError(500, null), 502, "upstream_error"],
  ["has no such route", openAiError(404, null), 502, "upstream_error"],
  ["resets the connection", { does: "reset" }, 503, "upstream_unavailable"],
  ["answers with no JSON", { does: "answer", body: "hello" }, 502, "upstream_error"],
  ["answers without vectors", { does: "answer", body: { object: "list" } }, 502, "upstream_error"],
  // Verifies: G-809.
  ["answers fewer vectors than inputs", openAiEmbeddings([[1, 0]]), 502, "upstream_error"],
  ["answers more vectors than inputs", openAiEmbeddings([[1], [1], [1]]), 502, "upstream_error"],
  ["answers an empty vector", openAiEmbeddings([[1], []]), 502, "upstream_error"],
  [
    "answers bytes that are no floats",
    { does: "answer", body: { data: [{ embedding: "AAA=" }, { embedding: "AAAA" }] } },
    502,
    "upstream_error"
  ],
  // Verifies: G-819.
  ["answers more than 16 MiB", { does: "trickle", megabytes: 17 }, 502, "upstream_error"]
]

const error = ({ body }: Answer): Fields => body.error as Fields

const floats = (base64: string): ReadonlyArray<number> => {
  const bytes = Buffer.from(base64, "base64")
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at))
}

const vectorsOf = ({ body }: Answer): ReadonlyArray<unknown> =>
  (body.data as ReadonlyArray<Fields>).map(({ embedding }) => embedding)

const ownModel = "universal-sentence-encoder-lite"
const ownVector = Float32Array.from([0.6, 0.8, 1 / 3])

/** An engine on this machine that has its model installed. */
const installed = upstreamProvider((name) => ({
  ...{ name, provider: "embedded", servedBy: null, maxMs: 60_000, ownModels: { embed: [ownModel] } },
  capabilities: {
    embed: ({ body }) => Effect.succeed({ vectors: [body.input].flat().map(() => ownVector), inputTokens: null })
  }
}))

/** The real one, which has no weights and may fetch none. */
const notInstalled = embedded({ modelsFolder: "/nowhere/models", install: false })

export const embeddingsSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`embeddings through ${name}`, () => {
    let upstream: FakeUpstream
    let world: HttpWorld

    const models = (): NonNullable<TrunklineOptions["models"]> => ({
      upstreams: { there: openai({ baseUrl: `${upstream.origin}/v1`, apiKey: "sk-secret" }) },
      routes: { "*": { upstream: "there" }, tiny: { upstream: "there", model: "name-there" } },
      catalogue: {
        models: [
          {
            id: "tiny",
            category: "embedding",
            tiers: ["free", "starter", "pro", "enterprise"],
            limits: { inputs: 2, bytes: 300 }
          }
        ]
      }
    })

    beforeAll(async () => {
      upstream = await startFakeOpenAi({ apiKey: "sk-secret" })
      world = await openWorld(start, storage, { core: { models: models() } })
    })
    afterAll(async () => {
      await world.close()
      await upstream.close()
    })
    beforeEach(() => upstream.behave(null))

    const ask = (body: Fields = {}, sent: Sent = {}) =>
      world.send("POST", path, { key: world.key, json: { model: small, input: "one", ...body }, ...sent })

    const newestRow = async (): Promise<Fields> =>
      (await world.send("GET", "/v1/usage/logs?limit=1", { key: world.key })).items[0] as Fields

    const keyWith = async (options: KeyOptions) => (await world.core.admin.createKey(world.account, options)).text

    describe("a request", () => {
      // Verifies: G-120, G-800.
      it.each(forms)("with %s is answered with one vector for each input", async (_, input, inputs) => {
        const before = upstream.calls.length
        const answer = await ask({ input })
        expect(answer.status).toBe(200)
        expect(answer.body).toEqual({
          object: "list",
          data: Array.from({ length: inputs }, (_, index) => ({
            ...{ object: "embedding", index },
            embedding: openAiVector(index)
          })),
          model: small,
          usage: { prompt_tokens: 8, total_tokens: 8 }
        })
        expect(upstream.calls.slice(before).map(({ json }) => json)).toEqual([{ model: small, input }])
      })

      // Verifies: G-801.
      it("goes to the upstream with all of its fields, under the model's name there", async () => {
        const { body } = await ask({
          model: "tiny",
          input: ["a", "b"],
          user: "u-1",
          dimensions: null,
          some: { x: [1] }
        })
        expect(upstream.calls.at(-1)?.json).toEqual({
          model: "name-there",
          input: ["a", "b"],
          user: "u-1",
          some: { x: [1] }
        })
        expect(body.model).toBe("tiny")
      })

      // Verifies: G-802.
      it.each(wrong)("with %s is refused, and the field is named", async (_, body, param) => {
        const before = upstream.calls.length
        const answer = await ask(body)
        expect([answer.status, error(answer).code, error(answer).param]).toEqual([422, "invalid_request", param])
        expect(error(answer).message).toContain(`${param}: `)
        expect(upstream.calls).toHaveLength(before)
      })

      // Verifies: G-802.
      it("with several wrong fields is refused with all of them named, and the first as the parameter", async () => {
        const answer = await ask({ input: [], dimensions: -1, encoding_format: "x" })
        expect([answer.status, error(answer).param]).toEqual([422, "input"])
        expect(error(answer).message).toMatch(/input: .*; dimensions: .*; encoding_format: /)
      })

      it.each(refusals)("with %s is refused before any upstream is asked", async (_, body, status, code, param) => {
        const before = upstream.calls.length
        const answer = await ask(body)
        expect([answer.status, error(answer).code, error(answer).param ?? ""]).toEqual([status, code, param])
        expect(upstream.calls).toHaveLength(before)
      })

      it("with as many inputs and dimensions as the model has is answered", async () => {
        const input = Array.from({ length: 128 }, (_, nth) => `input ${nth}`)
        expect(vectorsOf(await ask({ input, dimensions: 1536 }))).toHaveLength(128)
      })

      // Verifies: G-815.
      it("for a model of another category is sent to its route", async () => {
        expect(error(await ask({ model: "kimi-k2.5" })).message).toContain("/v1/chat/completions")
        expect(error(await ask({ model: "flux-2-dev" })).message).toContain("/v1/images/generations")
      })

      // Verifies: G-817.
      it("needs a key with the permission for language models, and JSON that can be read", async () => {
        const mute = await keyWith({ permissions: ["stt", "image"] })
        expect([(await ask({}, { key: mute })).status, (await ask({}, { key: "none" })).status]).toEqual([403, 401])
        const headers = { "content-type": "application/json" }
        const broken = await world.send("POST", path, { key: world.key, body: "{", headers })
        expect([broken.status, error(broken).code]).toEqual([400, "invalid_request"])
        const deep = `{"model":"${small}","input":"one","some":${"[".repeat(300)}${"]".repeat(300)}}`
        const nested = await world.send("POST", path, { key: world.key, body: deep, headers })
        expect([nested.status, error(nested).code]).toEqual([400, "invalid_request"])
        const text = await world.send("POST", path, {
          key: world.key,
          body: "{}",
          headers: { "content-type": "text/plain" }
        })
        expect(text.status).toBe(415)
      })
    })

    describe("vectors", () => {
      // Verifies: G-807.
      it.each([
        ["float", "float"],
        ["float", "base64"],
        ["base64", "float"],
        ["base64", "base64"]
      ])("are %s where that was asked for, and the upstream sends %s", async (encoding_format, format) => {
        upstream.behave(openAiEmbeddings([[0.5, -0.25, 1]], { format }))
        const [vector] = vectorsOf(await ask({ encoding_format }))
        expect(upstream.calls.at(-1)?.json).toMatchObject({ encoding_format })
        expect(encoding_format === "float" ? vector : floats(String(vector))).toEqual([0.5, -0.25, 1])
      })

      // Verifies: G-807.
      it("in Base64 are answered sign by sign as the upstream wrote them, in the gateway's own answer", async () => {
        const texts = [0.1, 0.2].map((first) =>
          Buffer.from(Float32Array.from({ length: 64 }, (_, nth) => first + nth).buffer).toString("base64")
        )
        const data = texts.map((embedding, index) => ({ id: "theirs", embedding, index, more: { model: "theirs" } }))
        upstream.behave({
          does: "answer",
          body: { id: "theirs", usage: { total_tokens: 3 }, model: "theirs", data: data.toReversed() }
        })
        const { text } = await ask({ input: ["a", "b"], encoding_format: "base64" })
        expect(text).toBe(
          JSON.stringify({
            object: "list",
            data: texts.map((embedding, index) => ({ object: "embedding", index, embedding })),
            model: small,
            usage: { prompt_tokens: 3, total_tokens: 3 }
          })
        )
      })

      // Verifies: G-805.
      it("that come longer than asked are cut, and have the length 1 again", async () => {
        upstream.behave(
          openAiEmbeddings([
            [0.6, 0, 0.8, 0.5],
            [0, 0, 0, 1],
            [3, 0, 4]
          ])
        )
        expect(vectorsOf(await ask({ input: ["a", "b", "c"], dimensions: 3 }))).toEqual([
          [0.6, 0, 0.8],
          [0, 0, 0],
          [3, 0, 4]
        ])
        upstream.behave(openAiEmbeddings([[3, 4, 12]]))
        expect(vectorsOf(await ask({ dimensions: 2 }))).toEqual([[0.6, 0.8]])
      })

      // Verifies: G-806.
      it("that come shorter than asked are no answer", async () => {
        upstream.behave(openAiEmbeddings([[1, 0]]))
        const answer = await ask({ dimensions: 3 })
        expect([answer.status, error(answer).code]).toEqual([502, "upstream_error"])
        expect((await newestRow()).credits).toBe(0)
      })

      // Verifies: G-808.
      it("stand in the order of the inputs, whatever the upstream's order is", async () => {
        const data = [2, 0, 1].map((index) => ({ object: "embedding", index, embedding: [index, 1] }))
        upstream.behave({ does: "answer", body: { data } })
        const { body } = await ask({ input: ["a", "b", "c"] })
        expect(body.data).toEqual([0, 1, 2].map((index) => ({ object: "embedding", index, embedding: [index, 1] })))
        upstream.behave({ does: "answer", body: { data: data.map(({ embedding }) => ({ embedding })) } })
        expect(vectorsOf(await ask({ input: ["a", "b", "c"] }))).toEqual([
          [2, 1],
          [0, 1],
          [1, 1]
        ])
        upstream.behave({ does: "answer", body: { data: data.map((one) => ({ ...one, index: 1 })) } })
        expect((await ask({ input: ["a", "b", "c"] })).status).toBe(502)
      })
    })

    describe("the bill", () => {
      // Verifies: G-810, G-813.
      it("is of the upstream's tokens, and of no call of the plan", async () => {
        upstream.behave(openAiEmbeddings([[1, 0]], { tokens: 1000 }))
        expect((await ask()).body.usage).toEqual({ prompt_tokens: 1000, total_tokens: 1000 })
        expect(await newestRow()).toMatchObject({
          ...{ service: "embedding", model: small, status: 200, credits: 0.00199968 },
          ...{ units: 1000, unit: "tokens", input_tokens: 1000, output_tokens: 0 }
        })
      })

      // Verifies: G-811.
      it.each([
        ["a quarter of the bytes of all texts", ["ä five", "x"], 2],
        ["the number of token numbers", [[1, 2, 3], [4]], 4]
      ])("is by estimate where the upstream counts nothing: %s", async (_, input, count) => {
        for (const tokens of [null, -1, 1.5]) {
          upstream.behave(openAiEmbeddings([[1], [1]], { tokens }))
          expect((await ask({ input })).body.usage).toEqual({ prompt_tokens: count, total_tokens: count })
          expect((await newestRow()).units).toBe(count)
        }
        upstream.behave(openAiEmbeddings([[1], [1]], { tokens: 0 }))
        expect((await ask({ input })).body.usage).toEqual({ prompt_tokens: 0, total_tokens: 0 })
      })

      // Verifies: G-812.
      it("cannot be more than what is reserved: a token for each byte or number, and 16 for each input", async () => {
        // At 0.02083 USD a million, and 96 credits for a dollar.
        for (const [input, held] of [
          ["seven b", 23],
          [["a", "b"], 34],
          [[[1, 2, 3], [4]], 36]
        ] as const) {
          const nano = Math.ceil((held * 0.02083 * 96 * 1e9) / 1e6)
          const short = await keyWith({ budget: ((nano - 1) / 1e9).toFixed(9) })
          const enough = await keyWith({ budget: (nano / 1e9).toFixed(9) })
          const refused = await ask({ input }, { key: short })
          expect([refused.status, error(refused).code]).toEqual([402, "budget_exceeded"])
          expect((await ask({ input }, { key: enough })).status).toBe(200)
        }
      })

      // Verifies: G-814, G-905.
      it("comes once for vectors in Base64, whose replay has the same bytes", async () => {
        const vector = Array.from({ length: 64 }, (_, nth) => nth / 3)
        upstream.behave(openAiEmbeddings([vector], { format: "base64" }))
        const headers = { "idempotency-key": "one embedding in Base64" }
        const first = await ask({ encoding_format: "base64" }, { headers })
        upstream.behave(openAiEmbeddings([[1]], { format: "base64" }))
        const again = await ask({ encoding_format: "base64" }, { headers })
        expect(floats(String(vectorsOf(first)[0]))).toEqual(Array.from(Float32Array.from(vector)))
        expect([again.status, again.text]).toEqual([200, first.text])
        expect(again.headers["content-type"]).toBe(first.headers["content-type"])
        expect(again.headers["idempotent-replayed"]).toBe("true")
      })

      // Verifies: G-814.
      it("comes once under an Idempotency-Key, however the same JSON is written", async () => {
        const headers = { "idempotency-key": "one embedding", "content-type": "application/json" }
        const sent = (body: string) => world.send("POST", path, { key: world.key, body, headers })
        const first = await sent(`{"model":"${small}","input":"one"}`)
        const before = upstream.calls.length
        const again = await sent(`{ "input": "\\u006fne", "user": null,\n "model": "${small}" }`)
        expect(again.text).toBe(first.text)
        expect(again.headers["idempotent-replayed"]).toBe("true")
        const other = await sent(`{"model":"${small}","input":"two"}`)
        expect([other.status, error(other).code]).toEqual([409, "idempotency_key_reused"])
        expect(upstream.calls).toHaveLength(before)
      })
    })

    describe("an upstream that", () => {
      // Verifies: G-818.
      it.each(failures)("%s costs nothing, and its words are in no answer", async (_, mood, status, code) => {
        upstream.behave(mood)
        const answer = await ask({ input: ["a", "b"] })
        expect([answer.status, error(answer).code]).toEqual([status, code])
        expect(answer.text).not.toMatch(/leaky|inner\.example|sk-secret/)
        expect(await newestRow()).toMatchObject({ service: "embedding", status, credits: 0, units: 0 })
      })
    })

    describe("the model on this machine", () => {
      const withEngine = async (
        fallback: UpstreamProvider,
        use: (send: (body: Fields) => Promise<Answer>, local: HttpWorld) => Promise<void>
      ) => {
        const local = await openWorld(start, storage, { core: { models: { ...models(), fallback } } })
        const send = (body: Fields) =>
          local.send("POST", path, { key: local.key, json: { model: ownModel, input: "one", ...body } })
        await use(send, local).finally(local.close)
      }

      // Verifies: H-820, H-822.
      it("answers without a route and without cost, by its name, in each form", async () => {
        await withEngine(installed, async (send, local) => {
          const before = upstream.calls.length
          const answer = await send({ input: ["ten bytes.", "two"] })
          expect([answer.status, answer.headers["x-service-served-by"]]).toEqual([200, `embedded; model=${ownModel}`])
          expect(vectorsOf(answer)).toEqual([[...ownVector], [...ownVector]])
          expect(answer.body).toMatchObject({ model: ownModel, usage: { prompt_tokens: 4, total_tokens: 4 } })
          const { items } = await local.send("GET", "/v1/usage/logs", { key: local.key })
          expect(items).toMatchObject([{ service: "embedding", model: ownModel, status: 200, credits: 0, units: 4 }])
          const [base64] = vectorsOf(await send({ encoding_format: "base64" }))
          expect(floats(String(base64))).toEqual([...ownVector])
          expect(upstream.calls).toHaveLength(before)
          expect((await send({ model: small })).headers["x-service-served-by"]).toBeUndefined()
        })
      })

      // Verifies: H-821.
      it.each([
        ["256 dimensions", { dimensions: 256 }, "dimensions"],
        ["513 dimensions", { dimensions: 513 }, "dimensions"],
        ["token numbers", { input: [101, 2023] }, "input"],
        ["129 inputs", { input: Array.from({ length: 129 }, () => "one") }, "input"]
      ])("is refused %s before it is asked", async (_, body, param) => {
        await withEngine(notInstalled, async (send, local) => {
          const answer = await send(body)
          expect([answer.status, error(answer).code, error(answer).param]).toEqual([400, "invalid_request", param])
          expect((await local.send("GET", "/v1/usage/logs", { key: local.key })).items).toEqual([])
        })
      })

      // Verifies: H-820.
      it("is 502 where it is not installed, and the log says what is missing", async () => {
        await withEngine(notInstalled, async (send, local) => {
          const answer = await send({ dimensions: 512 })
          expect([answer.status, error(answer).code]).toEqual([502, "service_unavailable"])
          expect(answer.headers["x-should-retry"]).toBe("false")
          expect(answer.text).not.toContain("nowhere")
          expect(local.log.at(-1)?.message).toContain(`${ownModel} is not in /nowhere/models`)
        })
      })
    })

    // Verifies: G-818.
    it("answers 502 where no upstream is configured", async () => {
      const bare = await openWorld(start, storage)
      try {
        const answer = await bare.send("POST", path, { key: bare.key, json: { model: small, input: "one" } })
        expect([answer.status, error(answer).code]).toEqual([502, "service_unavailable"])
      } finally {
        await bare.close()
      }
    })
  })
