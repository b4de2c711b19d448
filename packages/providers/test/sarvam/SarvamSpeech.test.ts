/** Speech synthesis at Sarvam. Verifies: SARV-5, SARV-6. */
import { assert, describe, it } from "@effect/vitest"
import type { SpeakRequest } from "@trunkline/core/provider"
import { audioOf, startFakeSarvam } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { sarvam } from "../../src/sarvam/index.ts"
import { languageOf } from "../../src/sarvam/SarvamSpeech.ts"
import { failureOf, speak, speakRequest } from "../upstream/SpeakWorks.ts"

const key = "sarvam-topsecret"
const fake = Effect.acquireRelease(
  Effect.promise(() => startFakeSarvam({ apiKey: key })),
  (one) => Effect.promise(one.close)
)

describe("the language of a text", () => {
  // Verifies: G-894.
  it.each([
    ["Hello", "en-IN"],
    ["नमस्ते", "hi-IN"],
    ["নমস্কার", "bn-IN"],
    ["નમસ્તે", "gu-IN"],
    ["ਸਤ ਸ੍ਰੀ ਅਕਾਲ", "pa-IN"],
    ["ನಮಸ್ಕಾರ", "kn-IN"],
    ["നമസ്കാരം", "ml-IN"],
    ["ନମସ୍କାର", "od-IN"],
    ["வணக்கம்", "ta-IN"],
    ["నమస్కారం", "te-IN"],
    ["Hello, வணக்கம் नमस्ते", "ta-IN"],
    ["१२३ — வணக்கம்", "ta-IN"],
    ["Привет, 你好", "en-IN"],
    ["12:30 ।", "en-IN"]
  ])("%s is %s", (text, language) => {
    assert.strictEqual(languageOf(text), language)
  })
})

describe("speech of Sarvam", () => {
  const plain = { target_language_code: "en-IN", output_audio_codec: "mp3" }

  // Verifies: G-893, G-894, G-895.
  it.live.each([
    ["a text", {}, plain],
    ["a voice", { voice: "anushka" }, { ...plain, speaker: "anushka" }],
    ["OpenAI's voices, which are the default", { voice: "shimmer" }, plain],
    ["a speed", { speed: 0.5 }, { ...plain, pace: 0.5 }],
    ["a language", { language: "ta-IN" }, { ...plain, target_language_code: "ta-IN" }],
    ["Odia under the standard's code", { language: "or-IN" }, { ...plain, target_language_code: "od-IN" }],
    ["Opus", { format: "opus" }, { ...plain, output_audio_codec: "opus" }],
    ["AAC", { format: "aac" }, { ...plain, output_audio_codec: "aac" }],
    ["FLAC", { format: "flac" }, { ...plain, output_audio_codec: "flac" }],
    ["WAV", { format: "wav" }, { ...plain, output_audio_codec: "wav" }],
    ["samples", { format: "pcm" }, { ...plain, output_audio_codec: "linear16", speech_sample_rate: 24_000 }]
  ] as ReadonlyArray<[string, Partial<SpeakRequest>, object]>)(
    "is asked for in Sarvam's words: %s",
    ([_, change, body]) =>
      Effect.gen(function* () {
        const upstream = yield* fake
        const provider = sarvam({ baseUrl: upstream.origin, apiKey: key })
        const { audio } = yield* speak(provider, { model: "bulbul:v3", input: "Good day", ...change })
        assert.deepStrictEqual(audio, audioOf("Good day"))
        const [call] = upstream.calls
        assert.lengthOf(upstream.calls, 1)
        assert.strictEqual(`${call?.method} ${call?.path}`, "POST /text-to-speech/stream")
        assert.deepStrictEqual(call?.json, { text: "Good day", model: "bulbul:v3", ...body })
        assert.strictEqual(call?.headers["api-subscription-key"], key)
        assert.isUndefined(call?.headers.authorization)
      })
  )

  // Verifies: G-896.
  it("is refused with a field that has no place there", () => {
    const { speakRefusal } = sarvam({ apiKey: key }).make("voices")
    const fields = { model: "m", input: "i", instructions: "slowly" }
    assert.strictEqual(speakRefusal?.(speakRequest({ fields }))?.param, "instructions")
    assert.isNull(speakRefusal?.(speakRequest()))
  })

  // Verifies: G-908.
  it.live("whose key is refused is the operator's fault", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const failure = yield* failureOf(speak(sarvam({ baseUrl: upstream.origin, apiKey: "another" })))
      assert.deepStrictEqual(failure, { why: "operator", detail: "answered 403 invalid_api_key_error" })
    })
  )

  // Verifies: G-912.
  it("is served unless the settings say otherwise", () => {
    const served = (serves?: ReadonlyArray<"stt" | "tts">) =>
      Object.keys(sarvam({ apiKey: key, serves }).make("voices").capabilities)
    assert.deepStrictEqual(
      [served(), served(["tts"]), served(["stt"])],
      [["transcribe", "speak"], ["speak"], ["transcribe"]]
    )
  })
})
