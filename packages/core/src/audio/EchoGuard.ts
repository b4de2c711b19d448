/** Recognizes what the agent itself has said when it comes back on the line. Pure. Source: docs/turn-taking.md#echo. */

import { speechRate } from "./SoundFormat.ts"
import { detectorFrame } from "./SpeechDetector.ts"
import type { EchoFilter } from "./SpeechTracker.ts"

/** How late an echo may come. */
const maxDelayMs = 500
/** Steps of the level that are compared: 4 ms. */
const step = 64
const stepsPerFrame = detectorFrame / step
const stepMs = (step / speechRate) * 1000
/** Levels of the agent's sound that are kept. */
const kept = Math.ceil((maxDelayMs + 200) / stepMs) + 2 * stepsPerFrame
/** Frames of the line over which it is compared: 160 ms. */
const window = 5 * stepsPerFrame
/** An echo is at least this much weaker: 10 dB, with room for what a line adds. */
const maxGain = 0.4
/** How alike the two must be. */
const alike = 0.8

const levelsOf = (frame: ArrayLike<number>, size: number, scale: number): Float32Array => {
  const levels = new Float32Array(Math.floor(frame.length / size))
  for (let n = 0; n < levels.length; n++) {
    let sum = 0
    for (let k = 0; k < size; k++) sum += ((frame[n * size + k] as number) * scale) ** 2
    levels[n] = Math.sqrt(sum / size)
  }
  return levels
}

/** The course of the level of samples, one for each 4 ms. */
export const levelsOfSpeech = (samples: Int16Array, sampleRate: number): Float32Array =>
  levelsOf(samples, (sampleRate * stepMs) / 1000, 1 / 32_768)

/** Levels of a frame of the line. */
export const levelsPerFrame = stepsPerFrame

/** The likeness of two courses of levels, and the gain from one to the other. */
const compared = (heard: Float32Array, said: Float32Array, from: number) => {
  let [sumA, sumB, ab, aa, bb] = [0, 0, 0, 0, 0]
  for (let n = 0; n < heard.length; n++) {
    const [a, b] = [heard[n] as number, said[from + n] as number]
    sumA += a
    sumB += b
    ab += a * b
    aa += a * a
    bb += b * b
  }
  const size = heard.length
  const covariance = ab - (sumA * sumB) / size
  const variance = Math.sqrt(Math.max(0, aa - sumA ** 2 / size) * Math.max(0, bb - sumB ** 2 / size))
  return { likeness: variance > 1e-9 ? covariance / variance : 0, gain: Math.sqrt(aa / Math.max(bb, 1e-12)) }
}

/** Compares the course of the line's level with that of the agent's own sound, at all delays up to half a second. */
export class EchoGuard implements EchoFilter {
  readonly #said = new Float32Array(kept)
  readonly #heard = new Float32Array(window)
  #silentFor = kept

  /** The levels of what is played while the next frame of the line comes, one for each 4 ms; null where the agent says nothing. */
  played(levels: Float32Array | null): void {
    this.#said.copyWithin(0, stepsPerFrame)
    this.#silentFor = levels === null ? this.#silentFor + stepsPerFrame : 0
    if (levels === null) this.#said.fill(0, kept - stepsPerFrame)
    else this.#said.set(levels, kept - stepsPerFrame)
  }

  isEcho(frame: Float32Array): boolean {
    this.#heard.copyWithin(0, stepsPerFrame)
    this.#heard.set(levelsOf(frame, step, 1), window - stepsPerFrame)
    // Nothing that could come back was said for too long.
    if (this.#silentFor >= kept) return false
    for (let delay = 0; delay * stepMs <= maxDelayMs + 100; delay++) {
      const { gain, likeness } = compared(this.#heard, this.#said, kept - window - delay)
      if (likeness >= alike && gain <= maxGain) return true
    }
    return false
  }
}
