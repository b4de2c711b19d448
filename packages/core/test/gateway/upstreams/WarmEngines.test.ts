/** Which engines are loaded before anybody asks: docs/reference/embedded.md#warm. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { routing } from "../../../src/gateway/catalogue/Routing.ts"
import { type Upstream, UpstreamFailed, Upstreams } from "../../../src/gateway/upstreams/Upstream.ts"
import { warmEngines } from "../../../src/gateway/upstreams/WarmEngines.ts"

const nothing = () => Effect.die("it runs nothing")

/** What was loaded when the product had begun, with these routes. The engine has three capabilities, the other upstream all. */
const loadedWith = (routes: Readonly<Record<string, { readonly upstream: string }>>, isBroken = false) =>
  Effect.gen(function* () {
    const loaded: Array<string> = []
    const engine = (name: string): Upstream => ({
      ...{ name, provider: "embedded", servedBy: null, maxMs: 1 },
      capabilities: { transcribe: nothing, speak: nothing, embed: nothing },
      namedModels: { transcribe: ["moonshine-tiny"] },
      ownModels: { speak: ["flite"], embed: ["encoder"] },
      keepWarm: (capability) =>
        isBroken
          ? Effect.fail(
              new UpstreamFailed({ why: "failed", detail: "no weights", retryAfterSeconds: null, advice: null })
            )
          : Effect.sync(() => void loaded.push(`${name} ${capability}`))
    })
    const there: Upstream = {
      ...engine("there"),
      capabilities: { transcribe: nothing, speak: nothing, generate: nothing },
      ownModels: {},
      keepWarm: undefined as never
    }
    const categories = { "nova-3": "stt", "oss-120b": "llm", encoder: "embedding" } as const
    const upstreams = routing({
      ...{ upstreams: [there, engine("here")], routes, fallback: engine("embedded") },
      categoryOf: (model) => categories[model as keyof typeof categories] ?? null
    })
    yield* Effect.scoped(
      Effect.andThen(Effect.provideService(warmEngines, Upstreams, Result.getOrThrow(upstreams)), Effect.yieldNow)
    )
    return loaded
  })

describe("engines on this machine are loaded before they are asked", () => {
  // Verifies: H-831.
  it.effect("where agents hear and speak by them: a route leads to a language model, and none to speech", () =>
    Effect.gen(function* () {
      const chats = { "oss-120b": { upstream: "there" } }
      assert.deepStrictEqual(yield* loadedWith(chats), ["embedded transcribe", "embedded speak"])
      assert.deepStrictEqual(yield* loadedWith({ ...chats, "nova-3": { upstream: "there" } }), ["embedded speak"])
      assert.deepStrictEqual(yield* loadedWith({ "*": { upstream: "there" } }), [])
    })
  )

  // Verifies: H-831.
  it.effect("where a route leads to them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* loadedWith({ "nova-3": { upstream: "here" } }), ["here transcribe"])
      assert.deepStrictEqual(yield* loadedWith({ encoder: { upstream: "here" } }), ["here embed"])
    })
  )

  it.effect("and not for a request that may never come", () =>
    Effect.map(loadedWith({}), (loaded) => assert.deepStrictEqual(loaded, []))
  )

  it.effect("and one that cannot load fails no start", () =>
    Effect.map(loadedWith({ "nova-3": { upstream: "here" } }, true), (loaded) => assert.deepStrictEqual(loaded, []))
  )
})
