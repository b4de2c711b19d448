/**
 * Finds speech without a network: by voices, which are periodic and never keep their pitch. Steady noise is not periodic, and
 * tones keep their pitch. Pure. Source: docs/reference/voice-agent.md#detection.
 */
import { lineQuality, type Resampler, resampler } from "./Resampler.ts"
import { speechRate } from "./SoundFormat.ts"
import type { SpeechDetector } from "./SpeechDetector.ts"
import { flattening, isTone, type StrongestLines, span, strongestLines, type ToneLimits } from "./Tones.ts"

/** Samples a second that are looked at: voices have most of their power below 2 kHz. */
const rate = 4000
/** Voices repeat themselves every 2.5 to 14.5 ms. */
const [minLag, maxLag] = [Math.floor(rate * 0.0025), Math.ceil(rate * 0.0145)]
/** The part of a perfect repetition below which sound is noise. */
const voiced = 0.5
/** Power that nobody hears: -55 dB. */
const minPower = 3e-6
/** How much stronger than the noise a voice is. */
const overNoise = 3
/** Power of the noise before any is known: -40 dB at most, so that a call may begin with a voice. */
const maxFirstNoise = 1e-4
/** What the noise may gain in a frame: 3 dB a second. */
const noiseRise = 1.022
/** A tone, also in other sound. What a voice loses by it, it has again in the next frames. */
const tone: ToneLimits = { share: 0.4, drift: 0.14 }
/** What a frame of each kind does to the likelihood of speech: two frames of a voice begin it, and it lasts over sounds without voice. */
const changes = { voice: 0.3, edge: 0, loud: -0.05, tone: -0.085, quiet: -0.2 } as const

export class EnergyDetector implements SpeechDetector {
  readonly #resampler: Resampler = resampler(speechRate, rate, lineQuality)
  /** The samples under study, with the steep fall of natural noise taken out. */
  readonly #sound = new Float32Array(span)
  #before = 0
  #noise = maxFirstNoise
  /** The strongest lines of the frame before: none where it was quiet, or no frame to compare with. */
  #lines: StrongestLines | null = null
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
    this.#lines = null
    if (power < minPower || power < this.#noise * overNoise) return "quiet"
    // Where a tone begins or ends its lines are as unsteady as those of a voice.
    if (isEdge(this.#sound)) return "edge"
    const lines = strongestLines(this.#sound)
    this.#lines = lines
    if (earlier === null) return "edge"
    if (isTone(lines, earlier, tone)) return "tone"
    return repetition(this.#sound) >= voiced ? "voice" : "loud"
  }
}

/** Whether one half of the sound is much stronger than the other. */
const isEdge = (sound: Float32Array): boolean => {
  const [first, second] = [powerOf(sound.subarray(0, span / 2)), powerOf(sound.subarray(span / 2))]
  return Math.max(first, second) > 8 * Math.min(first, second)
}

const energyOf = (sound: Float32Array): number => {
  let sum = 0
  for (let at = 0; at < sound.length; at++) sum += (sound[at] as number) ** 2
  return sum
}

const powerOf = (sound: Float32Array): number => energyOf(sound) / sound.length

/** How well the sound repeats itself within the time in which voices do, up to 1. */
const repetition = (sound: Float32Array): number => {
  // The energy of both stretches that are compared: one step further they have lost a sample each.
  let earlier = energyOf(sound.subarray(0, span - minLag))
  let later = energyOf(sound.subarray(minLag))
  let best = 0
  for (let lag = minLag; lag <= maxLag; lag++) {
    let product = 0
    for (let at = lag; at < span; at++) product += (sound[at - lag] as number) * (sound[at] as number)
    best = Math.max(best, product / Math.sqrt(earlier * later + 1e-12))
    earlier -= (sound[span - lag - 1] as number) ** 2
    later -= (sound[lag] as number) ** 2
  }
  return best
}
