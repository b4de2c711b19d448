/** The route of images as a caller of the API meets it: docs/reference/images.md. Verifies: IMGE-1, IMGE-2, IMGE-3, OPAI-12. */
import type { KeyOptions, StorageProvider, TrunklineOptions } from "@trunkline/core"
import { openai } from "@trunkline/providers/openai"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  type FakeUpstream,
  imageBytes,
  openAiError,
  openAiImages,
  startFakeOpenAi,
  startFakeUpstream,
  type UpstreamMood
} from "../upstreams/index.ts"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

const path = "/v1/images/generations"
const flux = "flux-2-dev"
const prompt = "a mango on a table"

const data = Buffer.from(imageBytes).toString("base64")

/** What is refused by its fields, with the first field that is named. */
const wrong: ReadonlyArray<readonly [what: string, body: Fields, param: string]> = [
  ["no prompt", { prompt: undefined }, "prompt"],
  ["an empty prompt", { prompt: "" }, "prompt"],
  ["a prompt of 32,001 characters", { prompt: "😀".repeat(32_001) }, "prompt"],
  ["a list of prompts", { prompt: ["a"] }, "prompt"],
  ["no model", { model: null }, "model"],
  ["no image", { n: 0 }, "n"],
  ["11 images", { n: 11 }, "n"],
  ["half an image", { n: 1.5 }, "n"],
  ["a number of images in a text", { n: "2" }, "n"],
  ["a size in words", { size: "large" }, "size"],
  ["a size of one side", { size: "1024" }, "size"],
  ["a side of no pixels", { size: "0x10" }, "size"],
  ["a side that is not whole", { size: "10.5x10" }, "size"],
  ["a size of three sides", { size: "10x10x10" }, "size"],
  ["a size with blanks", { size: "10 x 10" }, "size"],
  ["another form of images", { response_format: "png" }, "response_format"],
  ["a stream that is no boolean", { stream: "true" }, "stream"],
  ["half a partial image", { partial_images: 0.5 }, "partial_images"]
]

type Refusal = readonly [what: string, body: Fields, status: number, code: string, param: string]

/** What the model, or the gateway, does not do. */
const refusals: ReadonlyArray<Refusal> = [
  ["an unknown model", { model: "none" }, 404, "model_not_found", "model"],
  // Verifies: G-860.
  ["an embedding model", { model: "text-embedding-3-small" }, 400, "invalid_request", "model"],
  // Verifies: G-848.
  ["a stream", { stream: true }, 400, "invalid_request", "stream"],
  ["partial images", { partial_images: 1 }, 400, "invalid_request", "partial_images"],
  // Verifies: G-861.
  ["a body beyond the model's bytes", { model: "narrow", prompt: "x".repeat(400) }, 413, "file_too_large", ""]
]

/** What an upstream may do, and what its caller gets. */
const failures: ReadonlyArray<readonly [what: string, mood: UpstreamMood, status: number, code: string]> = [
  ["refuses the request", openAiError(400, "invalid_value"), 400, "invalid_request"],
  // Verifies: G-121, G-175, G-855.
  ["refuses what the prompt says", openAiError(400, "content_policy_violation"), 400, "content_policy_violation"],
  ["blocks the prompt", openAiError(400, "moderation_blocked", "image_error"), 400, "content_policy_violation"],
  ["filters the prompt", openAiError(422, "content_filter"), 400, "content_policy_violation"],
  ["is asked too often", openAiError(429, "rate_limit_exceeded"), 429, "rate_limit_exceeded"],
  ["refuses our key", openAiError(401, "invalid_api_key"), 502, "provider_error"],
  ["fails", openAiError(500, null), 502, "upstream_error"],
  ["resets the connection", { does: "reset" }, 503, "upstream_unavailable"],
  // Verifies: G-850.
  ["answers no images", openAiImages([]), 502, "upstream_error"],
  ["answers images without data or address", openAiImages([{ b64_json: "", url: null }, {}]), 502, "upstream_error"],
  ["answers without a list", { does: "answer", body: { created: 1 } }, 502, "upstream_error"],
  // Verifies: G-862.
  ["answers more than 128 MiB", { does: "trickle", megabytes: 129 }, 502, "upstream_error"]
]

const error = ({ body }: Answer): Fields => body.error as Fields

export const imagesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`images through ${name}`, () => {
    let upstream: FakeUpstream
    /** On another port of the upstream's host, whose key it must never get. */
    let elsewhere: FakeUpstream
    let world: HttpWorld

    const plans = ["free", "starter", "pro", "enterprise"]

    const models = (): NonNullable<TrunklineOptions["models"]> => ({
      upstreams: { there: openai({ baseUrl: `${upstream.origin}/v1`, apiKey: "sk-secret" }) },
      routes: { "*": { upstream: "there" }, "of-data-alone": { upstream: "there", model: "gpt-image-there" } },
      catalogue: {
        models: [
          { id: "narrow", category: "image", tiers: plans, limits: { bytes: 300 } },
          { id: "of-data-alone", category: "image", tiers: plans }
        ]
      }
    })

    const opened = (core: Partial<TrunklineOptions> = {}) =>
      openWorld(start, storage, { core: { models: models(), ...core } })

    beforeAll(async () => {
      upstream = await startFakeOpenAi({ apiKey: "sk-secret" })
      elsewhere = await startFakeUpstream({ answers: () => ({ does: "stream", pieces: [imageBytes] }) })
      world = await opened()
      await world.core.admin.changeAccount(world.account, { plan: "starter" })
    })
    afterAll(async () => {
      await world.close()
      await upstream.close()
      await elsewhere.close()
    })
    beforeEach(() => {
      upstream.behave(null)
      elsewhere.behave(null)
    })

    const ask = (body: Fields = {}, { at = world, ...sent }: Sent & { readonly at?: HttpWorld } = {}) =>
      at.send("POST", path, { key: at.key, json: { model: flux, prompt, ...body }, ...sent })

    const rows = async (limit: number): Promise<ReadonlyArray<Fields>> =>
      (await world.send("GET", `/v1/usage/logs?limit=${limit}`, { key: world.key })).items

    const keyWith = async (options: KeyOptions) => (await world.core.admin.createKey(world.account, options)).text

    const sent = () => upstream.calls.filter(({ method }) => method === "POST")

    /** What an image comes to whose address is this. */
    const fetched = (url: string, at = world) => {
      upstream.behave((call) =>
        call.method === "GET" ? { does: "stream", pieces: [imageBytes] } : openAiImages([{ url }])
      )
      return ask({ response_format: "b64_json" }, { at })
    }

    describe("a request", () => {
      // Verifies: G-840, G-851.
      it("is answered with its images, and what the upstream says of them", async () => {
        const answer = await ask({ n: 2, model: "gpt-image-1", quality: "low", user: null })
        expect(answer.status).toBe(200)
        const image = { b64_json: data, revised_prompt: `${prompt}, in oil` }
        expect(answer.body).toEqual({ created: 1_790_000_000, data: [image, image] })
        expect(sent().at(-1)?.json).toEqual({ model: "gpt-image-1", prompt, n: 2, quality: "low" })
      })

      // Verifies: G-851.
      it("is answered with the model that was asked for, no id, and the other fields as they came", async () => {
        const more = { id: "img-there", model: "there", usage: { total_tokens: 7 }, background: "opaque" }
        upstream.behave({
          does: "answer",
          body: { ...more, data: [{ url: "https://x.example/1", b64_json: null, seed: 3 }] }
        })
        const { body } = await ask()
        expect(body).toMatchObject({ model: flux, usage: { total_tokens: 7 }, background: "opaque" })
        expect(body).not.toHaveProperty("id")
        expect(Number.isSafeInteger(body.created)).toBe(true)
        expect(body.data).toEqual([{ url: "https://x.example/1", seed: 3 }])
      })

      // Verifies: G-841.
      it.each(wrong)("with %s is refused, and the field is named", async (_, body, param) => {
        const before = upstream.calls.length
        const answer = await ask(body)
        expect([answer.status, error(answer).code, error(answer).param]).toEqual([422, "invalid_request", param])
        expect(upstream.calls).toHaveLength(before)
      })

      // Verifies: G-841.
      it.each([
        [{ prompt: "😀".repeat(32_000) }],
        [{ n: 10 }],
        [{ size: "1x99999" }],
        [{ size: "auto" }],
        [{ stream: false, partial_images: 0, size: null, n: null }]
      ])("within the bounds is passed on: %j", async (body) => {
        expect((await ask(body)).status).toBe(200)
        const expected = Object.fromEntries(
          Object.entries({ model: flux, prompt, ...body }).filter(([, one]) => one !== null)
        )
        expect(sent().at(-1)?.json).toEqual(expected)
      })

      it.each(refusals)("with %s is refused before any upstream is asked", async (_, body, status, code, param) => {
        const before = upstream.calls.length
        const answer = await ask(body)
        expect([answer.status, error(answer).code, error(answer).param ?? ""]).toEqual([status, code, param])
        expect(upstream.calls).toHaveLength(before)
      })

      // Verifies: G-858.
      it("needs a key with the permission for images", async () => {
        expect((await ask({}, { key: await keyWith({ permissions: ["llm", "tts"] }) })).status).toBe(403)
        expect((await ask({}, { key: await keyWith({ permissions: ["image"] }) })).status).toBe(200)
      })
    })

    describe("images", () => {
      // Verifies: G-842.
      it("are asked for in the form that was asked for, but of models that always answer with data", async () => {
        for (const [model, isSent, isOwn] of [
          [flux, true, true],
          ["gpt-image-1", false, true],
          ["of-data-alone", false, false]
        ] as const) {
          const { body } = await ask({ model, response_format: "b64_json" })
          const format = isSent ? { response_format: "b64_json" } : {}
          expect(sent().at(-1)?.json).toEqual({ model: isOwn ? model : "gpt-image-there", prompt, ...format })
          expect(body.data).toMatchObject([{ b64_json: data }])
        }
      })

      // Verifies: G-847.
      it("come as data where an address was asked for and the upstream has none, and else as it sends them", async () => {
        expect((await ask({ model: "gpt-image-1", response_format: "url" })).body.data).toMatchObject([
          { b64_json: data }
        ])
        expect((await ask({ response_format: "url" })).body.data).toMatchObject([
          { url: expect.stringMatching(/1\.png$/) }
        ])
        expect((await ask()).body.data).toMatchObject([{ url: expect.stringMatching(/1\.png$/) }])
      })

      // Verifies: G-849.
      it("beyond those that were asked for are dropped, and not fetched", async () => {
        const url = `${upstream.origin}/images/1.png`
        upstream.behave(({ method }) =>
          method === "GET" ? { does: "stream", pieces: [imageBytes] } : openAiImages([{ url }, { url }, { url }])
        )
        const before = upstream.calls.length
        const { body } = await ask({ n: 2, response_format: "b64_json" })
        expect(body.data).toEqual([{ b64_json: data }, { b64_json: data }])
        expect(upstream.calls.slice(before).map(({ method }) => method)).toEqual(["POST", "GET", "GET"])
        expect((await rows(1))[0]).toMatchObject({ units: 2, credits: 23.04 })
      })

      // Verifies: G-843.
      it("are fetched from the upstream's own host where data was asked for, with the key at its own origin alone", async () => {
        expect((await fetched(`${upstream.origin}/p/1.png?a=b`)).body.data).toEqual([{ b64_json: data }])
        const own = upstream.calls.at(-1)
        expect([own?.path, own?.query, own?.headers.authorization]).toEqual([
          "/p/1.png",
          [["a", "b"]],
          "Bearer sk-secret"
        ])
        expect((await fetched(`${elsewhere.origin}/2.png`)).body.data).toEqual([{ b64_json: data }])
        expect(elsewhere.calls.at(-1)?.headers).not.toHaveProperty("authorization")
      })

      // Verifies: G-844.
      it.each([
        ["a name of this machine", (port: number) => `http://localhost:${port}/1.png`],
        ["an address of this machine", (port: number) => `http://127.0.0.2:${port}/1.png`],
        ["the metadata of a cloud", () => "https://169.254.169.254/latest"],
        ["plain http in public", () => "http://8.8.8.8/1.png"],
        ["a file", () => "file:///etc/passwd"],
        ["a user name", (port: number) => `http://user@127.0.0.1:${port}/1.png`],
        ["no address", () => "1.png"]
      ])("are not fetched from where webhooks may not go: %s", async (_, address) => {
        const before = elsewhere.begun()
        const answer = await fetched(address(elsewhere.port))
        expect([answer.status, error(answer).code]).toEqual([502, "upstream_error"])
        expect(elsewhere.begun()).toBe(before)
        expect((await rows(1))[0]).toMatchObject({ status: 502, credits: 0 })
      })

      // Verifies: G-845.
      it("are fetched from networks that the operator has exempted for webhooks", async () => {
        const open = await opened({ webhooks: { allowNetworks: ["127.0.0.0/8", "::1/128"] } })
        try {
          await open.core.admin.changeAccount(open.account, { plan: "starter" })
          const answer = await fetched(`http://localhost:${elsewhere.port}/1.png`, open)
          expect(answer.body.data).toEqual([{ b64_json: data }])
        } finally {
          await open.close()
        }
      })

      // Verifies: G-846.
      it.each<readonly [string, UpstreamMood]>([
        ["that is a redirect", { does: "answer", status: 302, headers: { location: "/2.png" } }],
        ["that is not there", { does: "answer", status: 404 }],
        ["of more than 32 MiB", { does: "trickle", megabytes: 33 }],
        ["that breaks off", { does: "truncate" }]
      ])("are no answer where one is fetched %s", async (_, mood) => {
        elsewhere.behave(mood)
        const answer = await fetched(`${elsewhere.origin}/1.png`)
        expect([answer.status, error(answer).code]).toEqual([502, "upstream_error"])
      })
    })

    describe("the bill", () => {
      // Verifies: G-852, G-857.
      it("is of the images that came", async () => {
        upstream.behave(openAiImages([{ b64_json: data }, { url: null }, { b64_json: data }]))
        expect((await ask({ n: 4, model: "lucid-origin", size: "4096x4096" })).body.data).toHaveLength(2)
        expect(await rows(1)).toMatchObject([
          { service: "image", model: "lucid-origin", status: 200, units: 2, unit: "images", credits: 15.36 }
        ])
      })

      // Verifies: G-853.
      it.each([
        ["1024x1024", 11.52],
        ["1024x1025", 23.04],
        ["2048x2048", 46.08],
        ["auto", 11.52],
        [undefined, 11.52]
      ])(
        "of a model whose price is for a number of pixels counts each started multiple of it: %s",
        async (size, credits) => {
          await ask({ size, response_format: "url" })
          expect(await rows(1)).toMatchObject([{ units: 1, credits }])
        }
      )

      // Verifies: G-854.
      it("cannot be more than what is reserved: the price of all images that were requested", async () => {
        const body = { n: 3, size: "2048x1024" }
        const short = await ask(body, { key: await keyWith({ budget: "69.119999999" }) })
        expect([short.status, error(short).code]).toEqual([402, "budget_exceeded"])
        expect((await ask(body, { key: await keyWith({ budget: "69.12" }) })).status).toBe(200)
      })

      // Verifies: G-856.
      it("generates no image that the plan has no call for", async () => {
        const free = await opened()
        try {
          const answer = await ask({}, { at: free })
          expect([answer.status, error(answer).code]).toEqual([429, "quota_exceeded"])
          expect(answer.headers["x-should-retry"]).toBe("false")
        } finally {
          await free.close()
        }
      })

      // Verifies: G-859.
      it("comes once under an Idempotency-Key", async () => {
        const headers = { "idempotency-key": "one image" }
        const first = await ask({ n: 2 }, { headers })
        const before = upstream.calls.length
        const again = await ask({ n: 2 }, { headers })
        expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"])
        expect((await ask({ n: 1 }, { headers })).status).toBe(409)
        expect(upstream.calls).toHaveLength(before)
      })
    })

    describe("an upstream that", () => {
      it.each(failures)("%s costs nothing, and its words are in no answer", async (_, mood, status, code) => {
        upstream.behave(mood)
        const answer = await ask()
        expect([answer.status, error(answer).code]).toEqual([status, code])
        if (code === "content_policy_violation") expect(error(answer).param).toBe("prompt")
        expect(answer.text).not.toMatch(/leaky|inner\.example|sk-secret/)
        expect(await rows(1)).toMatchObject([{ service: "image", status, credits: 0, units: 0 }])
      })
    })
  })
