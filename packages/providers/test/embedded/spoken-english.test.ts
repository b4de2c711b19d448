/**
 * People's voices through the real engine: packages, weights and thread, without an account. Verifies: EMBE-3, EMBE-4,
 * EMBE-6. Source: docs/reference/embedded.md#measurements.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type EmbeddedProvider, embedded } from "../../src/embedded/index.ts"
import { noReadings, pcmOf, readings, skipped, transcriber, whyNot, wordErrors, wordsOf } from "./Readings.ts"
import { fixture, noise, pcm16, sine, wav } from "./Sounds.ts"

const reason = await whyNot()

let engine: EmbeddedProvider
beforeAll(() => {
  engine = embedded()
})
afterAll(() => engine?.close())

const hear = (file: Uint8Array) => Effect.runPromise(transcriber(engine)(file))

const sentence = "he might even have been made amiable himself".split(" ")

/** How many threads this process has started that have not ended. */
const threads = (): number =>
  (process.report.getReport() as { readonly workers: ReadonlyArray<unknown> }).workers.length

describe.skipIf(reason !== null)(`the embedded engine${skipped(reason)}`, () => {
  it("is loaded once it is ready, hears by that, and ends when it is idle", async () => {
    const before = threads()
    const brief = embedded({ idleMs: 1000 })
    await brief.ready()
    expect(threads()).toBe(before + 1)
    expect(wordsOf((await Effect.runPromise(transcriber(brief)(fixture("speech.flac")))).text)).toEqual(sentence)
    expect(threads()).toBe(before + 1)
    await vi.waitFor(() => expect(threads()).toBe(before), { timeout: 300_000 })
  })

  it.each([
    "speech.mp3",
    "speech.flac",
    "speech-vorbis.ogg",
    "speech-vorbis.webm",
    "speech-opus.ogg",
    "speech-opus.webm",
    "speech-8k-mulaw.wav"
  ])("understands a sentence in every container: %s", async (name) => {
    const { seconds, text } = await hear(fixture(name))
    expect(wordsOf(text)).toEqual(sentence)
    expect(seconds).toBeCloseTo(3.3, 0)
  })

  it.each([
    ["silence", new Float32Array(16_000 * 5)],
    ["noise", noise(16_000 * 5, 0.3)],
    ["a tone", sine(16_000, 440, 5, 0.5)],
    ["a ringing telephone", sine(16_000, 440, 35, 0.3).map((one, at) => (at % 96_000 < 32_000 ? one : 0))],
    ["a hundredth of a second", sine(16_000, 300, 0.01, 0.5)]
  ])("makes up nothing about %s", async (_, samples) => {
    expect(await hear(wav(pcm16(samples)))).toMatchObject({ text: "" })
  })

  it("refuses what it cannot read, and goes on", async () => {
    const refused = (file: Uint8Array) => Effect.runPromise(Effect.flip(transcriber(engine)(file)))
    for (const file of [fixture("speech.m4a"), Uint8Array.from(Buffer.from("no sound")), wav(new Uint8Array(0))]) {
      expect((await refused(file)).why).toBe("refused_input")
    }
    expect(wordsOf((await hear(fixture("speech.flac"))).text)).toEqual(sentence)
  })

  it("stops soon when its caller goes, and serves the next", async () => {
    const speech = await hear(fixture("speech.flac"))
    const begun = performance.now()
    expect(await hear(fixture("speech.flac"))).toEqual(speech)
    const alone = performance.now() - begun
    const minute = wav(repeated(fixture("speech-8k-mulaw.wav"), 20), { rate: 8_000, tag: 7, bits: 8 })
    const running = Effect.runFork(transcriber(engine)(minute))
    await new Promise((resolve) => setTimeout(resolve, 300))
    await Effect.runPromise(Fiber.interrupt(running))
    const from = performance.now()
    expect(await hear(fixture("speech.flac"))).toEqual(speech)
    // The rest of the minute would have taken ten times as long as the next one does alone.
    expect(performance.now() - from).toBeLessThan(5 * alone)
  })

  /** The data of a mu-law file, over and over. Its head ends where `data` and a length stand. */
  const repeated = (file: Uint8Array, times: number): Uint8Array => {
    const from = Buffer.from(file).indexOf("data") + 8
    return Uint8Array.from(Buffer.concat(Array.from({ length: times }, () => file.subarray(from))))
  }
})

describe.skipIf((reason ?? noReadings) !== null)(`readings by a person${skipped(reason ?? noReadings)}`, () => {
  it("are understood: less than one word in ten is wrong", async () => {
    let [errors, words] = [0, 0]
    for (const { wav: file, words: meant } of readings()) {
      const { text } = await hear(file)
      errors += wordErrors(wordsOf(text), wordsOf(meant))
      words += wordsOf(meant).length
    }
    expect(words).toBe(71)
    expect(errors / words).toBeLessThan(0.1)
  })

  it("of more than the half minute that the model takes are heard in parts, with the same words", async () => {
    const all = readings()
    const read = [...all, ...all.slice(0, 1)]
    const meant = read.flatMap(({ words }) => wordsOf(words))
    const { seconds, text } = await hear(wav(pcmOf(read.map((one) => one.wav))))
    expect(seconds).toBeCloseTo(31.83, 1)
    expect(wordErrors(wordsOf(text), meant) / meant.length).toBeLessThan(0.1)
  })
})
