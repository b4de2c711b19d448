/** Verifies: OPAI-4, DEEP-5. */
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { deepgram } from "../../src/deepgram/index.ts"
import { InvalidProviderOptions, openai } from "../../src/openai/index.ts"
import { sarvam } from "../../src/sarvam/index.ts"
import { type KindDefaults, upstreamSettings } from "../../src/upstream/UpstreamOptions.ts"

const key = "sk-topsecret"
const kind: KindDefaults = { provider: "deepgram", baseUrl: "https://api.example.com", needsKey: true, serves: ["stt"] }
const problems = (options: object) =>
  Result.match(upstreamSettings(kind, { apiKey: key, ...options } as never), {
    onFailure: (invalid) => invalid.problems,
    onSuccess: () => []
  })

describe("the settings of an upstream", () => {
  // Verifies: H-31, H-143.
  it("need a key alone, where the kind knows its address", () => {
    const settings = Result.getOrThrow(upstreamSettings(kind, { apiKey: key }))
    assert.deepStrictEqual(
      { ...settings, apiKey: null },
      { baseUrl: "https://api.example.com", apiKey: null, timeoutMs: 60_000, serves: ["stt"] }
    )
    assert.strictEqual(settings.apiKey === null ? null : Redacted.value(settings.apiKey), key)
  })

  it("accept the key redacted, too, and an address with slashes at its end", () => {
    const settings = Result.getOrThrow(
      upstreamSettings(kind, { apiKey: Redacted.make(key), baseUrl: "https://a.example/v1//" })
    )
    assert.strictEqual(settings.baseUrl, "https://a.example/v1")
    assert.strictEqual(settings.apiKey === null ? null : Redacted.value(settings.apiKey), key)
  })

  it.each([
    ["something that is no address", { baseUrl: "api.example.com" }, "baseUrl"],
    ["another scheme", { baseUrl: "ftp://api.example.com" }, "baseUrl"],
    ["an address with credentials", { baseUrl: "https://a:b@api.example.com" }, "baseUrl"],
    ["an address with a query", { baseUrl: "https://api.example.com/?a=b" }, "baseUrl"],
    ["a key in the clear across a public network", { baseUrl: "http://api.example.com/v1" }, "baseUrl"],
    ["an empty key", { apiKey: "" }, "apiKey"],
    ["a key with a line break", { apiKey: "a\r\nb" }, "apiKey"],
    ["no key", { apiKey: undefined }, "apiKey"],
    ["no time", { timeoutMs: 0 }, "timeoutMs"],
    ["time without end", { timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs"],
    ["more than ten minutes", { timeoutMs: 600_001 }, "timeoutMs"],
    ["nothing to serve", { serves: [] }, "serves"],
    ["something that the kind cannot", { serves: ["stt", "llm"] }, "serves"],
    ["something that nobody can", { serves: ["search"] }, "serves"],
    ["a setting that does not exist", { timeout: 5 }, "timeout"]
  ])("refuse %s, by name", (_, change, name) => {
    const found = problems(change)
    assert.isAtLeast(found.length, 1)
    for (const one of found) assert.isTrue(one.startsWith(`${name}: `), one)
  })

  it("name every fault at once", () => {
    const found = problems({ baseUrl: "x", apiKey: "", timeoutMs: 7.5, retries: 3 })
    assert.sameMembers(
      found.map((one) => one.split(":")[0]),
      ["baseUrl", "apiKey", "timeoutMs", "retries"]
    )
  })

  it.each([
    "http://127.0.0.1:8000/v1",
    "http://[::1]:8000",
    "http://localhost:8000/v1",
    "http://whisper:8000/v1",
    "http://10.1.2.3/v1",
    "http://172.16.0.9/v1",
    "http://192.168.1.5/v1",
    "http://whisper.speech.svc.cluster.local/v1",
    "http://host.docker.internal:8000/v1"
  ])("let a key go in the clear within a private network: %s", (baseUrl) =>
    assert.deepStrictEqual(problems({ baseUrl }), [])
  )

  it("let anybody go in the clear who has no key to lose", () => {
    assert.deepStrictEqual(openai({ baseUrl: "http://gpu.example.com/v1" }).kind, "upstream")
  })
})

describe("providers", () => {
  it("throw what is wrong when they are made, under their kind", () => {
    assert.throws(() => openai({} as never), InvalidProviderOptions, /^openai: baseUrl: /)
    assert.throws(() => sarvam({} as never), InvalidProviderOptions, "sarvam: apiKey: expected a key")
    assert.throws(() => deepgram({ apiKey: "" }), InvalidProviderOptions, /^deepgram: apiKey: /)
  })

  it("make an upstream of the name that they are given", () => {
    const upstream = sarvam({ apiKey: key, timeoutMs: 45_000 }).make("indic")
    assert.deepStrictEqual(
      { ...upstream, capabilities: {}, speakRefusal: undefined },
      { name: "indic", provider: "sarvam", capabilities: {}, speakRefusal: undefined, servedBy: null, maxMs: 90_000 }
    )
    assert.isDefined(upstream.capabilities.transcribe)
  })

  // Verifies: H-143.
  it("make one that does not transcribe where it was not meant to serve speech", () => {
    const baseUrl = "https://api.example.com/v1"
    assert.isUndefined(openai({ baseUrl, serves: ["llm"] }).make("a").capabilities.transcribe)
    assert.isDefined(openai({ baseUrl }).make("a").capabilities.transcribe)
  })

  // Verifies: H-145.
  it("show their key to nobody who looks at them or at what they throw", () => {
    const baseUrl = "https://api.example.com/v1"
    const provider = openai({ baseUrl, apiKey: key })
    assert.notInclude(inspect([provider, provider.make("a")], { depth: 9, showHidden: true }), key)
    assert.notInclude(JSON.stringify([provider, provider.make("a")]), key)
    const bad = `${key}\n`
    try {
      openai({ baseUrl, apiKey: bad })
      assert.fail("it was taken")
    } catch (error) {
      assert.notInclude(inspect(error, { depth: 9, showHidden: true }), key)
    }
  })
})
