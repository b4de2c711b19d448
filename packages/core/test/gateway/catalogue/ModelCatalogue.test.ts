/** The shipped catalogue, and what a host may put over it: docs/reference/models.md. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { readCatalogue, readDefaults } from "../../../src/gateway/catalogue/CatalogueFile.ts"
import {
  CatalogueRefused,
  type CatalogueSettings,
  ModelCatalogue,
  Models,
  modelAccess
} from "../../../src/gateway/catalogue/index.ts"
import shipped from "../../../src/gateway/catalogue/models.json" with { type: "json" }
import { Prices } from "../../../src/platform/billing/index.ts"

const catalogueOf = (settings: CatalogueSettings = {}) =>
  Effect.runSync(Effect.provide(ModelCatalogue, ModelCatalogue.layer(settings)))

const faultsOf = (settings: CatalogueSettings): ReadonlyArray<string> => {
  const refused = Effect.runSync(Effect.flip(Effect.provide(ModelCatalogue, ModelCatalogue.layer(settings))))
  assert.instanceOf(refused, CatalogueRefused)
  return refused.faults
}

const { all, defaultModels, get, listed } = catalogueOf()
const ofCategory = (category: Models.ModelCategory) => all.filter((model) => model.category === category)
const model = (id: string) => get(id) ?? assert.fail(`there is no ${id}`)

/** The free plan's models, as they are promised. */
const free = {
  llm: [
    ...["indic-105b", "indic-105b-conversations", "kimi-k2.5", "kimi-k2.6", "kimi-k2.7-code", "glm-4.7-flash"],
    ...["glm-5.2", "oss-120b", "nemotron-3-super", "gemma-4-26b-a4b-it", "mistral-small-3.1"]
  ],
  stt: ["saaras:v3", "saaras:v4", "whisper-large-v3-turbo", "nova-3"],
  tts: ["bulbul:v3", "aura-2-en", "aura-2-es", "melotts"],
  image: ["flux-2-klein-9b", "flux-2-dev", "lucid-origin", "phoenix-1.0", "sdxl-lightning", "dreamshaper-8-lcm"],
  embedding: ["text-embedding-3-small", "text-embedding-3-large"]
}

describe("the shipped catalogue", () => {
  // Verifies: G-21, G-22, G-65, G-66, G-67, G-68, G-108, G-109, G-110, G-111, G-112, G-113.
  it("lets the free plan call exactly its 27 models", () => {
    const { byCategory, models } = modelAccess(all).free
    expect(byCategory).toEqual(free)
    expect(models).toEqual(Object.values(free).flat())
    expect(models).toHaveLength(27)
  })

  // Verifies: G-24, G-115.
  it("lets the paid plans call every model that it lists", () => {
    const { enterprise, pro, starter } = modelAccess(all)
    const every = listed.map(({ id }) => id)
    for (const plan of [starter, pro, enterprise]) {
      expect(plan.models).toEqual(every)
      expect(Object.values(plan.byCategory).flat().sort()).toEqual([...every].sort())
    }
  })

  // Verifies: G-69, G-116.
  it("keeps the paid models from the free plan", () => {
    const paid = [
      ...["kimi-k2.5-fast", "glm-5.3", "gemma-4-31b", "gemini-2.5-pro", "gpt-realtime", "deepgram-nova-3"],
      ...["deepgram-aura-2-en", "ink-whisper", "ink-2", "gnani-prisma-v2.5", "whisper-1", "flux-2-pro"]
    ]
    expect(paid.filter((id) => Models.mayCall(model(id), "free"))).toEqual([])
    expect(paid.filter((id) => !Models.mayCall(model(id), "starter"))).toEqual([])
  })

  // Verifies: G-2, H-38.
  it("lists 45 models that transcribe", () => {
    expect(listed.filter(({ category }) => category === "stt")).toHaveLength(45)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  // Verifies: H-64.
  it("knows the engine on this machine, free of cost and for every plan, and shows it in no list", () => {
    const engine = model("moonshine-tiny")
    expect(engine).toMatchObject({ category: "stt", listed: false, price: { unit: "seconds", perHour: 0n } })
    expect(Models.mayCall(engine, "free")).toBe(true)
    expect(ofCategory("stt")).toContain(engine)
    expect(listed).not.toContain(engine)
  })

  // Verifies: G-918.
  it("knows the voices on this machine, free of cost and for every plan, and shows them in no list", () => {
    const voices = model("flite")
    expect(voices).toMatchObject({ category: "tts", listed: false, price: { unit: "characters", per10k: 0n } })
    expect(Models.mayCall(voices, "free")).toBe(true)
    expect(listed).not.toContain(voices)
  })

  // Verifies: H-822.
  it("knows the embedding model on this machine, free of cost and for every plan, and shows it in no list", () => {
    const encoder = model("universal-sentence-encoder-lite")
    expect(encoder).toMatchObject({
      ...{ category: "embedding", listed: false, price: { unit: "tokens", input: 0n } },
      limits: { inputs: 128, dimensions: 512, contextWindow: 128 }
    })
    expect(Models.mayCall(encoder, "free")).toBe(true)
    expect(listed).not.toContain(encoder)
  })

  it.each([
    ["saaras:v3", { usd_per_hour: 0.53 }],
    ["saaras:v4", { usd_per_hour: 0.3125 }],
    ["whisper-large-v3-turbo", { usd_per_hour: 0.06 }],
    ["nova-3", { usd_per_hour: 0.5 }],
    ["ink-whisper", { usd_per_hour: 0.1875 }],
    ["ink-2", { usd_per_hour: 0.5625 }],
    ["bulbul:v3", { usd_per_10k_characters: 0.53 }],
    ["aura-2-en", { usd_per_10k_characters: 0.4 }],
    ["aura-2-es", { usd_per_10k_characters: 0.4 }],
    ["melotts", { usd_per_10k_characters: 0.05 }],
    ["flux-2-dev", { usd_per_image: 0.12, image_pixels: 1_048_576 }],
    ["flux-2-klein-9b", { usd_per_image: 0.1 }],
    ["phoenix-1.0", { usd_per_image: 0.1 }],
    ["lucid-origin", { usd_per_image: 0.08 }],
    ["sdxl-lightning", { usd_per_image: 0.04 }],
    ["dreamshaper-8-lcm", { usd_per_image: 0.04 }],
    ["kimi-k2.5", { input_usd_per_million_tokens: 0.52, output_usd_per_million_tokens: 2.3 }],
    ["kimi-k2.6", { input_usd_per_million_tokens: 0.52, output_usd_per_million_tokens: 2.3 }],
    ["glm-4.7-flash", { input_usd_per_million_tokens: 0.5, output_usd_per_million_tokens: 2 }],
    ["oss-120b", { input_usd_per_million_tokens: 1, output_usd_per_million_tokens: 4 }],
    ["nemotron-3-super", { input_usd_per_million_tokens: 1.5, output_usd_per_million_tokens: 6 }],
    ["gemma-4-26b-a4b-it", { input_usd_per_million_tokens: 0.4, output_usd_per_million_tokens: 1.6 }],
    ["mistral-small-3.1", { input_usd_per_million_tokens: 0.2, output_usd_per_million_tokens: 0.8 }],
    ["text-embedding-3-small", { input_usd_per_million_tokens: 0.02083 }],
    ["text-embedding-3-large", { input_usd_per_million_tokens: 0.1354 }]
    // Verifies: G-65, G-66, G-67, G-68, G-70, G-71, G-219, G-220, G-221, G-222, G-223, G-224, G-225, G-226, G-227, G-228, G-229, G-230, G-231, G-232, G-233, G-234, H-34.
  ])("has the published price of %s to the digit", (id, price) => {
    expect(model(id).price).toEqual(Prices.fromFile(price))
    expect(model(id).source).toContain("own published rate")
  })

  // Verifies: H-38.
  it("says of every price where it is published, and of no other", () => {
    const priced = new Set(shipped.models.filter((entry) => "price" in entry).map(({ id }) => id))
    expect(all.filter(({ id, source }) => (source !== null) !== priced.has(id))).toEqual([])
  })

  // Verifies: G-47, G-48, G-49, G-236, G-239, G-240, H-34.
  it("has the limits of a request that are promised", () => {
    const limits = (id: string) => model(id).limits
    const none = {
      seconds: null,
      bytes: null,
      inputs: null,
      characters: null,
      dimensions: null,
      contextWindow: null,
      maxOutputTokens: null
    }
    for (const id of ["saaras:v3", "saaras:v4"]) expect(limits(id)).toEqual({ ...none, seconds: 30 })
    expect(limits("gnani-prisma-v2.5")).toEqual({ ...none, seconds: 60 })
    const sized = listed.filter(({ id }) => /^(deepgram-)?whisper-|^gpt-.*-transcribe/.test(id))
    expect(sized.length).toBe(11)
    for (const { id } of sized) expect(limits(id), id).toEqual({ ...none, bytes: 25_000_000 })
    for (const id of ["glm-5.3", "gemma-4-31b"]) expect(limits(id)).toMatchObject({ bytes: 10_485_760 })
    const embeddings = listed
      .filter(({ category }) => category === "embedding")
      .map(({ id, limits }) => [id, limits.inputs, limits.dimensions])
    expect(embeddings).toEqual([
      ["text-embedding-3-small", 128, 1536],
      ["text-embedding-3-large", 128, 3072]
    ])
    // Verifies: G-888.
    const voices = listed.filter(({ category }) => category === "tts").map(({ id, limits }) => [id, limits.characters])
    expect(voices).toEqual([
      ["bulbul:v3", 2500],
      ["aura-2-en", 2000],
      ["aura-2-es", 2000],
      ["melotts", 4096],
      ["deepgram-aura-2-en", 2000],
      ["deepgram-aura-2-es", 2000],
      ["sonic-3", 4096],
      ["tts-1", 4096],
      ["tts-1-hd", 4096]
    ])
    const gemini = all.filter(({ id }) => id.startsWith("gemini-"))
    expect(gemini.length).toBeGreaterThan(3)
    for (const { id } of gemini) expect(limits(id), id).toMatchObject({ maxOutputTokens: 65_536 })
  })

  // Verifies: H-34.
  it("has a context window and a maximum output for every language model, the output within the window", () => {
    const models = ofCategory("llm")
    expect(models.length).toBeGreaterThan(30)
    for (const { id, limits } of models) {
      const { contextWindow, maxOutputTokens } = limits
      expect([contextWindow, maxOutputTokens], id).toEqual([expect.any(Number), expect.any(Number)])
      expect(maxOutputTokens!, id).toBeLessThanOrEqual(contextWindow!)
    }
  })

  // Verifies: H-160.
  it("names the source of each published figure of a language or embedding model, and the figures that are defaults", () => {
    const figures = ["context_window", "max_output_tokens", "dimensions"]
    for (const entry of shipped.models) {
      if (entry.category !== "llm" && entry.category !== "embedding") continue
      const published = figures.some((name) => name in (entry.limits ?? {}))
      expect("limits_source" in entry, entry.id).toBe(published)
      const { contextWindow, maxOutputTokens } = model(entry.id).limits
      const own: { readonly context_window?: number; readonly max_output_tokens?: number } = entry.limits ?? {}
      if (entry.category === "llm") {
        for (const name of ["context_window", "max_output_tokens"] as const) {
          expect(/: default$/.test(entry.limits_source ?? "") && entry.limits_source!.includes(name), entry.id).toBe(
            own[name] === undefined
          )
        }
        expect(contextWindow, entry.id).toBe(own.context_window ?? 32_768)
        expect(maxOutputTokens, entry.id).toBe(own.max_output_tokens ?? Math.min(32_768, contextWindow!))
      }
    }
  })

  // Verifies: G-72, G-73.
  it("names for every streaming-only model one that accepts files", () => {
    const streaming = all.filter(({ streamingOnly }) => streamingOnly)
    expect(streaming.map(({ alternative, id }) => [id, alternative])).toEqual([
      ["ink-2", "ink-whisper"],
      ["deepgram-flux-general-en", "deepgram-nova-3"],
      ["deepgram-flux-general-multi", "deepgram-nova-3"]
    ])
    expect(streaming.every(({ voice }) => voice)).toBe(true)
  })

  // Verifies: G-61, G-66, G-67, G-101.
  it("knows which models translate, which honour modes, and which distinguishes speakers", () => {
    const five = ["transcribe", "translate", "verbatim", "translit", "codemix"]
    const two = ["transcribe", "translate"]
    const those = (holds: (one: Models.Model) => boolean) => listed.filter(holds).map(({ id }) => id)
    expect(those(({ translates }) => translates)).toEqual(["saaras:v3", "saaras:v4", "whisper-large-v3-turbo"])
    expect(those(({ modes }) => modes.length > 0)).toEqual(["saaras:v3", "saaras:v4", "whisper-large-v3-turbo"])
    expect(model("saaras:v3").modes).toEqual(five)
    expect(model("saaras:v4").modes).toEqual(five)
    expect(model("whisper-large-v3-turbo").modes).toEqual(two)
    expect(those(({ diarizes }) => diarizes)).toEqual(["gpt-4o-transcribe-diarize"])
  })

  // Verifies: G-4, G-62, G-67, G-70, G-71, G-94, G-106.
  it("lists the languages of models that publish them", () => {
    const count = (id: string) => new Set(model(id).dialects).size
    expect(count("saaras:v3")).toBe(23)
    expect(count("saaras:v4")).toBe(24)
    expect(count("whisper-large-v3-turbo")).toBe(99)
    expect(count("ink-whisper")).toBe(100)
    expect(model("ink-2").dialects).toEqual(["en", "fr", "hi", "ja", "es"])
    for (const code of [
      ...["en-US", "en-GB", "en-IN", "en-AU", "en-NZ", "en-CA", "en-IE", "es", "es-419"],
      ...["pt-BR", "pt-PT", "zh-CN", "zh-TW", "zh-HK", "multi"]
    ]) {
      expect(model("deepgram-nova-3").dialects).toContain(code)
    }
    for (const { dialects, id } of all) expect(new Set(dialects).size, id).toBe(dialects.length)
  })

  // Verifies: G-75, G-91, H-37.
  it("has further parameters of the vendor's own models that accept files, and of no other", () => {
    const direct = listed.filter(({ id, streamingOnly }) => id.startsWith("deepgram-") && !streamingOnly)
    const ofSpeech = direct.filter(({ category }) => category === "stt").map(({ id }) => id)
    expect(all.filter(({ features }) => features.length > 0).map(({ id }) => id)).toEqual(ofSpeech)
    expect(model("deepgram-nova-3").features).not.toContain("keywords")
    expect(model("deepgram-nova-2").features).not.toContain("keyterm")
    expect(new Set(ofSpeech.flatMap((id) => model(id).features)).size).toBe(Models.featureNames.length)
  })

  // Verifies: G-244, G-245, H-42.
  it("retires a realtime model with a successor, and lists it no more", () => {
    const retired = all.filter(({ status }) => status === "retired")
    expect(retired.map(({ id, successor }) => [id, successor])).toEqual([["gpt-4o-realtime-preview", "gpt-realtime"]])
    expect(listed).not.toContain(retired[0])
  })

  // Verifies: G-114, G-244.
  it("does not know the ids of an earlier catalogue: the free router, and frontier models under a vendor's prefix", () => {
    expect(get("auto")).toBeNull()
    const frontier = ofCategory("llm").filter(({ id }) => /^(gpt|claude|gemini)-/.test(id))
    expect(frontier.length).toBeGreaterThan(10)
    for (const { id } of frontier) {
      for (const vendor of ["openai", "anthropic", "google"]) {
        for (const separator of ["-", "/", ":"]) expect(get(vendor + separator + id)).toBeNull()
      }
    }
  })

  // Verifies: G-235.
  it("bills long prompts more where the vendor does", () => {
    const long = all.filter(({ price }) => price.unit === "tokens" && price.longInputCostsMore).map(({ id }) => id)
    expect(long).toEqual(["gpt-5.4", "gpt-5.5"])
  })
})

describe("prices of models that have none", () => {
  // Verifies: H-39.
  it("are their category's", () => {
    expect(model("glm-5.2").price).toEqual(
      Prices.fromFile({ input_usd_per_million_tokens: 1, output_usd_per_million_tokens: 4 })
    )
    expect(model("gnani-prisma-v2.5").price).toEqual(Prices.fromFile({ usd_per_hour: 0.5 }))
  })

  // Verifies: G-123, H-39, H-146.
  it("are what the host says, for the services of which it says something", () => {
    const { cost, defaultPrice, get } = catalogueOf({ defaults: { stt: { usd_per_hour: 3.6 } }, usdToCredits: 100 })
    const price = get("gnani-prisma-v2.5")!.price
    expect(price).toEqual(Prices.fromFile({ usd_per_hour: 3.6 }))
    expect(cost(price, { unit: "seconds", seconds: 10 })).toBe(1_000_000_000n)
    expect(get("saaras:v3")!.price).toEqual(Prices.fromFile({ usd_per_hour: 0.53 }))
    expect(defaultPrice("search")).toEqual(Prices.fromFile({ credits_per_query: 1 }))
  })

  // Verifies: H-146.
  it("are refused when they cannot be meant, every fault at once", () => {
    const defaults = { stt: { usd_per_image: 1 }, tts: {}, cars: { usd_per_hour: 1 } }
    expect(faultsOf({ defaults, usdToCredits: 0 })).toEqual([
      "pricing.usdToCredits: 0 is no amount above zero",
      "pricing.defaults.stt: stt is billed by seconds; give a price of that kind",
      expect.stringContaining("pricing.defaults.tts: Expected exactly one price"),
      "pricing.defaults.cars: there is no such service"
    ])
  })
})

const mine = { id: "mine", category: "stt" } as const

describe("a host's catalogue", () => {
  // Verifies: H-33, H-35.
  it("adds its models after the shipped ones and replaces those of the same id in their place", () => {
    const before = all.map(({ id }) => id)
    const price = { usd_per_hour: 1 }
    const changed = catalogueOf({ catalogue: { models: [mine, { id: "nova-3", category: "stt", price }] } })
    expect(changed.all.map(({ id }) => id)).toEqual([...before, "mine"])
    const nova = changed.get("nova-3")!
    expect(nova).toMatchObject({ price: Prices.fromFile(price), dialects: [], voice: false })
    expect(Models.mayCall(nova, "free")).toBe(false)
    expect(changed.get("mine")!.tiers).toEqual(["starter", "pro", "enterprise"])
  })

  // Verifies: H-160.
  it("has the default figures of a language model without its own", () => {
    const { get } = catalogueOf({
      catalogue: {
        models: [
          { id: "mine", category: "llm" },
          { id: "small", category: "llm", limits: { context_window: 8192 } },
          { id: "long", category: "llm", limits: { max_output_tokens: 100_000 } }
        ]
      }
    })
    const figures = (id: string) => [get(id)!.limits.contextWindow, get(id)!.limits.maxOutputTokens]
    expect(figures("mine")).toEqual([32_768, 32_768])
    expect(figures("small")).toEqual([8192, 8192])
    expect(figures("long")).toEqual([100_000, 100_000])
  })

  // Verifies: H-33.
  it("stands alone when it says so", () => {
    const { all } = catalogueOf({ catalogue: { replace: true, models: [mine] } })
    expect(all.map(({ id }) => id)).toEqual(["mine"])
    expect(modelAccess(all).free).toEqual({
      models: [],
      byCategory: { llm: [], stt: [], tts: [], image: [], embedding: [] },
      restriction: expect.stringContaining("0 of the catalogue's 1")
    })
  })

  it("may use lists of the models that it extends", () => {
    const { get } = catalogueOf({
      catalogue: { models: [{ ...mine, dialects: "ink-2", features: "deepgram-enhanced" }] }
    })
    expect(get("mine")).toMatchObject({
      dialects: model("ink-2").dialects,
      features: model("deepgram-enhanced").features
    })
    expect(faultsOf({ catalogue: { models: [{ ...mine, features: "deepgram-base-video" }] } })).toEqual([
      "model mine: features: deepgram-base-video has no list of its own, name deepgram-enhanced"
    ])
  })

  it("lists the engine on this machine when it wants to", () => {
    const { listed } = catalogueOf({
      catalogue: { models: [{ id: "moonshine-tiny", category: "stt", tiers: ["free"], price: { usd_per_hour: 0 } }] }
    })
    expect(modelAccess(listed).free.models).toContain("moonshine-tiny")
  })

  it("keeps what is under maintenance in the lists", () => {
    const { listed } = catalogueOf({ catalogue: { models: [{ ...mine, status: "maintenance" }] } })
    expect(listed.at(-1)).toMatchObject({ id: "mine", status: "maintenance" })
    expect(modelAccess(listed).pro.models).toContain("mine")
  })

  // Verifies: H-36.
  it("is refused with everything that is wrong with it", () => {
    const models = [
      { id: "two prices", category: "stt", price: { usd_per_hour: 1, usd_per_image: 1 }, colour: "red" },
      { category: "sst", tiers: ["gold"], limits: { seconds: 0 } },
      7,
      { id: "a", category: "stt", streaming_only: true, alternative: "nobody" },
      { id: "a", category: "stt", alternative: "saaras:v3" },
      { id: "b", category: "stt", streaming_only: true, alternative: "ink-2" },
      { id: "c", category: "stt", streaming_only: true, alternative: "bulbul:v3", successor: "nova-3" },
      { id: "d", category: "llm", status: "retired", successor: "gpt-4o-realtime-preview", price: { usd_per_hour: 1 } },
      { id: "e", category: "llm", limits: { context_window: 8192, max_output_tokens: 8193 } }
    ]
    expect(faultsOf({ catalogue: { models } })).toEqual([
      "catalogue.models[0] (two prices).colour: Expected no excess property",
      "catalogue.models[0] (two prices).id: Expected an id without white space",
      expect.stringMatching(/^catalogue\.models\[0\] \(two prices\)\.price: Expected exactly one price/),
      "catalogue.models[1].id: Missing key",
      expect.stringMatching(/^catalogue\.models\[1\]\.category: Expected "llm"/),
      expect.stringMatching(/^catalogue\.models\[1\]\.tiers\.0: Expected "free"/),
      expect.stringMatching(/^catalogue\.models\[1\]\.limits\.seconds: /),
      "catalogue.models[2]: Expected object",
      "catalogue.models[4] (a): stands twice",
      "model a: alternative: there is no model nobody",
      "model a: alternative: goes with streaming_only alone",
      "model b: alternative: ink-2 takes no file either",
      "model c: alternative: bulbul:v3 is of another category",
      "model c: successor: goes with the status retired alone",
      "model d: successor: gpt-4o-realtime-preview is retired as well",
      "model d: price: llm is billed by tokens; give a price of that kind",
      "model e: limits: max_output_tokens is above context_window"
    ])
  })

  it("is refused when it removes what another model names", () => {
    expect(faultsOf({ catalogue: { replace: true, models: [{ ...mine, dialects: "whisper-1" }] } })).toEqual([
      "model mine: dialects: there is no model whisper-1"
    ])
  })

  it("is refused when it is no catalogue at all", () => {
    for (const catalogue of [null, "models.json", [], { models: {} }, { replace: 1, models: [] }]) {
      expect(faultsOf({ catalogue }), JSON.stringify(catalogue)).toHaveLength(1)
    }
  })
})

describe("the default models", () => {
  it("are the shipped ones, unless a host names others that exist", () => {
    expect(defaultModels).toEqual({ stt: "saaras:v3", llm: "gemma-4-26b-a4b-it" })
    const { defaultModels: changed } = catalogueOf({ catalogue: { default_models: { stt: "nova-3" }, models: [] } })
    expect(changed).toEqual({ ...defaultModels, stt: "nova-3" })
    expect(faultsOf({ catalogue: { default_models: { llm: "none" }, models: [] } })).toEqual([
      "catalogue.default_models.llm: there is no model none"
    ])
  })
})

describe("the catalogue's file", () => {
  it("is read anew to the same models", () => {
    const defaults = readDefaults()
    assert.isTrue(Result.isSuccess(defaults))
    const again = Result.flatMap(defaults, (read) =>
      readCatalogue({ replace: true, ...shipped }, { prices: read, defaultMaxOutputTokens: 32_768 })
    )
    expect(Result.getOrThrow(again)).toEqual({ models: all, defaultModels })
  })
})
