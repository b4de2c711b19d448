/** Images of an OpenAI-compatible server: docs/reference/upstreams.md#images. Verifies: OPAI-1, OPAI-4, OPAI-12. */

import type { LookupAddress, lookup } from "node:dns"
import { assert, describe, it } from "@effect/vitest"
import { AddressPolicy, type ImageWork, type UpstreamWhy } from "@trunkline/core/provider"
import {
  type FakeUpstream,
  imageBytes,
  openAiError,
  openAiImages,
  startFakeOpenAi,
  startFakeUpstream,
  type UpstreamMood
} from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makeBoundedHttp, policyLookup } from "../../src/http/index.ts"
import { type OpenAiOptions, openai } from "../../src/openai/index.ts"
import { fetchImage } from "../../src/upstream/ImageFetch.ts"

const key = "sk-topsecret"
const data = Buffer.from(imageBytes).toString("base64")

const closed = <A extends FakeUpstream>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), (one) => Effect.promise(one.close))
const fake = closed(() => startFakeOpenAi({ apiKey: key }))
const host = closed(() => startFakeUpstream({ answers: () => ({ does: "stream", pieces: [imageBytes] }) }))

const generate = ({ origin }: FakeUpstream, change: Partial<ImageWork> = {}, options: Partial<OpenAiOptions> = {}) => {
  const upstream = openai({ baseUrl: `${origin}/v1`, apiKey: key, ...options }).make("images-a")
  const run = upstream.capabilities.generateImages
  const work = {
    body: { model: "flux", prompt: "a mango" },
    maxImages: 1,
    asData: false,
    exemptNetworks: [],
    ...change
  }
  return run === undefined ? Effect.die("it makes no images") : run(work)
}

describe("a request for images", () => {
  it.live("is the body as it is, with the key, and the answer has its other fields", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const { fields, images } = yield* generate(upstream)
      assert.deepStrictEqual(fields, { created: 1_790_000_000 })
      assert.deepStrictEqual(images, [{ url: `${upstream.origin}/images/1.png`, revised_prompt: "a mango, in oil" }])
      assert.deepStrictEqual(
        upstream.calls.map(({ json, method, path }) => [method, path, json]),
        [["POST", "/v1/images/generations", { model: "flux", prompt: "a mango" }]]
      )
    })
  )

  it.live.each<readonly [string, UpstreamMood, UpstreamWhy]>([
    ["a prompt that is refused for what it says", openAiError(400, "content_policy_violation"), "content_policy"],
    ["a moderation", openAiError(400, "moderation_blocked", "image_generation_user_error"), "content_policy"],
    ["a spent quota", openAiError(429, "insufficient_quota"), "operator"],
    ["an empty list", openAiImages([]), "unreadable"],
    ["too much", { does: "trickle", megabytes: 129 }, "unreadable"],
    ["a break", { does: "truncate" }, "unreadable"],
    ["no end", { does: "hang" }, "timeout"]
  ])("that fails by %s says why, and nothing of theirs", ([_, mood, why]) =>
    Effect.gen(function* () {
      const upstream = yield* fake
      upstream.behave(mood)
      const failed = yield* Effect.flip(generate(upstream, {}, { timeoutMs: why === "timeout" ? 100 : 60_000 }))
      assert.strictEqual<UpstreamWhy>(failed.why, why)
      assert.notMatch(JSON.stringify(failed), /leaky|org-1234|inner\.example|topsecret|127\.0\.0\.1/)
      assert.lengthOf(upstream.calls, 1)
    })
  )

  it("has the time of its answer, and again that of one for its images", () => {
    const { maxMs } = openai({ baseUrl: "http://localhost:1", timeoutMs: 40_000, serves: ["image"] }).make("a")
    assert.strictEqual(maxMs, 3 * 40_000)
    assert.strictEqual(
      openai({ baseUrl: "http://localhost:1", timeoutMs: 5, serves: ["image"] }).make("a").maxMs,
      60_005
    )
  })
})

describe("an image that must come as data", () => {
  it.live("is left as it came where it is data, and fetched once where it is an address", () =>
    Effect.gen(function* () {
      const [upstream, elsewhere] = [yield* fake, yield* host]
      const url = `${elsewhere.origin}/1.png`
      upstream.behave(openAiImages([{ b64_json: "AAAA", url }, { url, seed: 3 }, { url }]))
      const { images } = yield* generate(upstream, { asData: true, maxImages: 2 })
      assert.deepStrictEqual(images, [
        { b64_json: "AAAA", url },
        { b64_json: data, seed: 3 }
      ])
      assert.lengthOf(elsewhere.calls, 1)
      assert.notProperty(elsewhere.calls[0]?.headers ?? {}, "authorization")
    })
  )

  it.live("is fetched with the key where it is at the upstream's own origin", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      assert.deepStrictEqual((yield* generate(upstream, { asData: true })).images, [
        { b64_json: data, revised_prompt: "a mango, in oil" }
      ])
      assert.strictEqual(upstream.calls[1]?.headers.authorization, `Bearer ${key}`)
    })
  )

  it.live.each<readonly [string, (port: number) => string, ReadonlyArray<string>]>([
    ["a name that leads to this machine", (port) => `https://localhost:${port}/`, []],
    ["a name of this machine in a network that is not exempt", (port) => `http://localhost:${port}/`, ["10.0.0.0/8"]],
    ["an address of this machine", (port) => `https://127.0.0.2:${port}/`, []],
    ["plain http in public", () => "http://8.8.8.8/", []],
    ["another scheme", () => "ftp://127.0.0.1/", []],
    ["a password", (port) => `http://a:b@127.0.0.1:${port}/`, []]
  ])("is fetched from no address that webhooks may not reach: %s", ([_, address, exemptNetworks]) =>
    Effect.gen(function* () {
      const [upstream, elsewhere] = [yield* fake, yield* host]
      upstream.behave(openAiImages([{ url: address(elsewhere.port) }]))
      const failed = yield* Effect.flip(generate(upstream, { asData: true, exemptNetworks }))
      assert.strictEqual<UpstreamWhy>(failed.why, "unreadable")
      assert.match(failed.detail, /^an image could not be fetched: /)
      assert.notMatch(failed.detail, /localhost|127|8\.8/)
      assert.strictEqual(elsewhere.begun(), 0)
    })
  )

  it.live("is fetched from a network that is exempt", () =>
    Effect.gen(function* () {
      const [upstream, elsewhere] = [yield* fake, yield* host]
      upstream.behave(openAiImages([{ url: `http://localhost:${elsewhere.port}/` }]))
      const exemptNetworks = ["127.0.0.0/8", "::1/128"]
      const { images } = yield* generate(upstream, { asData: true, exemptNetworks })
      assert.deepStrictEqual(images, [{ b64_json: data }])
    })
  )

  it.live.each<readonly [string, UpstreamMood]>([
    ["a redirect", { does: "answer", status: 302, headers: { location: "/2" } }],
    ["an error", { does: "answer", status: 500, body: "leaky words" }],
    ["more than 32 MiB", { does: "trickle", megabytes: 33 }],
    ["a break", { does: "truncate" }],
    ["a reset", { does: "reset" }]
  ])("makes the request fail where its host answers with %s", ([_, mood]) =>
    Effect.gen(function* () {
      const [upstream, elsewhere] = [yield* fake, yield* host]
      upstream.behave(openAiImages([{ url: `${elsewhere.origin}/1` }]))
      elsewhere.behave(mood)
      const failed = yield* Effect.flip(generate(upstream, { asData: true }))
      assert.strictEqual<UpstreamWhy>(failed.why, "unreadable")
      assert.notMatch(JSON.stringify(failed), /leaky|127\.0\.0\.1/)
      assert.lengthOf(elsewhere.calls, 1)
    })
  )
})

describe("a fetch of an image", () => {
  it.live.each<readonly [string, UpstreamMood]>([
    ["begins", { does: "hang" }],
    ["ends", { does: "trickle" }]
  ])("that never %s is over when its time is", ([_, mood]) =>
    Effect.gen(function* () {
      const elsewhere = yield* host
      elsewhere.behave(mood)
      const source = { baseUrl: elsewhere.origin, headers: {}, exemptNetworks: [], maxMs: 50 }
      const failed = yield* Effect.flip(fetchImage(`${elsewhere.origin}/1`, source, makeBoundedHttp()))
      assert.strictEqual<UpstreamWhy>(failed.why, "unreadable")
      assert.match(failed.detail, /in time/)
    })
  )
})

describe("the look-up of a name", () => {
  const look = (addresses: ReadonlyArray<string>, exempt: ReadonlyArray<string> = []) =>
    new Promise<string>((resolve) => {
      const found = addresses.map((address): LookupAddress => ({ address, family: 4 }))
      // The form with all addresses is the only one that is used.
      const answers = ((_: string, __: object, done: (error: null, all: ReadonlyArray<LookupAddress>) => void) =>
        done(null, found)) as unknown as typeof lookup
      const networks = Result.getOrThrow(AddressPolicy.parseNetworks(exempt))
      const target = () => AddressPolicy.readUrl("https://images.example/", { schemes: "https", exempt: networks })
      policyLookup(target, networks, answers)("images.example", {}, (error, address) =>
        resolve(error === null ? String(address) : error.constructor.name)
      )
    })

  it.each([
    [["8.8.8.8", "8.8.4.4"], [], "8.8.8.8"],
    [["8.8.8.8", "10.0.0.1"], [], "AddressRefused"],
    [["10.0.0.1"], ["10.0.0.0/8"], "10.0.0.1"],
    [[], [], "AddressRefused"]
  ])("of %j with %j exempt is %s", async (addresses, exempt, expected) => {
    assert.strictEqual(await look(addresses, exempt), expected)
  })
})
