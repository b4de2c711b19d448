/** Verifies: INFE-6. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type InvalidRoutes, type Routing, routing } from "../../../src/gateway/catalogue/Routing.ts"
import type { Capability, Upstream } from "../../../src/gateway/upstreams/Upstream.ts"
import type { Service } from "../../../src/platform/billing/index.ts"

const upstream = (name: string, serves: Capability | "nothing" = "transcribe", provider = "openai"): Upstream => ({
  name,
  provider,
  capabilities: serves === "nothing" ? {} : { [serves]: () => Effect.die("this upstream runs nothing") },
  servedBy: null,
  maxMs: 1
})

const a = upstream("a")
const b = upstream("b")
const mute = upstream("mute", "nothing")
const embedded = upstream("embedded", "transcribe", "embedded")

const categories: Readonly<Record<string, Service>> = {
  ...{ "saaras:v3": "stt", "nova-3": "stt", "whisper-1": "stt", "moonshine-tiny": "stt" },
  ...{ "tts-1": "tts", flite: "tts", "oss-120b": "llm", "text-embedding-3-small": "embedding" }
}

const given = (change: Partial<Routing>): Routing => ({
  ...{ upstreams: [], routes: {}, fallback: null, ...change },
  categoryOf: (model) => categories[model] ?? null
})

/** `upstream:model` of each entry in its order, or null. */
const led = (capability: Capability, change: Partial<Routing>, model: string): string | null => {
  const found = Result.getOrThrow(routing(given(change))).route(capability, model)
  return found === null ? null : found.entries.map(({ model, upstream }) => `${upstream.name}:${model}`).join(" ")
}
const speech = (change: Partial<Routing>, model: string) => led("transcribe", change, model)
const problems = (change: Partial<Routing>): ReadonlyArray<string> =>
  Result.match(routing(given(change)), {
    onFailure: (invalid: InvalidRoutes) => invalid.problems,
    onSuccess: () => []
  })

/** An upstream of this duration, which is its name too. */
describe("models of the engine's own", () => {
  const voices: Upstream = { ...upstream("embedded", "speak", "embedded"), ownModels: { speak: ["flite"] } }
  const other = upstream("other", "speak")
  const speak = (change: Partial<Routing>, model: string) => led("speak", { fallback: voices, ...change }, model)

  // Verifies: G-918.
  it("need no route, are not matched by *, and replace no other model", () => {
    assert.strictEqual(speak({}, "flite"), "embedded:flite")
    const upstreams = [other]
    assert.strictEqual(speak({ upstreams, routes: { "*": { upstream: "other" } } }, "flite"), "embedded:flite")
    assert.isNull(speak({}, "tts-1"))
    assert.isNull(speak({ fallback: null }, "flite"))
  })

  // Verifies: G-918.
  it("go where a route of their own leads, and others to them where a route says so by name", () => {
    const upstreams = [other, { ...voices, name: "here" }]
    assert.strictEqual(speak({ upstreams, routes: { flite: { upstream: "other" } } }, "flite"), "other:flite")
    const named = { "tts-1": { upstream: "here", model: "flite" } }
    assert.strictEqual(speak({ upstreams, routes: named }, "tts-1"), "here:flite")
    assert.isNull(speak({ upstreams, routes: { "*": { upstream: "here" } } }, "tts-1"))
  })

  // Verifies: G-919.
  it("are named by the answers of their upstream", () => {
    const found = Result.getOrThrow(routing(given({ fallback: voices }))).route("speak", "flite")
    assert.strictEqual(found?.entries[0].upstream.servedBy, "embedded; model=flite")
  })

  // Verifies: H-822.
  it("are the same for embeddings", () => {
    const own = "universal-sentence-encoder-lite"
    const fallback: Upstream = { ...upstream("embedded", "embed", "embedded"), ownModels: { embed: [own] } }
    const there = upstream("there", "embed")
    const embed = (change: Partial<Routing>, model: string) => led("embed", { fallback, ...change }, model)
    assert.strictEqual(embed({ upstreams: [there], routes: { "*": { upstream: "there" } } }, own), `embedded:${own}`)
    assert.strictEqual(embed({ upstreams: [there], routes: { [own]: { upstream: "there" } } }, own), `there:${own}`)
    assert.isNull(embed({}, "text-embedding-3-small"))
  })
})

describe("routes", () => {
  const upstreams = [a, b, mute]

  // Verifies: H-44.
  it("send a model to its upstream, under its name there if it has another one", () => {
    const routes = { "nova-3": { upstream: "a" }, "saaras:v3": { upstream: "b", model: "saaras-v3" } }
    assert.strictEqual(speech({ upstreams, routes }, "nova-3"), "a:nova-3")
    assert.strictEqual(speech({ upstreams, routes }, "saaras:v3"), "b:saaras-v3")
  })

  // Verifies: H-44.
  it("send every other model by *, under the name that was asked for", () => {
    const routes = { "nova-3": { upstream: "a" }, "*": { upstream: "b" } }
    assert.strictEqual(speech({ upstreams, routes }, "nova-3"), "a:nova-3")
    assert.strictEqual(speech({ upstreams, routes }, "whisper-1"), "b:whisper-1")
  })

  it("are the only way to an upstream: a model without one has none, however many are configured", () => {
    assert.isNull(speech({ upstreams: [a] }, "nova-3"))
    assert.isNull(speech({ upstreams, routes: { "nova-3": { upstream: "a" } } }, "whisper-1"))
  })

  it("to an upstream that does not serve speech lead nowhere, and not on to *", () => {
    const routes = { "nova-3": { upstream: "mute" }, "*": { upstream: "a" } }
    assert.isNull(speech({ upstreams, routes }, "nova-3"))
    assert.isNull(speech({ upstreams, routes: { "*": { upstream: "mute" } } }, "nova-3"))
  })

  it("are looked up by name alone: what every object has is no route", () => {
    assert.isNull(speech({ upstreams, routes: { "nova-3": { upstream: "a" } } }, "constructor"))
    assert.isNull(speech({ upstreams, routes: {} }, "__proto__"))
  })

  // Verifies: H-144.
  it("that name an upstream which is not configured are refused, all at once", () => {
    const routes = { "nova-3": { upstream: "x" }, "*": { upstream: "y" }, "whisper-1": { upstream: "a" } }
    assert.deepStrictEqual(problems({ upstreams, routes }), [
      'nova-3: there is no upstream "x" in models.upstreams: add it there',
      '*: there is no upstream "y" in models.upstreams: add it there'
    ])
  })

  it("cannot put one model in the place of all", () => {
    assert.deepStrictEqual(problems({ upstreams, routes: { "*": { upstream: "a", model: "whisper-1" } } }), [
      "*: one model cannot stand in for all"
    ])
    assert.deepStrictEqual(problems({ upstreams, routes: { "nova-3": { upstream: "a", model: "" } } }), [
      "nova-3: a model has a name"
    ])
  })

  // Verifies: H-166.
  it("have fallbacks in their order, and only those that serve the capability", () => {
    const fallbacks = [{ upstream: "mute" }, { upstream: "b", model: "x" }, { upstream: "a", model: "y" }]
    assert.strictEqual(speech({ upstreams, routes: { m: { upstream: "a", fallbacks } } }, "m"), "a:m b:x a:y")
    assert.strictEqual(speech({ upstreams, routes: { m: { upstream: "mute", fallbacks } } }, "m"), "b:x a:y")
    const rest = { "*": { upstream: "a", fallbacks: [{ upstream: "b" }] } }
    assert.strictEqual(speech({ upstreams, routes: rest }, "m"), "a:m b:m")
    assert.isNull(speech({ upstreams, routes: { m: { upstream: "mute", fallbacks: [{ upstream: "mute" }] } } }, "m"))
  })

  // Verifies: H-176.
  it("with fallbacks that cannot work are refused, all at once", () => {
    const routes = {
      m: { upstream: "x", fallbacks: [{ upstream: "a" }, { upstream: "y", model: "" }] },
      "*": { upstream: "a", fallbacks: [{ upstream: "b", model: "one" }] }
    }
    assert.deepStrictEqual(problems({ upstreams, routes }), [
      'm: there is no upstream "x" in models.upstreams: add it there',
      'm.fallbacks.1: there is no upstream "y" in models.upstreams: add it there',
      "m.fallbacks.1: a model has a name",
      "*.fallbacks.0: one model cannot stand in for all"
    ])
  })

  // Verifies: H-151.
  it("send a language model to an upstream that serves language models", () => {
    const chat = upstream("chat", "chat")
    const routes = { "oss-120b": { upstream: "chat", model: "gpt-oss" }, "nova-3": { upstream: "a" } }
    assert.strictEqual(led("chat", { upstreams: [...upstreams, chat], routes }, "oss-120b"), "chat:gpt-oss")
    assert.isNull(led("chat", { upstreams: [...upstreams, chat], routes }, "glm-5.2"))
    const rest = { ...routes, "*": { upstream: "chat" } }
    assert.strictEqual(led("chat", { upstreams: [...upstreams, chat], routes: rest }, "glm-5.2"), "chat:glm-5.2")
    assert.isNull(speech({ upstreams: [...upstreams, chat], routes: rest }, "saaras:v3"))
  })

  it("never send a language model to an upstream that serves only speech, or to the embedded engine", () => {
    assert.isNull(led("chat", { upstreams, routes: { "*": { upstream: "a" } }, fallback: embedded }, "oss-120b"))
    assert.isNull(led("chat", { fallback: embedded }, "oss-120b"))
  })
})

describe("the embedded fallback", () => {
  /** Runs everything, as an upstream does whose configuration does not say what it serves. */
  const whole: Upstream = {
    ...upstream("whole"),
    capabilities: Object.fromEntries(
      ["transcribe", "chat", "generate", "speak", "embed"].map((one) => [one, () => Effect.die("it runs nothing")])
    )
  }
  const engine: Upstream = {
    ...embedded,
    capabilities: { transcribe: embedded.capabilities.transcribe!, speak: () => Effect.die("it runs nothing") },
    namedModels: { transcribe: ["moonshine-tiny"] },
    ownModels: { speak: ["flite"] }
  }
  const service = (change: Partial<Routing>) => Result.getOrThrow(routing(given({ fallback: engine, ...change })))
  const named = (change: Partial<Routing>, capability: Capability) =>
    service(change)
      .serving(capability)
      .map(({ name }) => name)

  // Verifies: H-68.
  it("answers for every model while no route leads to speech, whatever the configured upstreams could do", () => {
    assert.strictEqual(speech({ fallback: embedded }, "saaras:v3"), "embedded:saaras:v3")
    assert.strictEqual(speech({ upstreams: [a], fallback: embedded }, "saaras:v3"), "embedded:saaras:v3")
    const chats = { upstreams: [whole], routes: { "oss-120b": { upstream: "whole" } } }
    assert.strictEqual(speech({ ...chats, fallback: embedded }, "saaras:v3"), "embedded:saaras:v3")
    const routes = { "*": { upstream: "mute" } }
    assert.strictEqual(speech({ upstreams: [mute], routes, fallback: embedded }, "saaras:v3"), "embedded:saaras:v3")
  })

  // Verifies: H-45, H-68.
  it("never stands in once a route leads to speech: one of its models, or * to an upstream that serves it", () => {
    const routes = { "nova-3": { upstream: "a" } }
    assert.isNull(speech({ upstreams: [a], routes, fallback: embedded }, "saaras:v3"))
    const own = { "moonshine-tiny": { upstream: "here" } }
    assert.isNull(speech({ upstreams: [{ ...engine, name: "here" }], routes: own, fallback: embedded }, "saaras:v3"))
    const rest = { "*": { upstream: "whole" } }
    assert.strictEqual(speech({ upstreams: [whole], routes: rest, fallback: embedded }, "saaras:v3"), "whole:saaras:v3")
  })

  // Verifies: H-68.
  it("never stands in for a model that was sent elsewhere", () => {
    const routes = { "saaras:v3": { upstream: "mute" } }
    assert.isNull(speech({ upstreams: [mute], routes, fallback: embedded }, "saaras:v3"))
    assert.isNull(speech({ upstreams: [mute], routes, fallback: embedded }, "nova-3"))
  })

  // Verifies: V-30, V-107.
  it("is the default of each service by itself, and of none to which a route leads", () => {
    const standIns = (change: Partial<Routing>) =>
      (["transcribe", "speak", "generate"] as const).map(service(change).standIn)
    assert.deepStrictEqual(standIns({}), ["moonshine-tiny", "flite", null])
    const speaks = { upstreams: [whole], routes: { "tts-1": { upstream: "whole" } } }
    assert.deepStrictEqual(standIns(speaks), ["moonshine-tiny", null, null])
    assert.deepStrictEqual(standIns({ upstreams: [whole], routes: { "*": { upstream: "whole" } } }), [null, null, null])
    assert.deepStrictEqual(standIns({ fallback: null }), [null, null, null])
  })

  it("is among those that serve what no route leads to, and each upstream there is named once", () => {
    const routes = { "nova-3": { upstream: "a", fallbacks: [{ upstream: "b" }] }, "whisper-1": { upstream: "a" } }
    assert.deepStrictEqual(named({ upstreams: [a, b], routes }, "transcribe"), ["a", "b"])
    assert.deepStrictEqual(named({ upstreams: [a, b], routes }, "speak"), ["embedded"])
    assert.deepStrictEqual(named({ upstreams: [a, b], routes }, "generate"), [])
  })

  it("is an upstream like any other where a route names it", () => {
    const routes = { "moonshine-tiny": { upstream: "embedded" }, "*": { upstream: "a" } }
    assert.strictEqual(speech({ upstreams: [a, embedded], routes }, "moonshine-tiny"), "embedded:moonshine-tiny")
    assert.strictEqual(speech({ upstreams: [a, embedded], routes }, "nova-3"), "a:nova-3")
  })

  // Verifies: H-70.
  it("without one, nobody answers", () => assert.isNull(speech({}, "saaras:v3")))
})
