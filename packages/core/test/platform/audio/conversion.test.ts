/** Sound from one form to another, at once and in pieces. Verifies: AUDI-1, AUDI-2. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readWav, wavLength } from "../../../src/gateway/speech/Wav.ts"
import { ChunkBytes } from "../../../src/gateway/upstreams/ChunkBytes.ts"
import { lineQuality } from "../../../src/platform/audio/Resampler.ts"
import {
  aLaw,
  bytesOf,
  LineToSpeech,
  muLaw,
  resampler,
  SynthesisToLine,
  samplesOf,
  wavFile,
  wavHeader,
  wavHeaderBytes
} from "../../../src/platform/audio/Sound.ts"
import { bytesPerSample, encodings, type SoundFormat, sampleRates } from "../../../src/platform/audio/SoundFormat.ts"
import { joinedSamples, level } from "./LineSounds.ts"

const formats: ReadonlyArray<SoundFormat> = encodings.flatMap((encoding) =>
  sampleRates[encoding].map((sampleRate) => ({ encoding, sampleRate }))
)
const aFormat = fc.constantFrom(...formats)

const sine = (rate: number, hertz: number, seconds: number): Int16Array =>
  Int16Array.from({ length: rate * seconds }, (_, at) => 20_000 * Math.sin((2 * Math.PI * hertz * at) / rate))

/** Cuts at the given places, whatever they are. */
const pieces = <A extends Int16Array | Uint8Array>(whole: A, cuts: ReadonlyArray<number>): ReadonlyArray<A> => {
  const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length]
  return places.slice(1).map((to, nth) => whole.slice(places[nth], to) as A)
}

describe("G.711", () => {
  it.each([
    ["mu-law", muLaw],
    ["A-law", aLaw]
  ])("%s: every byte is its sample's own byte again", (name, law) => {
    for (let byte = 0; byte < 256; byte++) {
      const sample = law.decoded[byte]!
      // Mu-law has two bytes for zero.
      if (name === "mu-law" && byte === 0x7f) expect(sample).toBe(0)
      else expect(law.encoded[sample & 0xffff]).toBe(byte)
    }
  })

  it.each([
    ["mu-law", muLaw, 4],
    ["A-law", aLaw, 8]
  ])("%s: a sample comes back with an error of at most a thirty-second of it", (_, law, smallest) => {
    for (let sample = -32_768; sample <= 32_767; sample++) {
      const back = law.decoded[law.encoded[sample & 0xffff]!]!
      const clipped = Math.max(-32_635, Math.min(32_635, sample))
      expect(Math.abs(back - clipped)).toBeLessThanOrEqual(Math.max(smallest, (Math.abs(sample) + 132) / 32))
    }
  })

  it("has the bytes that telephone networks have", () => {
    const bytes = (law: typeof muLaw, ...samples: ReadonlyArray<number>) =>
      samples.map((one) => law.encoded[one & 0xffff])
    expect(bytes(muLaw, 0, -1, 8, -8, 1000, -1000, 32_767, -32_768)).toEqual([
      0xff, 0x7f, 0xfe, 0x7e, 0xce, 0x4e, 0x80, 0x00
    ])
    expect(bytes(aLaw, 0, -1, 16, 1000, -1000, 32_767, -32_768)).toEqual([0xd5, 0x55, 0xd4, 0xfa, 0x7a, 0xaa, 0x2a])
  })
})

describe("bytes of 16-bit samples", () => {
  it("are read wherever they begin in memory, and half a sample is dropped", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(3), (bytes, offset) => {
        const memory = new Uint8Array(offset + bytes.length)
        memory.set(bytes, offset)
        const samples = samplesOf(memory.subarray(offset))
        expect(bytesOf(samples)).toEqual(bytes.subarray(0, bytes.length - (bytes.length % 2)))
      })
    )
  })
})

describe("the sound of a line", () => {
  // Verifies: V-20.
  it("in pieces of any number of samples is the same as at once, in every format", () => {
    const sound = fc.uint8Array({ minLength: 0, maxLength: 600 })
    fc.assert(
      fc.property(aFormat, sound, fc.array(fc.nat(), { maxLength: 12 }), (format, bytes, anywhere) => {
        const size = bytesPerSample(format)
        const cuts = anywhere.map((cut) => (cut % (Math.floor(bytes.length / size) + 1)) * size)
        const convert = (parts: ReadonlyArray<Uint8Array>) => {
          const converter = new LineToSpeech(format)
          return joinedSamples(...parts.map((part) => converter.add(part)), converter.end())
        }
        expect(convert(pieces(bytes, cuts))).toEqual(convert([bytes]))
      })
    )
  })

  // Verifies: V-203.
  it("has half a sample at the end of a piece completed by a piece of odd size, and dropped before one of even size", () => {
    const converter = new LineToSpeech({ encoding: "linear16", sampleRate: 16_000 })
    expect([...converter.add(Uint8Array.of(1, 0, 2))]).toEqual([1])
    expect([...converter.add(Uint8Array.of(0))]).toEqual([2])
    expect([...converter.add(Uint8Array.of(3, 0, 4))]).toEqual([3])
    expect([...converter.add(Uint8Array.of())]).toEqual([])
    expect([...converter.add(Uint8Array.of(0, 5, 0))]).toEqual([4, 5])
    expect([...converter.add(Uint8Array.of(6, 0, 7))]).toEqual([6])
    expect([...converter.add(Uint8Array.of(8, 0, 9, 0))]).toEqual([8, 9])
    expect([...converter.add(Uint8Array.of(10))]).toEqual([])
    expect([...converter.end()]).toEqual([])
  })

  it("that a model has spoken, in pieces of any size, is the same as at once, in every format", () => {
    const sound = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 600 })
    fc.assert(
      fc.property(aFormat, sound, fc.array(fc.nat(), { maxLength: 12 }), (format, samples, cuts) => {
        const convert = (parts: ReadonlyArray<Int16Array>) => {
          const converter = new SynthesisToLine(format)
          return Buffer.concat([...parts.map((part) => converter.add(part)), converter.end()])
        }
        const whole = Int16Array.from(samples)
        expect(convert(pieces(whole, cuts))).toEqual(convert([whole]))
      })
    )
  })

  it.each(formats)("$encoding at $sampleRate goes there and back with its level and place", (format) => {
    const spoken = sine(24_000, 1000, 0.5)
    const line = new SynthesisToLine(format)
    const bytes = Uint8Array.from(Buffer.concat([line.add(spoken), line.end()]))
    const back = new LineToSpeech(format)
    const heard = joinedSamples(back.add(bytes), back.end())
    const meant = sine(16_000, 1000, 0.5)
    expect(Math.abs(heard.length - meant.length)).toBeLessThanOrEqual(2)
    const middle = (sound: Int16Array) => sound.subarray(400, meant.length - 400)
    const error = middle(heard).map((sample, at) => sample - middle(meant)[at]!)
    expect(level(error) - level(middle(meant))).toBeLessThan(format.encoding === "linear16" ? -50 : -33)
  })
})

describe("a model's voice on a telephone", () => {
  const through = (hertz: number) => {
    const { add, end } = resampler(24_000, 8000, lineQuality)
    const sound = Float32Array.from({ length: 12_000 }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / 24_000))
    const heard = Float32Array.from([...add(sound), ...end()]).subarray(400, 3600)
    return 10 * Math.log10((2 * heard.reduce((sum, one) => sum + one * one, 0)) / heard.length + 1e-12)
  }

  it.each([300, 1000, 2500, 3000])("keeps what telephones carry: %i Hz", (hertz) => {
    expect(Math.abs(through(hertz))).toBeLessThan(0.5)
  })

  it.each([4200, 5000, 7000, 9000, 11_500])("has no tone from what they do not: %i Hz", (hertz) => {
    expect(through(hertz)).toBeLessThan(-55)
  })
})

describe("a WAV file", () => {
  it("has its samples and is read as long as it is", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 1, maxLength: 200 }), (samples) => {
        const file = wavFile(Int16Array.from(samples))
        const read = readWav(new ChunkBytes([file]))
        expect(read?.format).toMatchObject({ codec: 1, channels: 1, rate: 16_000, bits: 16 })
        expect([...samplesOf(file.subarray(read?.audio[0]?.begin))]).toEqual(samples)
        expect(wavLength(new ChunkBytes([file]))).toMatchObject({ success: { seconds: samples.length / 16_000 } })
      })
    )
  })

  it("of two channels gets its length at its end, in the place of the first header", () => {
    const sound = { rate: 8000, channels: 2 } as const
    const bytes = bytesOf(Int16Array.of(1, 2, 3, 4))
    const file = Uint8Array.from(Buffer.concat([wavHeader({ ...sound, bytes: 0 }), bytes]))
    file.set(wavHeader({ ...sound, bytes: bytes.length }))
    expect(wavHeaderBytes).toBe(file.length - bytes.length)
    expect(readWav(new ChunkBytes([file]))).toMatchObject({
      format: { channels: 2, rate: 8000, block: 4, byteRate: 32_000 },
      audio: [{ begin: 44, end: 52 }]
    })
  })
})
