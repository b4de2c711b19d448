/** Embeddings of an OpenAI-compatible server: docs/reference/upstreams.md#embeddings. Verifies: OPAI-1, OPAI-4, OPAI-13. */
import { assert, describe, it } from "@effect/vitest"
import { numbersOf, type UpstreamWhy } from "@trunkline/core/provider"
import {
  type FakeUpstream,
  openAiEmbeddings,
  openAiError,
  openAiVector,
  startFakeOpenAi
} from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { type OpenAiOptions, openai } from "../../src/openai/index.ts"
import { embedAnswerOf } from "../../src/openai/OpenAiEmbeddings.ts"

const key = "sk-topsecret"

const fake = Effect.acquireRelease(
  Effect.promise(() => startFakeOpenAi({ apiKey: key })),
  (one) => Effect.promise(one.close)
)

const body = { model: "e5", input: ["a", "b"], user: "u-1" }

const embed = ({ origin }: FakeUpstream, options: Partial<OpenAiOptions> = {}) => {
  const { embed: run } = openai({ baseUrl: `${origin}/v1`, apiKey: key, ...options }).make("embed-a").capabilities
  return run === undefined ? Effect.die("it serves no embeddings") : run({ body })
}

describe("a request for embeddings", () => {
  it.live("is the body as it is, with the key", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      assert.deepStrictEqual(yield* embed(upstream), { vectors: [openAiVector(0), openAiVector(1)], inputTokens: 8 })
      assert.deepStrictEqual(
        upstream.calls.map(({ json, method, path }) => [method, path, json]),
        [["POST", "/v1/embeddings", body]]
      )
    })
  )

  it("is served unless the upstream is configured for other services", () => {
    const capabilities = (serves?: OpenAiOptions["serves"]) =>
      Object.keys(openai({ baseUrl: "http://localhost:1", serves }).make("a").capabilities).sort()
    assert.deepStrictEqual(capabilities(), ["chat", "embed", "generate", "generateImages", "speak", "transcribe"])
    assert.deepStrictEqual(capabilities(["embedding"]), ["embed"])
    assert.deepStrictEqual(capabilities(["image", "stt"]), ["generateImages", "transcribe"])
  })

  it.live.each<readonly [string, Parameters<FakeUpstream["behave"]>[0], UpstreamWhy]>([
    ["a refusal of a field", openAiError(400, "invalid_value"), "refused_input"],
    ["a refusal of what it says", openAiError(400, "content_filter"), "content_policy"],
    ["a prompt beyond the context", openAiError(400, "context_length_exceeded"), "context_too_long"],
    ["a refused key", openAiError(401, "invalid_api_key"), "operator"],
    ["no such route", openAiError(404, null), "not_found"],
    ["no vectors", { does: "answer", body: { data: [{ index: 0 }] } }, "unreadable"],
    ["no end", { does: "hang" }, "timeout"]
  ])("that fails by %s says why, and nothing of theirs", ([_, mood, why]) =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(mood)
      const failed = yield* Effect.flip(embed(upstream, { timeoutMs: why === "timeout" ? 100 : 60_000 }))
      assert.strictEqual<UpstreamWhy>(failed.why, why)
      assert.notMatch(JSON.stringify(failed), /leaky|org-1234|inner\.example|topsecret|127\.0\.0\.1/)
      assert.lengthOf(upstream.calls, 1)
    })
  )

  it.live("that is refused says which field is wrong", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const error = { message: "no words", type: "invalid_request_error", param: "dimensions", code: null }
      upstream.behave({ does: "answer", status: 400, body: { error } })
      assert.strictEqual((yield* Effect.flip(embed(upstream))).param, "dimensions")
    })
  )
})

describe("vectors", () => {
  const answer = (data: ReadonlyArray<object>, usage?: unknown) => embedAnswerOf({ data, usage })

  it("are read in both forms", () => {
    const mood = openAiEmbeddings([[0.5, -1]], { format: "base64" })
    const read = embedAnswerOf(mood.does === "answer" ? mood.body : null)
    assert.deepStrictEqual(Array.from(numbersOf(read?.vectors[0] ?? [])), [0.5, -1])
    assert.deepStrictEqual(answer([{ embedding: [0.1] }])?.vectors, [[0.1]])
  })

  it("stand in the order of their inputs", () => {
    const data = [1, 2, 0].map((index) => ({ index, embedding: [index] }))
    assert.deepStrictEqual(answer(data)?.vectors, [[0], [1], [2]])
    assert.deepStrictEqual(answer([{ embedding: [7] }, { embedding: [5] }])?.vectors, [[7], [5]])
  })

  it.each([
    [
      "two of one place",
      [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [2] }
      ]
    ],
    ["a place that is none", [{ index: 1, embedding: [1] }]],
    ["an empty one", [{ embedding: [] }]],
    ["an empty text", [{ embedding: "" }]],
    ["numbers in texts", [{ embedding: ["1"] }]],
    ["a null in one", [{ embedding: [1, null] }]],
    ["half a float", [{ embedding: "AAA=" }]],
    ["no Base64", [{ embedding: "what is this!" }]],
    ["a float that is no number", [{ embedding: "AADAfw==" }]],
    ["quantized integers in lists", [{ embedding: [[1]] }]]
  ])("with %s are not read", (_, data) => assert.isUndefined(answer(data)))

  it.each([
    [{ prompt_tokens: 0 }, 0],
    [{ prompt_tokens: 7, total_tokens: 9 }, 7],
    [{ total_tokens: 9 }, 9],
    [{ prompt_tokens: null, total_tokens: 9 }, 9],
    [{ prompt_tokens: -1 }, null],
    [{ prompt_tokens: 1.5 }, null],
    [{ prompt_tokens: 1_000_000_001 }, null],
    [{ prompt_tokens: "7" }, null],
    [{}, null],
    [null, null]
  ])("with the usage %j have %s tokens", (usage, expected) =>
    assert.strictEqual(answer([{ embedding: [1] }], usage)?.inputTokens, expected)
  )
})
