/** Verifies: DEEP-1, DEEP-2, DEEP-3, DEEP-4, DEEP-5. */
import { assert, describe, it } from "@effect/vitest"
import type { SpeechWork } from "@trunkline/core/provider"
import {
  deepgramError,
  type FakeProviderOptions,
  type FakeUpstream,
  startFakeDeepgram
} from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { deepgram } from "../../src/deepgram/index.ts"
import { digestOf, recording, transcribe } from "../upstream/Works.ts"

const key = "deepgram-topsecret"
const nova = { model: "deepgram-nova-3", requestedModel: "deepgram-nova-3" }

const fake = (options: FakeProviderOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakeDeepgram({ apiKey: key, ...options })),
    (one) => Effect.promise(one.close)
  )
const provider = ({ origin }: FakeUpstream) => deepgram({ baseUrl: origin, apiKey: key })

/** Each with a value that must not be lost on the way. */
const everyFeature: SpeechWork["features"] = [
  ["diarize", "true"],
  ["utterances", "true"],
  ["utt_split", "0.8"],
  ["paragraphs", "false"],
  ["numerals", "true"],
  ["measurements", "true"],
  ["dictation", "true"],
  ["profanity_filter", "true"],
  ["filler_words", "true"],
  ["multichannel", "false"],
  ["detect_entities", "true"],
  ["detect_language", "hi"],
  ["detect_language", "en"],
  ["redact", "pci"],
  ["redact", "numbers"],
  ["keyterm", "Trunk & line"],
  ["keyterm", "नमस्ते"],
  ["keywords", "snuffle:3"],
  ["search", "a=b"],
  ["replace", "find:replace+me"]
]

describe("a request to Deepgram", () => {
  it.live.each([
    ["a language to be found out", nova, "model=nova-3 detect_language=true punctuate=true"],
    ["a language", { ...nova, language: "en-IN" }, "model=nova-3 language=en-IN punctuate=true"],
    [
      "one of some languages",
      {
        ...nova,
        features: [
          ["detect_language", "hi"],
          ["detect_language", "en"]
        ]
      },
      "model=nova-3 punctuate=true detect_language=hi detect_language=en"
    ],
    [
      "a model without our mark",
      { model: "nova-3", requestedModel: "nova-3", language: "multi" },
      "model=nova-3 language=multi punctuate=true"
    ],
    [
      "who speaks, for segments",
      { ...nova, language: "en", diarize: true },
      "model=nova-3 language=en punctuate=true diarize=true"
    ],
    [
      "who speaks, once",
      { ...nova, language: "en", diarize: true, features: [["diarize", "true"]] },
      "model=nova-3 language=en punctuate=true diarize=true"
    ],
    [
      "all that can be asked",
      { ...nova, features: everyFeature },
      `model=nova-3 punctuate=true ${everyFeature.map(([name, value]) => `${name}=${value}`).join(" ")}`
    ]
    // Verifies: G-77, G-78, G-79, G-80, G-81, G-82, G-83, G-84, G-85, G-86, G-87, G-88, G-89, G-90, G-91, G-92, G-93, G-94.
  ] as ReadonlyArray<[string, Partial<SpeechWork>, string]>)("asks for %s", ([_, change, query]) =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      yield* transcribe(provider(upstream), change)
      const [call] = upstream.calls
      assert.lengthOf(upstream.calls, 1)
      assert.strictEqual(`${call?.method} ${call?.path}`, "POST /v1/listen")
      assert.strictEqual(call?.query.map(([name, value]) => `${name}=${value}`).join(" "), query)
    })
  )

  // Verifies: H-43.
  it.live("is the file as it came, under its type", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      const audio = recording({ contentType: "audio/webm;codecs=opus" })
      yield* transcribe(provider(upstream), { ...nova, audio })
      const [call] = upstream.calls
      assert.deepStrictEqual(call?.file, { name: null, type: "audio/webm", size: audio.size, sha256: digestOf(audio) })
      assert.strictEqual(call?.headers.authorization, `Token ${key}`)
    })
  )

  it.live("never makes it fetch a file from elsewhere, whatever was uploaded", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      const order = new TextEncoder().encode('{"url": "https://elsewhere.example/hours.wav"}')
      const audio = recording({ chunks: [order], size: order.length, contentType: "application/json" })
      yield* transcribe(provider(upstream), { ...nova, audio })
      assert.strictEqual(upstream.calls[0]?.headers["content-type"], "audio/wav")
    })
  )
})

describe("an answer of Deepgram", () => {
  const text = "Hi there. Yes?"
  const feature = (...names: ReadonlyArray<string>): Partial<SpeechWork> => ({
    ...nova,
    features: names.map((name) => [name, "true"])
  })
  const answered = (body: unknown, change: Partial<SpeechWork> = nova) =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave({ does: "answer", body })
      return yield* transcribe(provider(upstream), change)
    })
  const heard = (transcript: string, more: object = {}) => ({
    metadata: { duration: 1 },
    results: { channels: [{ alternatives: [{ transcript, ...more }] }] }
  })

  it.live("is a text and its length", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ text, seconds: 6 })
      assert.deepStrictEqual(yield* transcribe(provider(upstream), nova), { text, seconds: 6, segments: [] })
    })
  )

  // Verifies: G-77.
  it.live("says in the text who speaks, and in segments, where the caller asked", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ text, seconds: 6 })
      const answer = yield* transcribe(provider(upstream), feature("diarize"))
      assert.strictEqual(answer.text, "[Speaker 0] Hi\n[Speaker 1] there.\n[Speaker 0] Yes?")
      assert.deepStrictEqual(answer.segments, [
        { id: "0", speaker: "Speaker 0", start: 0, end: 2, text: "Hi" },
        { id: "1", speaker: "Speaker 1", start: 2, end: 4, text: "there." },
        { id: "2", speaker: "Speaker 0", start: 4, end: 6, text: "Yes?" }
      ])
    })
  )

  it.live("says it in segments alone where the format needs it", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ text, seconds: 6 })
      const answer = yield* transcribe(provider(upstream), { ...nova, diarize: true })
      assert.strictEqual(answer.text, text)
      assert.lengthOf(answer.segments, 3)
    })
  )

  it.live("names no speaker where none was requested, whatever Deepgram reported", () =>
    Effect.gen(function* () {
      const words = [{ word: "hi", start: 0, end: 1, speaker: 0 }]
      assert.deepStrictEqual(yield* answered(heard("hi", { words })), { text: "hi", seconds: 1, segments: [] })
    })
  )

  it.live("joins the words of one speaker, and those of nobody to who spoke last", () =>
    Effect.gen(function* () {
      const word = (said: string, start: number, speaker?: number) => ({
        word: said,
        start,
        end: start + 1,
        ...(speaker === undefined ? {} : { speaker })
      })
      const words = [word("um", 0), word("a", 1, 3), word("b", 2, 3), word("c", 3), word("d", 4, 0), { word: "?" }]
      const { segments, text } = yield* answered(heard("um a b c d", { words }), feature("diarize"))
      assert.strictEqual(text, "[Speaker 3] a b c\n[Speaker 0] d")
      assert.deepStrictEqual(segments[0], { id: "0", speaker: "Speaker 3", start: 1, end: 4, text: "a b c" })
    })
  )

  it.live("is the plain text where speakers were requested and none was distinguished", () =>
    Effect.gen(function* () {
      const answer = yield* answered(heard("just this"), feature("diarize"))
      assert.deepStrictEqual([answer.text, answer.segments], ["just this", []])
    })
  )

  // Verifies: G-78.
  it.live("has a line for each utterance, with its speaker where asked", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ text, seconds: 6 })
      assert.strictEqual((yield* transcribe(provider(upstream), feature("utterances"))).text, "hi\nthere\nyes")
      const both = yield* transcribe(provider(upstream), feature("utterances", "diarize"))
      assert.strictEqual(both.text, "[Speaker 0] hi\n[Speaker 1] there\n[Speaker 0] yes")
    })
  )

  // Verifies: G-80.
  it.live("keeps paragraphs", () =>
    Effect.gen(function* () {
      const paragraphs = { transcript: "\nOne.\n\nTwo.", paragraphs: [] }
      assert.strictEqual(
        (yield* answered(heard("One. Two.", { paragraphs }), feature("paragraphs"))).text,
        "One.\n\nTwo."
      )
    })
  )

  // Verifies: G-86.
  it.live("names the channel of each text", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ text, seconds: 6 })
      const answer = yield* transcribe(provider(upstream), feature("multichannel"))
      assert.strictEqual(answer.text, `[Channel 0] ${text}\n[Channel 1] ${text}`)
    })
  )

  it.live("may be silence", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* answered(heard(""))).text, "")
      const none = { metadata: null, results: { channels: [{ alternatives: [] }] } }
      assert.deepStrictEqual(yield* answered(none), { text: "", seconds: null, segments: [] })
    })
  )

  it.live.each([
    ["a refused key", deepgramError(401, "INVALID_AUTH"), "operator"],
    ["missing payment", deepgramError(402, "ASR_PAYMENT_REQUIRED"), "operator"],
    ["throttling", deepgramError(429, "TOO_MANY_REQUESTS", { "retry-after": "3" }), "throttled"],
    ["a file that it cannot read", deepgramError(400, "Bad Request"), "refused_input"],
    ["a file that is too large", deepgramError(413, "PAYLOAD_TOO_LARGE"), "too_large"],
    ["a fault of its own", deepgramError(500, "INTERNAL_SERVER_ERROR"), "failed"],
    ["no channels", { does: "answer", body: { results: { channels: [] } } }, "unreadable"],
    [
      "a channel of another shape",
      { does: "answer", body: { results: { channels: [{ alternatives: [{}] }] } } },
      "unreadable"
    ]
  ] as const)("that is %s", ([_, mood, why]) =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave(mood)
      const failed = yield* Effect.flip(transcribe(provider(upstream), nova))
      assert.strictEqual(failed.why, why)
      assert.strictEqual(failed.retryAfterSeconds, why === "throttled" ? 3 : null)
      for (const secret of [key, "leaky", "1234"]) assert.notInclude(JSON.stringify(failed), secret)
      assert.strictEqual(upstream.begun(), 1)
    })
  )
})
