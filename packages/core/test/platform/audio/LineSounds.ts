/** Sound on lines, as tests of detection play it: samples at 16 kHz. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { bytesOf, fractions, LineToSpeech, SynthesisToLine, samplesOf } from "../../../src/platform/audio/Sound.ts"
import type { SoundFormat } from "../../../src/platform/audio/SoundFormat.ts"

export const rate = 16_000
export const telephone: SoundFormat = { encoding: "mulaw", sampleRate: 8000 }
export const wide: SoundFormat = { encoding: "linear16", sampleRate: rate }

/** Readings by people, of the Debian package `pocketsphinx-testdata`; empty where it is not installed. */
export const recordings = (folder = "/usr/share/pocketsphinx/test/data/librivox"): ReadonlyArray<Int16Array> =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".wav"))
        .map((name) => samplesOf(readFileSync(`${folder}/${name}`).subarray(44)))
    : []

export const joinedSamples = (...parts: ReadonlyArray<Int16Array>): Int16Array =>
  samplesOf(Buffer.concat(parts.map(bytesOf)))

export const quiet = (seconds: number) => new Int16Array(Math.round(seconds * rate))

const clipped = (sample: number) => Math.max(-32_768, Math.min(32_767, Math.round(sample)))

/** Chance that is the same every time. */
const chance = () => {
  let state = 12_345
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 1) / 2 ** 32
  }
}

/** Noise of a level in decibels of full scale: white, or with a steep fall as that of engines and wind. */
export const noiseOf = (seconds: number, level: number, fall = 0): Int16Array => {
  const next = chance()
  let before = 0
  return quiet(seconds).map(() => {
    const white = Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next())
    before = fall * before + white * Math.sqrt(1 - fall ** 2)
    return clipped(before * 32_768 * 10 ** (level / 20))
  })
}

/** Tones at once, for `on` of every `on + off` seconds. */
export const tones = (seconds: number, hertz: ReadonlyArray<number>, on = seconds, off = 0, level = 0.3): Int16Array =>
  quiet(seconds).map((_, at) => {
    const instant = at / rate
    if (instant % (on + off) >= on) return 0
    const sum = hertz.reduce((total, one) => total + Math.sin(2 * Math.PI * one * instant), 0)
    return clipped((sum / hertz.length) * level * 32_767)
  })

/** Two sounds at once, the second from an instant on and by a factor. */
export const mixed = (one: Int16Array, other: Int16Array, seconds = 0, factor = 1): Int16Array => {
  const from = Math.round(seconds * rate)
  return one.map((sample, at) => clipped(sample + (other[at - from] ?? 0) * factor))
}

/** Decibels below which the sound is on average. */
export const level = (sound: Int16Array): number =>
  10 * Math.log10(sound.reduce((sum, one) => sum + (one / 32_768) ** 2, 0) / sound.length + 1e-12)

export const toLine = (sound: Int16Array, format: SoundFormat, from = rate): Uint8Array => {
  const converter = new SynthesisToLine(format, from)
  return Uint8Array.from(Buffer.concat([converter.add(sound), converter.end()]))
}

export const fromLine = (bytes: Uint8Array, format: SoundFormat): Int16Array => {
  const converter = new LineToSpeech(format)
  return joinedSamples(converter.add(bytes), converter.end())
}

/** The whole frames of a sound. */
export const framesOf = (sound: Int16Array): ReadonlyArray<Float32Array> =>
  Array.from({ length: Math.floor(sound.length / 512) }, (_, nth) =>
    fractions(sound.subarray(nth * 512, nth * 512 + 512))
  )
