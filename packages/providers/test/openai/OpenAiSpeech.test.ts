/** Speech synthesis at an OpenAI-compatible server. Verifies: OPAI-11. */
import { assert, describe, it } from "@effect/vitest"
import { audioOf, openAiError, startFakeOpenAi } from "@trunkline/testing/upstreams"
import * as Effect from "effect/Effect"
import { openai } from "../../src/openai/index.ts"
import { failureOf, speak, speakRequest } from "../upstream/SpeakWorks.ts"

const key = "sk-topsecret"
const fake = Effect.acquireRelease(
  Effect.promise(() => startFakeOpenAi({ apiKey: key })),
  (one) => Effect.promise(one.close)
)

describe("speech of an OpenAI-compatible server", () => {
  // Verifies: G-890.
  it.live("is asked for with the fields as the caller sent them, unknown ones too", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const provider = openai({ baseUrl: `${upstream.origin}/v1`, apiKey: key })
      const fields = {
        ...{ model: "tts-there", input: "Good day", voice: { id: "voice_1" }, response_format: "wav", speed: 4 },
        ...{ instructions: "Whisper.", language: "en-GB", seed: 7, style: { calm: true } }
      }
      const { audio, ended } = yield* speak(provider, { model: "tts-there", input: "Good day", fields })
      assert.deepStrictEqual([audio, ended], [audioOf("Good day"), true])
      const [call] = upstream.calls
      assert.lengthOf(upstream.calls, 1)
      assert.strictEqual(`${call?.method} ${call?.path}`, "POST /v1/audio/speech")
      assert.deepStrictEqual(call?.json, fields)
      assert.strictEqual(call?.headers.authorization, `Bearer ${key}`)
    })
  )

  it("accepts every field", () => {
    assert.isUndefined(openai({ baseUrl: "http://localhost/v1" }).make("voices").speakRefusal)
  })

  // Verifies: G-908.
  it.live("that is refused says which field of the request it is about, and no word of the server's", () =>
    Effect.gen(function* () {
      const upstream = yield* fake
      const provider = openai({ baseUrl: `${upstream.origin}/v1`, apiKey: key })
      const refused = (param: string) =>
        upstream.behave({
          ...{ does: "answer", status: 400 },
          body: { error: { message: "leaky words", type: "invalid_request_error", param, code: "invalid_value" } }
        })
      const detail = "answered 400 invalid_value"
      refused("voice")
      assert.deepStrictEqual(yield* failureOf(speak(provider)), { why: "refused_input", detail, param: "voice" })
      refused("pace")
      assert.deepStrictEqual(yield* failureOf(speak(provider)), { why: "refused_input", detail })
      const fields = { ...speakRequest().fields, pace: 3 }
      assert.deepStrictEqual(yield* failureOf(speak(provider, { fields })), {
        ...{ why: "refused_input", detail, param: "pace" }
      })
      upstream.behave(openAiError(429, "insufficient_quota"))
      assert.deepInclude(yield* failureOf(speak(provider)), { why: "operator" })
    })
  )

  // Verifies: G-912.
  it("is served unless the settings say otherwise", () => {
    const served = (serves?: ReadonlyArray<"stt" | "llm" | "tts">) =>
      Object.keys(openai({ baseUrl: "http://localhost/v1", serves }).make("voices").capabilities)
    assert.include(served(), "speak")
    assert.deepStrictEqual([served(["tts"]), served(["stt"])], [["speak"], ["transcribe"]])
  })
})
