/**
 * Finds speech without a network: by voices, which are periodic and never keep their pitch. Steady noise is not periodic, and
 * tones keep their pitch. Pure. Source: docs/voice-agent.md#detection.
 */
import { Fourier } from "./Fourier.ts"
import { lineQuality, type Resampler, resampler } from "./Resampler.ts"
import { speechRate } from "./SoundFormat.ts"
import type { SpeechDetector } from "./SpeechDetector.ts"

/** Samples a second that are looked at: voices have most of their power below 2 kHz. */
const rate = 4000
/** Samples that are looked at at a time: 64 ms, of which half is new with each frame. */
const span = 256
/** Voices repeat themselves every 2.5 to 14.5 ms. */
const [minLag, maxLag] = [Math.floor(rate * 0.0025), Math.ceil(rate * 0.0145)]
/** Of a perfect repetition: what is less is noise. */
const voiced = 0.5
/** Power that nobody hears: -55 dB. */
const minPower = 3e-6
/** How much stronger than the noise a voice is. */
const overNoise = 3
/** Power of the noise before any is known: -40 dB at most, so that a call may begin with a voice. */
const maxFirstNoise = 1e-4
/** What the noise may gain in a frame: 3 dB a second. */
const noiseRise = 1.022
/** Of all power, that a tone has around its strongest line, and how far that line may move between frames, in lines. */
const [tonePart, toneDrift] = [0.4, 0.14]
/** Of a sample, that is subtracted from the next. */
const flattening = 0.7
/** What a frame of each kind does to the likelihood of speech: two frames of a voice begin it, and it lasts over what is said without voice. */
const changes = { voice: 0.3, edge: 0, loud: -0.05, tone: -0.085, quiet: -0.2 } as const

const fourier = new Fourier(span)
const window = Float64Array.from({ length: span }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / span))
/** Used by one frame at a time, of whichever line. */
const [real, imaginary] = [new Float64Array(span), new Float64Array(span)]
const powers = new Float64Array(span / 2)

export class EnergyDetector implements SpeechDetector {
  readonly #resampler: Resampler = resampler(speechRate, rate, lineQuality)
  /** What is looked at, with the steep fall of natural noise taken out. */
  readonly #sound = new Float32Array(span)
  #before = 0
  #noise = maxFirstNoise
  /** The strongest lines of the frame before: none where it was quiet, or no frame to compare with. */
  #lines: ReadonlyArray<number> = []
  #likelihood = 0

  detect(frame: Float32Array): number {
    const fresh = this.#resampler.add(frame)
    this.#sound.copyWithin(0, fresh.length)
    for (const [at, sample] of fresh.entries()) {
      this.#sound[span - fresh.length + at] = sample - flattening * this.#before
      this.#before = sample
    }
    this.#likelihood = Math.max(0, Math.min(1, this.#likelihood + changes[this.#kind()]))
    return this.#likelihood
  }

  #kind(): keyof typeof changes {
    const power = powerOf(this.#sound)
    this.#noise = Math.min(power, this.#noise * noiseRise + 1e-12)
    const earlier = this.#lines
    this.#lines = []
    if (power < minPower || power < this.#noise * overNoise) return "quiet"
    // Where a tone begins or ends its lines are as unsteady as those of a voice.
    if (isEdge(this.#sound)) return "edge"
    const { lines, part } = strongestLines(this.#sound)
    this.#lines = lines
    if (earlier.length === 0) return "edge"
    if (part > tonePart && earlier.some((line) => Math.abs(line - (lines[0] as number)) < toneDrift)) return "tone"
    return repetition(this.#sound) >= voiced ? "voice" : "loud"
  }
}

/** Whether one half of the sound is much stronger than the other. */
const isEdge = (sound: Float32Array): boolean => {
  const [first, second] = [powerOf(sound.subarray(0, span / 2)), powerOf(sound.subarray(span / 2))]
  return Math.max(first, second) > 8 * Math.min(first, second)
}

const powerOf = (sound: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < sound.length; at++) sum += (sound[at] as number) ** 2
  return sum / sound.length
}

/** How well the sound repeats itself within the time in which voices do, up to 1. */
const repetition = (sound: Float32Array): number => {
  let best = 0
  for (let lag = minLag; lag <= maxLag; lag++) {
    let [product, earlier, later] = [0, 0, 0]
    for (let at = lag; at < span; at++) {
      const [a, b] = [sound[at - lag] as number, sound[at] as number]
      product += a * b
      earlier += a * a
      later += b * b
    }
    best = Math.max(best, product / Math.sqrt(earlier * later + 1e-12))
  }
  return best
}

/** The strongest lines of the spectrum, at most two, each between two whole ones, and how much of all power they have. */
const strongestLines = (sound: Float32Array): { readonly lines: ReadonlyArray<number>; readonly part: number } => {
  for (let at = 0; at < span; at++) {
    real[at] = (sound[at] as number) * (window[at] as number)
    imaginary[at] = 0
  }
  fourier.transform(real, imaginary)
  let total = 1e-20
  for (let line = 0; line < span / 2; line++) {
    powers[line] = (real[line] as number) ** 2 + (imaginary[line] as number) ** 2
    total += powers[line] as number
  }
  const first = takeStrongest()
  const second = takeStrongest()
  const lines = second.power > first.power / 30 ? [first.line, second.line] : [first.line]
  return { lines, part: (first.power + second.power) / total }
}

/** The strongest line, with its two neighbours on each side, which are then gone. */
const takeStrongest = (): { readonly line: number; readonly power: number } => {
  let top = 2
  for (let line = 3; line < span / 2 - 2; line++) if ((powers[line] as number) > (powers[top] as number)) top = line
  let [power, moment] = [1e-20, 0]
  for (let line = top - 1; line <= top + 1; line++) {
    power += powers[line] as number
    moment += (powers[line] as number) * line
  }
  powers.fill(0, top - 1, top + 2)
  return { line: moment / power, power }
}
