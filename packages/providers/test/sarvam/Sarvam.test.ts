/** Verifies: SARV-1, SARV-2, SARV-3, SARV-4. */
import { assert, describe, it } from "@effect/vitest"
import type { SpeechWork } from "@trunkline/core/provider"
import { type FakeProviderOptions, type FakeUpstream, sarvamError, startFakeSarvam } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { sarvam } from "../../src/sarvam/index.ts"
import { digestOf, recording, transcribe } from "../upstream/Works.ts"

const key = "sarvam-topsecret"
const saaras = { model: "saaras:v3", requestedModel: "saaras:v3" }

const fake = (options: FakeProviderOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startFakeSarvam({ apiKey: key, ...options })),
    (one) => Effect.promise(one.close)
  )
const provider = ({ origin }: FakeUpstream) => sarvam({ baseUrl: origin, apiKey: key })

describe("a request to Sarvam", () => {
  it.live.each([
    ["a language to be found out", { mode: "transcribe" }, "mode=transcribe language_code=unknown"],
    ["a language", { mode: "verbatim", language: "ta-IN" }, "mode=verbatim language_code=ta-IN"],
    ["Odia under the standard's code", { mode: "codemix", language: "or-IN" }, "mode=codemix language_code=od-IN"],
    ["Odia under Sarvam's code", { mode: "translit", language: "od-IN" }, "mode=translit language_code=od-IN"],
    ["a translation", { task: "translate" }, "mode=translate language_code=unknown"],
    [
      "a translation, whatever the mode",
      { task: "translate", mode: "transcribe" },
      "mode=translate language_code=unknown"
    ],
    ["a model without modes", {}, "language_code=unknown"]
    // Verifies: G-4, G-57, G-58, G-59, H-52.
  ] as ReadonlyArray<[string, Partial<SpeechWork>, string]>)("asks for %s", ([_, change, fields]) =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      yield* transcribe(provider(upstream), { ...saaras, ...change })
      const [call] = upstream.calls
      assert.lengthOf(upstream.calls, 1)
      assert.strictEqual(`${call?.method} ${call?.path}`, "POST /speech-to-text")
      assert.strictEqual(call?.fields.map(([name, value]) => `${name}=${value}`).join(" "), `model=saaras:v3 ${fields}`)
    })
  )

  // Verifies: H-43.
  it.live("carries the file as it came, and the key in Sarvam's own header", () =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      const audio = recording()
      yield* transcribe(provider(upstream), { ...saaras, audio })
      const [call] = upstream.calls
      assert.deepStrictEqual([call?.file?.sha256, call?.file?.name], [digestOf(audio), "talk.wav"])
      assert.strictEqual(call?.headers["api-subscription-key"], key)
      assert.isUndefined(call?.headers.authorization)
    })
  )
})

describe("an answer of Sarvam", () => {
  it.live("is a text, without length and speakers", () =>
    Effect.gen(function* () {
      const upstream = yield* fake({ text: "வணக்கம்" })
      const answer = yield* transcribe(provider(upstream), { ...saaras, diarize: true })
      assert.deepStrictEqual(answer, { text: "வணக்கம்", seconds: null, segments: [] })
    })
  )

  it.live.each([
    ["a refused key, which is a 403", sarvamError(403, "invalid_api_key_error"), "operator"],
    ["a spent quota, which is a 429", sarvamError(429, "insufficient_quota_error"), "operator"],
    ["throttling", sarvamError(429, "rate_limit_exceeded_error", { "retry-after": "3" }), "throttled"],
    ["a file that it cannot read", sarvamError(422, "unprocessable_entity_error"), "refused_input"],
    ["a fault of its own", sarvamError(500, "internal_server_error"), "failed"],
    ["another shape", { does: "answer", body: { transcript: null } }, "unreadable"]
  ] as const)("that is %s", ([_, mood, why]) =>
    Effect.gen(function* () {
      const upstream = yield* fake()
      upstream.behave(mood)
      const failed = yield* Effect.flip(transcribe(provider(upstream), saaras))
      assert.strictEqual(failed.why, why)
      assert.strictEqual(failed.retryAfterSeconds, why === "throttled" ? 3 : null)
      for (const secret of [key, "leaky", "1234"]) assert.notInclude(JSON.stringify(failed), secret)
      assert.strictEqual(upstream.begun(), 1)
    })
  )
})
