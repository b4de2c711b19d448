/** The length of WAV files, by what they hold: docs/reference/metering.md#duration. */

import { noise, type WavOptions, wav, wavOf } from "@trunkline/testing/inference"
import { atMost } from "@trunkline/testing/slow-machine"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wavLength } from "../../../src/gateway/speech/Wav.ts"
import { ChunkBytes } from "../../../src/gateway/upstreams/ChunkBytes.ts"

/** Cuts bytes into parts of the given sizes, over and over. */
const cut = (bytes: Uint8Array, sizes: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  for (let at = 0, nth = 0; at < bytes.byteLength; nth++) {
    const size = sizes[nth % sizes.length]!
    parts.push(bytes.subarray(at, at + size))
    at += size
  }
  return parts
}

const measured = (file: Uint8Array, sizes: ReadonlyArray<number> = [file.byteLength]) =>
  wavLength(new ChunkBytes(cut(file, sizes)))

/** The seconds, or the sentence of a refusal, or undefined for what is no WAV file. */
const said = (file: Uint8Array): number | null | string | undefined => {
  const length = measured(file)
  if (length === undefined) return undefined
  return Result.isSuccess(length) ? length.success.seconds : length.failure
}

const tags = new TextEncoder().encode("INFOISFT software of some recorder")

// Verifies: H-60.
describe("a WAV file is as long as its samples", () => {
  it.each<[string, Uint8Array, number]>([
    ["16 bits, mono", wav(3), 3],
    ["16 bits, stereo", wav(3, { channels: 2 }), 3],
    ["8 bits at a telephone's rate", wav(2.5, { bits: 8, rate: 8000 }), 2.5],
    ["24 bits", wav(1, { bits: 24, rate: 44_100 }), 1],
    ["numbers with a point", wav(1, { bits: 32, codec: 3 }), 1],
    ["µ-law", wav(4, { bits: 8, codec: 7, rate: 8000 }), 4],
    ["A-law", wav(4, { bits: 8, codec: 6, rate: 8000 }), 4],
    ["big-endian", wav(2, { form: "RIFX" }), 2],
    ["with tags after the audio", wav(2, { after: [["LIST", tags]] }), 2],
    ["with an odd number of bytes and tags", wav(1.0001, { bits: 8, rate: 10_000, after: [["LIST", tags]] }), 1.0001],
    [
      "with tags before it",
      wav(2, {
        before: [
          ["LIST", tags],
          ["JUNK", new Uint8Array(3)]
        ]
      }),
      2
    ],
    [
      "in two pieces",
      wav(2, {
        after: [
          ["LIST", tags],
          ["data", new Uint8Array(32_000)]
        ]
      }),
      3
    ],
    ["a piece of a sample at the end", wavOf(new Uint8Array(32_001)), 1],
    ["64-bit lengths", wav(2, { form: "RF64", claims: 0xffffffff, claims64: 64_000n, after: [["LIST", tags]] }), 2]
  ])("%s", (_, file, seconds) => expect(said(file)).toBeCloseTo(seconds, 9))

  it.each<[string, WavOptions]>([
    ["nothing", { claims: 0 }],
    ["one second", { claims: 32_000 }],
    ["an hour", { claims: 115_200_000 }],
    ["that it is not known", { claims: 0xffffffff }],
    ["one second in 64 bits", { form: "RF64", claims: 0xffffffff, claims64: 32_000n }],
    ["centuries in 64 bits", { form: "RF64", claims: 0xffffffff, claims64: 2n ** 63n }]
  ])("when the header claims %s", (_, forged) => expect(said(wav(60, forged))).toBe(60))

  it("when half of it is missing", () => {
    const whole = wav(60)
    expect(said(whole.subarray(0, 44 + 30 * 32_000))).toBe(30)
  })

  it("in blocks of packed codecs", () => {
    // 256 bytes: 4 of head with one sample, and two samples in each of the others.
    const ima = { codec: 0x11, bits: 4, block: 256, rate: 8000, byteRate: 4055 }
    expect(said(wavOf(new Uint8Array(256 * 80), ima))).toBe((505 * 80) / 8000)
    const microsoft = { codec: 2, bits: 4, block: 256, rate: 8000, byteRate: 4096 }
    expect(said(wavOf(new Uint8Array(256 * 80), microsoft))).toBe((500 * 80) / 8000)
    expect(said(wavOf(new Uint8Array(65 * 50), { codec: 0x31, bits: 0, block: 65, rate: 8000, byteRate: 1625 }))).toBe(
      2
    )
  })

  it("whatever its length and its header's, in whatever parts it comes", () => {
    fc.assert(
      fc.property(
        // Of up to three frames a claim of none leaves nothing, which is refused: below.
        fc.integer({ min: 5, max: 40_000 }),
        fc.integer({ min: 0, max: 0xffffffff }),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 5 }),
        (frames, claims, sizes) => {
          const file = wav(frames / 16_000, { claims })
          const length = measured(file, sizes)
          // At the very end a claim may be right to within what is too short for a further part.
          expect(Result.getOrThrow(length!).seconds).toBeGreaterThanOrEqual((frames - 4) / 16_000)
          expect(Result.getOrThrow(length!).seconds).toBeLessThanOrEqual(frames / 16_000)
        }
      )
    )
  })
})

// Verifies: H-61.
describe("a WAV file that contradicts itself is refused", () => {
  it.each<[string, Uint8Array, RegExp]>([
    ["a hundred times the rate", wav(30, { rate: 1_600_000 }), /sample rate of 1600000 Hz/],
    ["no rate", wav(1, { rate: 0 }), /sample rate of 0 Hz/],
    ["a rate that its bytes a second deny", wav(30, { byteRate: 16_000 }), /byte rate of 16000/],
    ["no bytes a second", wav(1, { byteRate: 0 }), /byte rate of 0/],
    ["blocks that are larger than its samples", wav(30, { block: 8, byteRate: 128_000 }), /blocks of 8 bytes/],
    ["no channel", wav(1, { channels: 0, block: 2 }), /0 channels/],
    ["samples without bits", wav(1, { bits: 0, block: 2 }), /0 bits/],
    ["no audio", wavOf(new Uint8Array(0)), /no audio/],
    ["a frame where the header claims none", wav(1 / 16_000, { claims: 0 }), /no audio/],
    ["no audio but tags", wavOf(new Uint8Array(0), { after: [["LIST", tags]] }), /no audio/],
    ["audio behind a part that is longer than the file", wav(1).with(16, 0xff).with(19, 0xff), /no audio|encoded/],
    ["two descriptions", wav(1, { before: [["fmt ", wav(1).subarray(20, 36)]] }), /sample rate/],
    ["an end before its audio", wav(1).subarray(0, 36), /no audio/]
  ])("%s", (_, file, sentence) => expect(said(file)).toMatch(sentence))
})

describe("what is no WAV file, or one of a codec that is not known here", () => {
  it("is distinguished from one that is refused", () => {
    expect(said(noise(100_000))).toBeUndefined()
    expect(said(new Uint8Array(0))).toBeUndefined()
    expect(said(new TextEncoder().encode("RIFF"))).toBeUndefined()
    expect(said(wavOf(noise(4000), { codec: 0x55, bits: 0, block: 1, byteRate: 16_000 }))).toBeNull()
  })
})

describe("a file of parts without end", () => {
  it("is walked once, not once for each of its parts", () => {
    const parts = Array.from({ length: 100_000 }, () => ["data", new Uint8Array(0)] as const)
    const file = wav(1, { after: parts })
    const begun = performance.now()
    measured(file, [1000])
    expect(performance.now() - begun).toBeLessThan(atMost(1000))
  })
})

describe("bytes that came in parts", () => {
  it("read like the whole", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(320), fc.nat(320)), { maxLength: 20 }),
        (whole, sizes, reads) => {
          const bytes = new ChunkBytes(cut(whole, sizes))
          expect(bytes.size).toBe(whole.byteLength)
          for (const [from, to] of reads) {
            expect([...bytes.slice(from, to)]).toEqual([...whole.slice(from, Math.max(from, to))])
          }
        }
      )
    )
  })
})
