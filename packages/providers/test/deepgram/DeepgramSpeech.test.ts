/** Speech synthesis at Deepgram. Verifies: DEEP-6, DEEP-7. */
import { assert, describe, it } from "@effect/vitest"
import type { SpeakRequest } from "@trunkline/core/provider"
import { audioOf, deepgramError, startFakeDeepgram } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { voicedModel } from "../../src/deepgram/DeepgramSpeech.ts"
import { deepgram } from "../../src/deepgram/index.ts"
import { failureOf, speak, speakRequest } from "../upstream/SpeakWorks.ts"

const key = "deepgram-topsecret"
const fake = Effect.acquireRelease(
  Effect.promise(() => startFakeDeepgram({ apiKey: key })),
  (one) => Effect.promise(one.close)
)

describe("the name of a model with its voice", () => {
  // Verifies: G-892, G-895.
  it.each([
    ["aura-2-en", null, "aura-2-thalia-en"],
    ["deepgram-aura-2-en", null, "aura-2-thalia-en"],
    ["aura-2-es", null, "aura-2-celeste-es"],
    ["deepgram-aura-2-es", "alloy", "aura-2-celeste-es"],
    ["aura-2-en", "orion", "aura-2-orion-en"],
    ["aura-2-es", "javier", "aura-2-javier-es"],
    ["aura-en", "zeus", "aura-zeus-en"],
    ["aura-2-en", "aura-asteria-en", "aura-asteria-en"],
    ["aura-2-en", "Marin", "aura-2-thalia-en"],
    ["aura-2-apollo-en", null, "aura-2-apollo-en"],
    ["aura-2-apollo-en", "onyx", "aura-2-apollo-en"],
    ["aura-2-apollo-en", "orion", "aura-2-orion-en"],
    ["another-line", "orion", "another-line"]
  ] as const)("%s in the voice %s is %s", (model, voice, name) => {
    assert.strictEqual(voicedModel({ model, voice }), name)
  })

  it("is the default of every voice that OpenAI has", () => {
    const voices = "alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse".split(" ")
    for (const voice of voices) assert.strictEqual(voicedModel({ model: "aura-2-en", voice }), "aura-2-thalia-en")
  })
})

describe("speech of Deepgram", () => {
  // Verifies: G-891.
  it.live.each([
    ["MP3", {}, "encoding=mp3"],
    ["Opus", { format: "opus" }, "encoding=opus"],
    ["AAC", { format: "aac" }, "encoding=aac"],
    ["FLAC", { format: "flac" }, "encoding=flac"],
    ["WAV", { format: "wav" }, "encoding=linear16 container=wav"],
    ["samples", { format: "pcm" }, "encoding=linear16 container=none sample_rate=24000"],
    ["a speed", { speed: 1.5 }, "encoding=mp3 speed=1.5"],
    ["a language, which the model has", { language: "es-ES" }, "encoding=mp3"]
  ] as ReadonlyArray<[string, Partial<SpeakRequest>, string]>)(
    "is asked for with the text alone in its body: %s",
    ([_, change, query]) =>
      Effect.gen(function* () {
        const upstream = yield* fake
        const provider = deepgram({ baseUrl: upstream.origin, apiKey: key })
        const { audio } = yield* speak(provider, { model: "aura-2-en", input: "Hola, ñandú", ...change })
        assert.deepStrictEqual(audio, audioOf("Hola, ñandú"))
        const [call] = upstream.calls
        assert.lengthOf(upstream.calls, 1)
        assert.strictEqual(`${call?.method} ${call?.path}`, "POST /v1/speak")
        assert.deepStrictEqual(call?.json, { text: "Hola, ñandú" })
        assert.strictEqual(call?.headers.authorization, `Token ${key}`)
        const asked = call?.query.map(([name, value]) => `${name}=${value}`).join(" ")
        assert.strictEqual(asked, `model=aura-2-thalia-en ${query}`)
      })
  )

  // Verifies: G-896.
  it("is refused with a field that has no place there", () => {
    const { speakRefusal } = deepgram({ apiKey: key }).make("voices")
    const refusalOf = (fields: SpeakRequest["fields"]) => speakRefusal?.(speakRequest({ fields }))?.param
    assert.strictEqual(refusalOf({ model: "m", input: "i", instructions: "slowly" }), "instructions")
    assert.strictEqual(refusalOf({ input: "i", seed: 1, instructions: "" }), "seed")
    const known = { model: "m", input: "i", voice: { id: "v" }, response_format: "mp3", speed: 1, language: "en" }
    assert.isUndefined(refusalOf(known))
  })

  // Verifies: G-908.
  it.live("that is refused names no word of Deepgram's", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const provider = deepgram({ baseUrl: upstream.origin, apiKey: key })
      const failure = yield* failureOf(speak(provider, { model: "aura-2-en", voice: "no/voice" }))
      assert.deepStrictEqual(failure, { why: "refused_input", detail: "answered 400 INVALID_QUERY_PARAMETER" })
      upstream.behave(deepgramError(429, "TOO_MANY_REQUESTS", { "retry-after": "7" }))
      const throttled = yield* failureOf(speak(provider))
      assert.deepStrictEqual(throttled, {
        ...{ why: "throttled", retryAfterSeconds: 7 },
        detail: "answered 429 TOO_MANY_REQUESTS"
      })
    })
  )

  // Verifies: G-912.
  it("is served unless the settings say otherwise", () => {
    const served = (serves?: ReadonlyArray<"stt" | "tts">) =>
      Object.keys(deepgram({ apiKey: key, serves }).make("voices").capabilities)
    assert.deepStrictEqual(
      [served(), served(["tts"]), served(["stt"])],
      [["transcribe", "speak"], ["speak"], ["transcribe"]]
    )
  })
})
