/** Verifies: OPAI-1, OPAI-2, OPAI-3. */
import { assert, describe, it } from "@effect/vitest"
import type { SpeechWork } from "@trunkline/core/provider"
import { type FakeProviderOptions, type FakeUpstream, startFakeOpenAi } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { openai } from "../../src/openai/index.ts"
import { digestOf, recording, transcribe } from "../upstream/Works.ts"

const key = "sk-topsecret"

const fake = (options: FakeProviderOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakeOpenAi({ apiKey: key, ...options })),
    (one) => Effect.promise(one.close)
  )
const provider = ({ origin }: FakeUpstream) => openai({ baseUrl: `${origin}/v1/`, apiKey: key })

describe("a request to an OpenAI-compatible server", () => {
  it.live.each([
    ["Whisper, which tells the length", {}, "transcriptions", "model=whisper-1 response_format=verbose_json"],
    [
      "a language that was told",
      { language: "hi" },
      "transcriptions",
      "model=whisper-1 language=hi response_format=verbose_json"
    ],
    [
      "the GPT family, which answers plain JSON alone",
      { model: "gpt-4o-transcribe", requestedModel: "gpt-4o-transcribe" },
      "transcriptions",
      "model=gpt-4o-transcribe response_format=json"
    ],
    [
      "a model that nobody has heard of",
      { model: "vendor/ears-2", requestedModel: "ears-2" },
      "transcriptions",
      "model=vendor/ears-2 response_format=json"
    ],
    [
      "speakers",
      { model: "gpt-4o-transcribe-diarize", requestedModel: "gpt-4o-transcribe-diarize", diarize: true },
      "transcriptions",
      "model=gpt-4o-transcribe-diarize response_format=diarized_json chunking_strategy=auto"
    ],
    [
      "a model that tells speakers apart, although nobody asked for speakers",
      { model: "gpt-4o-transcribe-diarize", requestedModel: "gpt-4o-transcribe-diarize" },
      "transcriptions",
      "model=gpt-4o-transcribe-diarize response_format=json chunking_strategy=auto"
    ],
    [
      "a translation",
      { task: "translate", language: "hi" },
      "translations",
      "model=whisper-1 response_format=verbose_json"
    ],
    [
      "Whisper in mode translate, which is a translation",
      { model: "whisper-large-v3-turbo", requestedModel: "whisper-large-v3-turbo", mode: "translate" },
      "translations",
      "model=whisper-large-v3-turbo response_format=verbose_json"
    ],
    [
      "Whisper in a mode that it does not have",
      { mode: "verbatim" },
      "transcriptions",
      "model=whisper-1 response_format=verbose_json"
    ],
    [
      "Saaras, whose mode is a field",
      { model: "saaras:v3", requestedModel: "saaras:v3", mode: "codemix", language: "hi-IN" },
      "transcriptions",
      "model=saaras:v3 language=hi-IN mode=codemix response_format=json"
    ],
    [
      "Saaras in mode translate, which is a field too",
      { model: "saaras:v3", requestedModel: "saaras:v3", mode: "translate" },
      "transcriptions",
      "model=saaras:v3 mode=translate response_format=json"
    ],
    [
      "Saaras under another name there",
      { model: "indic-ears", requestedModel: "saaras:v4", mode: "translit" },
      "transcriptions",
      "model=indic-ears mode=translit response_format=json"
    ],
    [
      "a translation by Saaras",
      { model: "saaras:v3", requestedModel: "saaras:v3", task: "translate", mode: "translate" },
      "translations",
      "model=saaras:v3 response_format=json"
    ],
    [
      "features, repeated ones as often",
      {
        model: "deepgram-nova-3",
        requestedModel: "deepgram-nova-3",
        features: [
          ["keyterm", "a"],
          ["keyterm", "b"],
          ["numerals", "true"]
        ]
      },
      "transcriptions",
      "model=deepgram-nova-3 response_format=json keyterm=a keyterm=b numerals=true"
    ]
    // Verifies: G-57, G-58, G-59, G-60, G-63, H-53, H-54.
  ] as ReadonlyArray<[string, Partial<SpeechWork>, string, string]>)("asks for %s", ([_, change, route, fields]) =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      yield* transcribe(provider(upstream), change)
      const [call] = upstream.calls
      assert.lengthOf(upstream.calls, 1)
      assert.strictEqual(`${call?.method} ${call?.path}`, `POST /v1/audio/${route}`)
      assert.deepStrictEqual(call?.query, [])
      assert.strictEqual(call?.fields.map(([name, value]) => `${name}=${value}`).join(" "), fields)
    })
  )

  // Verifies: H-43.
  it.live("carries the file as it came, and headers of our own alone", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      const audio = recording()
      yield* transcribe(provider(upstream), { audio })
      const [call] = upstream.calls
      assert.deepStrictEqual(call?.file, {
        name: "talk.wav",
        type: "audio/wav",
        size: audio.size,
        sha256: digestOf(audio)
      })
      assert.deepStrictEqual(
        { ...call?.headers, host: "", "content-type": call?.headers["content-type"]?.replace(/[\da-f-]{36}$/, "") },
        {
          host: "",
          connection: "keep-alive",
          accept: "application/json",
          "user-agent": "trunkline",
          authorization: `Bearer ${key}`,
          "content-type": "multipart/form-data; boundary=trunkline-",
          "content-length": String(call?.bytes)
        }
      )
    })
  )

  it.live("needs no key", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ apiKey: undefined })
      yield* transcribe(openai({ baseUrl: `${upstream.origin}/v1` }))
      assert.isUndefined(upstream.calls[0]?.headers.authorization)
    })
  )

  it.live("with a key that is refused is the operator's trouble", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ apiKey: "another" })
      const failed = yield* Effect.flip(transcribe(provider(upstream)))
      assert.strictEqual(failed.why, "operator")
      assert.lengthOf(upstream.calls, 1)
    })
  )
})

describe("an answer of an OpenAI-compatible server", () => {
  const answered = (body: unknown, change: Partial<SpeechWork> = {}) =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "answer", body })
      return yield* transcribe(provider(upstream), change)
    })

  it.live("is a text, with the length where the model reports it", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ text: "नमस्ते", seconds: 2.5 })
      assert.deepStrictEqual(yield* transcribe(provider(upstream)), { text: "नमस्ते", seconds: 2.5, segments: [] })
      const rounded = yield* transcribe(provider(upstream), { model: "gpt-4o-transcribe" })
      assert.strictEqual(rounded.seconds, 3)
    })
  )

  it.live.each([
    ["nothing", { text: "a" }, null],
    ["tokens, which are no seconds", { text: "a", usage: { type: "tokens", input_tokens: 7 } }, null],
    ["null", { text: "a", usage: null, duration: null, logprobs: null }, null],
    ["zero, which is a figure", { text: "", duration: 0, usage: { type: "duration", seconds: 9 } }, 0],
    ["a number as text", { text: "a", duration: "12.5" }, 12.5],
    ["less than nothing", { text: "a", duration: -1 }, null],
    ["words", { text: "a", duration: "long" }, null],
    ["usage alone", { text: "a", usage: { type: "duration", seconds: 9 } }, 9]
  ] as ReadonlyArray<[string, unknown, number | null]>)("whose length is %s", ([_, body, seconds]) =>
    Effect.map(answered(body), (answer) => assert.strictEqual(answer.seconds, seconds))
  )

  // Verifies: G-17.
  it.live("has who speaks where it was asked for", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ text: "hi", seconds: 40 })
      const model = "gpt-4o-transcribe-diarize"
      assert.deepStrictEqual(yield* transcribe(provider(upstream), { model, diarize: true }), {
        text: "hi",
        seconds: 40,
        segments: [
          { id: "seg_1", speaker: "A", start: 0, end: 20, text: "hi" },
          { id: "seg_2", speaker: "B", start: 20, end: 40, text: "hi" }
        ]
      })
    })
  )

  it.live("may have segments that nobody asked for, or that nobody understands", () =>
    Effect.gen(function* () {
      const segment = { id: 7, speaker: "A", start: 0, end: 1, text: "a" }
      const segments = [segment, null, { id: 8 }, { ...segment, start: "0" }]
      assert.deepStrictEqual((yield* answered({ text: "a", segments })).segments, [])
      const answer = yield* answered({ text: "a", segments }, { diarize: true })
      assert.deepStrictEqual(answer.segments, [{ ...segment, id: "7" }])
      assert.deepStrictEqual((yield* answered({ text: "a", segments: {} }, { diarize: true })).segments, [])
    })
  )
})
