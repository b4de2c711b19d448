/** Files of every kind that is read, and of some that are not. Verifies: EMBE-3. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { AudioUnreadable } from "../../src/embedded/PcmWav.ts"
import { soundOf } from "../../src/embedded/SoundFile.ts"
import { all, decibels, fixture, joined, noise, pcm16, sine, wav } from "./Sounds.ts"

const heard = (bytes: Uint8Array) => all(soundOf(bytes))

/** How alike two sounds are, from -1 to 1, where one may be shifted by up to 100 ms against the other. */
const likeness = (a: Float32Array, b: Float32Array): number => {
  let best = -1
  for (let shift = -1_600; shift <= 1_600; shift++) {
    let [both, ofA, ofB] = [0, 0, 0]
    for (let at = 16_000; at < 40_000; at += 17) {
      const [left, right] = [a[at] ?? 0, b[at + shift] ?? 0]
      both += left * right
      ofA += left * left
      ofB += right * right
    }
    best = Math.max(best, both / Math.sqrt(ofA * ofB + 1e-9))
  }
  return best
}

/** The decoders complain to the console about what is broken; in the engine's thread nobody hears it. */
const complaints = vi.spyOn(console, "error")
beforeEach(() => void complaints.mockImplementation(() => undefined))
afterEach(() => complaints.mockReset())

describe("a recording", () => {
  it.each([
    ["speech.mp3", 0.12],
    ["speech-vorbis.ogg", 0.02],
    ["speech-vorbis.webm", 0.02],
    ["speech-opus.ogg", 0.02],
    ["speech-opus.webm", 0.02],
    ["speech-8k-mulaw.wav", 0.001]
  ])("sounds the same and is as long in every container: %s", async (name, within) => {
    const [original, found] = [await heard(fixture("speech.flac")), await heard(fixture(name))]
    expect(original.length).toBe(52_640)
    expect(Math.abs(found.length - original.length) / 16_000).toBeLessThan(within)
    expect(likeness(original, found)).toBeGreaterThan(0.85)
  })

  it("is known by what is in it, not by a name or a type that nobody gave here", async () => {
    await expect(heard(noise(20_000).map((one) => one * 127) as unknown as Uint8Array)).rejects.toThrow(AudioUnreadable)
    await expect(heard(Uint8Array.from(Buffer.from("#EXTM3U\nhttp://127.0.0.1/a.ts\n")))).rejects.toThrow(
      AudioUnreadable
    )
  })

  it("with AAC in it is refused by name", async () => {
    await expect(heard(fixture("speech.m4a"))).rejects.toThrow("aac")
  })

  it.each(["speech.mp3", "speech.flac", "speech-vorbis.ogg"])(
    "that was cut off is read as far as it goes: %s",
    async (name) => {
      const whole = fixture(name)
      const { length } = await heard(whole.slice(0, Math.floor(whole.length * 0.6)))
      expect(length / 52_640).toBeGreaterThan(0.3)
      expect(length / 52_640).toBeLessThan(0.75)
    }
  )

  it.each([
    "speech.mp3",
    "speech.flac",
    "speech-opus.ogg",
    "speech-opus.webm",
    "speech-vorbis.ogg",
    "speech-vorbis.webm"
  ])("with bytes that flipped on the way is read or refused, and brings nothing down: %s", async (name) => {
    for (const seed of [3, 5, 7]) {
      const bytes = fixture(name)
      for (let at = 400 * seed; at < bytes.length; at += 997 * seed) bytes[at] = (bytes[at] ?? 0) ^ 0x5a
      const outcome = await heard(bytes).catch((error: unknown) => error)
      expect(outcome instanceof Float32Array || outcome instanceof AudioUnreadable).toBe(true)
      if (outcome instanceof Float32Array) expect(outcome.every(Number.isFinite)).toBe(true)
    }
  })

  it("that leads its reader in a circle ends where the circle begins", async () => {
    const whole = fixture("speech-opus.webm")
    // A segment without an end, and after it what is no element: the library looks for the next one, for ever.
    const segment = Buffer.from(whole).indexOf(Buffer.of(0x18, 0x53, 0x80, 0x67))
    whole.set([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], segment + 4)
    const found = await heard(Uint8Array.from([...whole, ...new Uint8Array(64).fill(0xaa)]))
    expect(found.length).toBe((await heard(fixture("speech-opus.webm"))).length)
  })

  it("without a sample in it is refused", async () => {
    await expect(heard(wav(new Uint8Array(0)))).rejects.toThrow(AudioUnreadable)
    await expect(heard(new Uint8Array(0))).rejects.toThrow(AudioUnreadable)
  })

  it("of 44.1 kHz in stereo comes out at its pitch, with its length and its level", async () => {
    const tone = sine(44_100, 500, 1, 0.5)
    const stereo = Float32Array.from({ length: tone.length * 2 }, (_, at) => tone[at >> 1] ?? 0)
    const found = await heard(wav(pcm16(stereo), { rate: 44_100, channels: 2 }))
    expect(found.length).toBe(16_000)
    const rest = found.map((sample, at) => sample - 0.5 * Math.sin((2 * Math.PI * 500 * at) / 16_000))
    expect(decibels(rest.subarray(500, 15_500))).toBeLessThan(-70)
  })

  it("of ten minutes is never in memory as a whole", async () => {
    const long = wav(pcm16(new Float32Array(8_000 * 600)), { rate: 8_000 })
    let [largest, total] = [0, 0]
    for await (const block of soundOf(long)) {
      largest = Math.max(largest, block.length)
      total += block.length
    }
    expect(total).toBe(16_000 * 600)
    expect(largest).toBeLessThan(16_000 * 10)
  })

  it("in many small parts is one sound", async () => {
    const parts: Array<Float32Array> = []
    for await (const block of soundOf(fixture("speech-opus.ogg"))) parts.push(Float32Array.from(block))
    expect(parts.length).toBeGreaterThan(3)
    expect(joined(parts)).toEqual(await heard(fixture("speech-opus.ogg")))
  })
})
