/** WAV files as programs, telephones and liars write them. Verifies: EMBE-3. */
import { describe, expect, it } from "vitest"
import { AudioUnreadable, pcmSound } from "../../src/embedded/PcmWav.ts"
import { all, noise, pcm16, sine, type WavOptions, wav } from "./Sounds.ts"

const tone = sine(16_000, 300, 0.1, 0.5)

const soundOf = (file: Uint8Array) => {
  const sound = pcmSound(file)
  if (sound === undefined) throw new Error("no WAV file")
  return sound
}

const samplesOf = (file: Uint8Array) => all(soundOf(file).blocks())

type Write = (bytes: Buffer, sample: number, at: number) => void

const kinds: ReadonlyArray<readonly [name: string, tag: number, bits: number, write: Write]> = [
  ["8 bits", 1, 8, (bytes, sample, at) => bytes.writeUInt8(Math.round(sample * 127) + 128, at)],
  ["16 bits", 1, 16, (bytes, sample, at) => bytes.writeInt16LE(Math.round(sample * 32_767), at * 2)],
  ["24 bits", 1, 24, (bytes, sample, at) => bytes.writeIntLE(Math.round(sample * 8_388_607), at * 3, 3)],
  ["32 bits", 1, 32, (bytes, sample, at) => bytes.writeInt32LE(Math.round(sample * 2_147_483_647), at * 4)],
  ["float of 32 bits", 3, 32, (bytes, sample, at) => bytes.writeFloatLE(sample, at * 4)],
  ["float of 64 bits", 3, 64, (bytes, sample, at) => bytes.writeDoubleLE(sample, at * 8)]
]

const close = (found: Float32Array, meant: Float32Array, within: number): void => {
  expect(found.length).toBe(meant.length)
  expect(Math.max(...found.map((sample, at) => Math.abs(sample - (meant[at] ?? 0))))).toBeLessThan(within)
}

describe("WAV", () => {
  for (const [name, tag, bits, write] of kinds) {
    const data = Buffer.alloc((tone.length * bits) / 8)
    tone.forEach((sample, at) => {
      write(data, sample, at)
    })

    it(`is read in ${name}, under its own tag and in the extensible form`, async () => {
      for (const extensible of [false, true]) {
        close(await samplesOf(wav(data, { tag, bits, extensible })), tone, bits === 8 ? 0.01 : 0.0001)
      }
    })
  }

  it("is read in A-law and mu-law by the values of G.711", async () => {
    const codes = Uint8Array.of(0x00, 0x7f, 0x80, 0xff, 0x2a, 0xaa, 0xd5, 0x55)
    const mu = await samplesOf(wav(codes, { tag: 7, bits: 8 }))
    expect([...mu.subarray(0, 4)].map((sample) => sample * 32_768)).toEqual([-32_124, 0, 32_124, 0])
    const a = await samplesOf(wav(codes, { tag: 6, bits: 8 }))
    expect([...a.subarray(4)].map((sample) => sample * 32_768)).toEqual([-32_256, 32_256, 8, -8])
  })

  it("with several channels is the mean of them", async () => {
    const [left, right] = [sine(16_000, 200, 0.05, 0.6), noise(800, 0.3)]
    const both = Float32Array.from({ length: 1_600 }, (_, at) => (at % 2 === 0 ? left : right)[at >> 1] ?? 0)
    const meant = left.map((sample, at) => (sample + (right[at] ?? 0)) / 2)
    close(await samplesOf(wav(pcm16(both), { channels: 2 })), meant, 0.0001)
  })

  it.each([
    ["0, as written by a program that could not go back", 0],
    ["unknown", 0xffff_ffff],
    ["far past the end", 1_000_000],
    ["one byte more than there is", tone.length * 2 + 1]
  ])("with a length in its header that is %s is read to its end", async (_, dataBytes) => {
    close(await samplesOf(wav(pcm16(tone), { dataBytes })), tone, 0.0001)
  })

  it("with a length in its header that is too small is read to its end all the same", async () => {
    for (const dataBytes of [1, 100, tone.length]) {
      close(await samplesOf(wav(pcm16(tone), { dataBytes })), tone, 0.0001)
    }
  })

  it("begins after the tags before it, and ends before those that follow", async () => {
    const tags = Buffer.from("LIST\u0006\0\0\0abcdefid3 \u0001\0\0\0x\0", "latin1")
    const file = wav(Uint8Array.from([...pcm16(tone), ...tags]), {
      dataBytes: tone.length * 2,
      before: Uint8Array.of(1, 2, 3)
    })
    close(await samplesOf(file), tone, 0.0001)
  })

  it("in two pieces is read to the end of the second", async () => {
    const second = Buffer.concat([Buffer.from("data"), Buffer.alloc(4), pcm16(tone)])
    second.writeUInt32LE(tone.length * 2, 4)
    const file = wav(Uint8Array.from([...pcm16(tone), ...second]), { dataBytes: tone.length * 2 })
    close(await samplesOf(file), Float32Array.from([...tone, ...tone]), 0.0001)
  })

  it("with the highest byte first is refused", () => {
    const file = Uint8Array.from(wav(pcm16(tone)))
    file.set(Buffer.from("RIFX"), 0)
    expect(() => pcmSound(file)).toThrow(AudioUnreadable)
  })

  it("of half a frame too much is read without the half", async () => {
    expect((await samplesOf(wav(pcm16(tone).slice(0, 101)))).length).toBe(50)
  })

  it("with values that are no numbers has silence there", async () => {
    const data = Buffer.alloc(12)
    data.writeFloatLE(0.5, 0)
    data.writeFloatLE(Number.NaN, 4)
    data.writeFloatLE(Number.POSITIVE_INFINITY, 8)
    expect([...(await samplesOf(wav(data, { tag: 3, bits: 32 })))]).toEqual([0.5, 0, 0])
  })

  it("is handed over in blocks, however long it is", () => {
    const sizes = [...soundOf(wav(new Uint8Array(400_000))).blocks()].map(({ length }) => length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32_768)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(200_000)
  })

  const refused: ReadonlyArray<readonly [string, WavOptions]> = [
    ["a kind that is compressed", { tag: 0x11, bits: 4, frameBytes: 1_024 }],
    ["no channel", { channels: 0 }],
    ["a thousand channels", { channels: 1_000 }],
    ["a rate of 1 Hz", { rate: 1 }],
    ["a rate of 4 GHz", { rate: 4_000_000_000 }],
    ["frames of another size than its samples", { frameBytes: 7 }],
    ["12 bytes a sample", { bits: 96 }]
  ]

  it.each(refused)("with %s is refused", (_, options) => {
    expect(() => soundOf(wav(pcm16(tone), options))).toThrow(AudioUnreadable)
  })

  it("without format or data, or cut inside its head, is refused", () => {
    const file = wav(pcm16(tone))
    for (const length of [12, 20, 30, 38, 43]) expect(() => soundOf(file.slice(0, length))).toThrow(AudioUnreadable)
    const swapped = Uint8Array.from(file)
    swapped.set(Buffer.from("none"), 12)
    expect(() => soundOf(swapped)).toThrow(AudioUnreadable)
  })

  it("is recognised by its first bytes", () => {
    expect(pcmSound(wav(pcm16(tone)))).toBeDefined()
    expect(pcmSound(Uint8Array.from(Buffer.from("RIFF....AVI LIST")))).toBeUndefined()
    expect(pcmSound(new Uint8Array(3))).toBeUndefined()
  })
})
