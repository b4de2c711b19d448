/** The length of recordings by their packets: docs/reference/metering.md#duration. Verifies: NODE-6. */
import { AudioLength } from "@trunkline/core/provider"
import { audioLengthLayer } from "@trunkline/node"
import { noise, wav, wavOf } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { adts, hurried, join, m4a, mp3, mp3Claiming, ogg, webm } from "./Recordings.ts"

/** In parts, as an upload comes. */
const measure = (file: Uint8Array, part = 65_536) =>
  AudioLength.use(({ measure }) => {
    const chunks = Array.from({ length: Math.ceil(file.byteLength / part) }, (_, nth) =>
      file.subarray(nth * part, (nth + 1) * part)
    )
    return measure({
      ...{ chunks, size: file.byteLength, fileName: "audio.wav", contentType: "audio/wav" }
    })
  }).pipe(
    Effect.match({ onFailure: ({ detail }) => detail, onSuccess: ({ seconds }) => seconds }),
    Effect.provide(audioLengthLayer),
    Effect.runPromise
  )

const half = (file: Uint8Array): Uint8Array => file.subarray(0, file.byteLength / 2)

/** Puts other bytes in the place of those that are found first. */
const forged = (file: Uint8Array, after: string, skip: number, bytes: ReadonlyArray<number>): Uint8Array => {
  const copy = file.slice()
  const at = Buffer.from(copy).indexOf(after)
  expect(at, after).toBeGreaterThan(0)
  copy.set(bytes, at + skip)
  return copy
}

// Verifies: G-44, G-98.
describe("a recording is as long as its packets", () => {
  it("or of no known length, where it leads its reader in a circle", async () => {
    const whole = await webm(3)
    // A segment without an end, and after it what is no element: the library looks for the next one, for ever.
    const segment = Buffer.from(whole).indexOf(Buffer.of(0x18, 0x53, 0x80, 0x67))
    expect(segment).toBeGreaterThan(0)
    const broken = join(whole, new Uint8Array(64).fill(0xaa))
    broken.set([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], segment + 4)
    expect([null, 3]).toContain(await measure(broken))
  })

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, number]>([
    ["WAV", () => wav(3), 3],
    ["MP3", () => mp3(24), 24],
    [
      "MP3 with tags",
      () =>
        join(new TextEncoder().encode("ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0010"), new Uint8Array(16), mp3(24)),
      24
    ],
    ["AAC", () => adts(32), 32],
    ["M4A", () => m4a(32), 32],
    ["M4A in fragments", () => m4a(32, "fragmented"), 32],
    ["Ogg with Opus", () => ogg(30), 30],
    ["WebM with Opus", () => webm(30), 30],
    ["WebM of a recorder, without a length", () => webm(30, true), 30]
  ])("%s", async (_, make, seconds) => {
    const file = await make()
    expect(await measure(file)).toBeCloseTo(seconds, 1)
    expect(await measure(file, 1000)).toBeCloseTo(seconds, 1)
  })

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, number, number]>([
    ["MP3 that claims an hour", () => mp3Claiming(24, 150_000), 24, 0.1],
    ["MP3 that claims a second", () => mp3Claiming(24, 40), 24, 0.1],
    ["half of an MP3", () => half(mp3(24)), 12, 0.1],
    ["half of an AAC file", () => half(adts(32)), 16, 0.1],
    ["half of an M4A file", async () => half(await m4a(320)), 155, 8],
    ["half of an Ogg file", async () => half(await ogg(60)), 30, 2],
    ["half of a WebM file", async () => half(await webm(60)), 30, 6]
    // Verifies: H-60.
  ])("%s, whatever its header says", async (_, make, seconds, within) => {
    const found = await measure(await make())
    expect(Math.abs(Number(found) - seconds)).toBeLessThan(within)
  })

  it("M4A whose headers claim a second", async () => {
    const file = await m4a(32)
    const short = [0, 0, 0x03, 0xe8]
    const forgedTwice = forged(forged(file, "mvhd", 20, short), "mdhd", 20, short)
    expect(await measure(forgedTwice)).toBeCloseTo(32, 1)
  })
})

describe("what cannot be measured", () => {
  // Verifies: G-98, H-62.
  it("stays open where it begins as audio", async () => {
    expect(await measure(join(new TextEncoder().encode("#!AMR\n"), noise(5000)))).toBeNull()
    expect(await measure(join(new TextEncoder().encode("fLaC"), noise(5000)))).toBeNull()
    expect(await measure(wavOf(noise(5000), { codec: 0x55, bits: 0, block: 1, byteRate: 16_000 }))).toBeNull()
  })

  it("stays open where its timestamps would have megabytes heard in a moment", async () => {
    expect(await measure(await hurried(60))).toBeNull()
  })

  it.each<[string, Uint8Array]>([
    ["random bytes", noise(100_000)],
    ["other random bytes", noise(100_000, 7)],
    ["a text", new TextEncoder().encode("This is no audio at all. ".repeat(100))],
    ["nothing but zeros", new Uint8Array(100_000)],
    ["a picture", join(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), noise(5000))]
  ])("is refused where it is none: %s", async (_, file) => {
    expect(await measure(file)).toMatch(/no audio of a kind that is known/)
  })
})
