/** Long recordings in parts, with a listener and a model that tell what they were given. Verifies: EMBE-4, EMBE-3. */
import { describe, expect, it } from "vitest"
import { cutFrame, frameSamples, speechSpan } from "../../src/embedded/PauseCutter.ts"
import { RecordingTooLong, transcribeSound } from "../../src/embedded/Transcription.ts"
import { joined } from "./Sounds.ts"

const rate = 16_000
const frame = frameSamples / rate

/** A sound whose samples say where they stand, in seconds; below zero where nobody speaks. */
const recording = (seconds: number, pauses: ReadonlyArray<readonly [from: number, to: number]>): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, at) => {
    const instant = (at + 1) / rate
    return pauses.some(([from, to]) => instant > from && instant <= to) ? -instant : instant
  })

const blocksOf = async function* (sound: Float32Array, size: number) {
  for (let at = 0; at < sound.length; at += size) yield sound.slice(at, at + size)
}

interface Heard {
  readonly parts: Array<Float32Array>
  readonly run: (options?: {
    readonly maxSeconds?: number
    readonly stopAfter?: number
    readonly block?: number
  }) => ReturnType<typeof transcribeSound>
}

const hearing = (sound: Float32Array): Heard => {
  const parts: Array<Float32Array> = []
  return {
    parts,
    run: ({ block = 7_001, maxSeconds = 3_600, stopAfter = Number.POSITIVE_INFINITY } = {}) =>
      transcribeSound({
        sound: blocksOf(sound, block),
        maxSeconds,
        stopped: () => parts.length >= stopAfter,
        listener: {
          detect: (samples) =>
            Promise.resolve(samples.filter((one) => one > 0).length > samples.length / 2 ? 0.9 : 0.02)
        },
        model: {
          transcribe: (samples) => {
            parts.push(samples)
            return Promise.resolve(`part ${parts.length}.`)
          }
        }
      })
  }
}

const startOf = (part: Float32Array) => Math.abs(part[0] ?? 0)
const endOf = (part: Float32Array) => Math.abs(part.at(-1) ?? 0)

describe("a recording", () => {
  it("of up to 30 seconds is heard in one part", async () => {
    const { parts, run } = hearing(recording(29.5, []))
    expect(await run()).toEqual({ text: "part 1.", seconds: 29.5 })
    expect(parts.map(({ length }) => length)).toEqual([29.5 * rate])
  })

  it("that is longer is cut in its longest pauses, into parts of at most 30 seconds that lose no word", async () => {
    const pauses = [
      [12, 12.2],
      [21, 21.9],
      [27, 27.4],
      [38, 38.8],
      [61, 61.5]
    ] as const
    const { parts, run } = hearing(recording(75, pauses))
    expect(await run()).toEqual({ text: "part 1. part 2. part 3. part 4.", seconds: 75 })
    // In the middle of a pause, to a frame.
    for (const [index, cut] of [21.45, 38.4, 61.25].entries()) {
      expect(Math.abs(endOf(parts[index] as Float32Array) - cut)).toBeLessThan(2 * frame)
    }
    const spoken = joined(parts).filter((sample) => sample > 0)
    expect(spoken).toEqual(recording(75, pauses).filter((sample) => sample > 0))
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(30 * rate)
  })

  it("without any pause is cut all the same, and loses nothing", async () => {
    const sound = recording(100, [])
    const { parts, run } = hearing(sound)
    expect((await run())?.seconds).toBe(100)
    expect(joined(parts)).toEqual(sound)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(30 * rate)
  })

  it("in which nobody speaks has no text, and the model never hears it", async () => {
    for (const seconds of [0.01, 4, 95]) {
      const { parts, run } = hearing(recording(seconds, [[0, seconds]]))
      expect(await run()).toEqual({ text: "", seconds })
      expect(parts).toEqual([])
    }
  })

  it("is heard from half a second before the first word to half a second after the last", async () => {
    const sound = recording(25, [
      [0, 10],
      [14, 25]
    ])
    const { parts, run } = hearing(sound)
    await run()
    expect(parts.length).toBe(1)
    expect(startOf(parts[0] as Float32Array)).toBeCloseTo(9.5, 1)
    expect(endOf(parts[0] as Float32Array)).toBeCloseTo(14.5, 1)
  })

  it("gives the same parts whatever the size of the blocks it comes in", async () => {
    const sound = recording(40, [[22, 23]])
    const [small, large] = [hearing(sound), hearing(sound)]
    await small.run({ block: 100 })
    await large.run({ block: 200_000 })
    expect(small.parts).toEqual(large.parts)
  })

  it("that is too long is refused when that shows, not at its end", async () => {
    const { parts, run } = hearing(recording(200, []))
    await expect(run({ maxSeconds: 31 })).rejects.toThrow(RecordingTooLong)
    expect(parts.length).toBeLessThan(2)
  })

  it("is not read further after a request to stop", async () => {
    const { parts, run } = hearing(recording(200, []))
    expect(await run({ stopAfter: 2 })).toBeNull()
    expect(parts.length).toBe(2)
  })
})

describe("a cut", () => {
  it("is in the middle of the longest pause, of two in the later one, and never before where it may be", () => {
    expect(cutFrame([1, 0, 1, 0, 0, 0, 1, 0, 0, 1], 0, 10)).toBe(4)
    expect(cutFrame([1, 0, 0, 0, 1, 0, 0, 0, 1], 0, 9)).toBe(6)
    expect(cutFrame([0, 0, 0, 0, 1, 0, 1], 4, 7)).toBe(5)
  })

  it("without a pause is where speech is least likely", () => {
    expect(cutFrame([0.9, 0.8, 0.5, 0.7, 0.9], 0, 5)).toBe(2)
  })
})

describe("the span of speech", () => {
  it("has room around it, within the recording", () => {
    const likelihoods = Array.from({ length: 100 }, (_, at) => (at === 40 || at === 50 ? 0.8 : 0.1))
    expect(speechSpan(likelihoods, 100)).toEqual({ from: 24, to: 67 })
    expect(speechSpan(likelihoods, 55)).toEqual({ from: 24, to: 55 })
    expect(speechSpan(likelihoods, 40)).toBeNull()
  })
})
