/**
 * Finds speech by its level above the noise and by its shape: voices are between a tone, which predicts itself, and noise, which
 * does not. Used where no network is installed. Pure. Source: docs/voice-agent.md#detection.
 */
import { detectorFrame, type SpeechDetector } from "./SpeechDetector.ts"

/** Below this level nothing is heard: decibels of full scale. */
const minLevel = -52
/** Above the noise: decibels. */
const aboveNoise = 9
/** The noise is the lowest level of one to two times this number of frames: who speaks pauses more often. */
const noiseFrames = 32
/** What of a frame its past does not predict: less of a tone, more of noise. */
const tonal = 0.0012
const noisy = 0.45

/** Sound of any shape after speech belongs to it, for this number of frames. */
const tail = 8

const order = 4

/** Fades a frame in and out: a tone that is cut off is no tone. */
const fade = Float32Array.from(
  { length: detectorFrame / 2 },
  (_, n) => Math.sin((Math.PI * (n + 0.5)) / (detectorFrame / 2)) ** 2
)

/** Every other sample, so that what is predicted is not that a line carries no high sound. */
const halved = (frame: Float32Array): Float32Array =>
  fade.map((weight, n) => (((frame[2 * n] as number) + (frame[2 * n + 1] as number)) / 2) * weight)

const correlations = (samples: Float32Array): ReadonlyArray<number> =>
  Array.from({ length: order + 1 }, (_, lag) => {
    let sum = 0
    for (let n = lag; n < samples.length; n++) sum += (samples[n] as number) * (samples[n - lag] as number)
    return sum
  })

/** The part of the energy that a linear prediction leaves, by the recursion of Levinson and Durbin. */
const unpredicted = ([power = 0, ...lags]: ReadonlyArray<number>): number => {
  if (power <= 0) return 1
  let error = power
  let weights: Array<number> = []
  for (let n = 0; n < order; n++) {
    let sum = lags[n] ?? 0
    for (let k = 0; k < n; k++) sum -= (weights[k] as number) * (k === n - 1 ? (lags[0] ?? 0) : (lags[n - 1 - k] ?? 0))
    const reflection = sum / error
    weights = [...weights.map((weight, k) => weight - reflection * (weights[n - 1 - k] as number)), reflection]
    error *= 1 - reflection * reflection
    if (error <= 0) return 0
  }
  return error / power
}

/** The level of the noise, by the lowest levels of the last two seconds. */
class NoiseLevel {
  #before = Number.POSITIVE_INFINITY
  #lowest = Number.POSITIVE_INFINITY
  #frames = 0

  after(level: number): number {
    this.#lowest = Math.min(this.#lowest, level)
    const noise = Math.min(this.#before, this.#lowest)
    this.#frames += 1
    if (this.#frames % noiseFrames === 0) {
      this.#before = this.#lowest
      this.#lowest = level
    }
    return noise
  }
}

/** Detects by energy. What a line begins with is its noise. */
export const energyDetector = (): SpeechDetector => {
  const noise = new NoiseLevel()
  let since = tail
  return {
    detect: (frame) => {
      const lags = correlations(halved(frame))
      const level = 10 * Math.log10((lags[0] ?? 0) / (frame.length / 4) + 1e-10)
      const rest = level < Math.max(minLevel, noise.after(level) + aboveNoise) ? 0 : unpredicted(lags)
      since = rest > tonal && rest < noisy ? 0 : since + 1
      return rest > tonal && since < tail ? 0.9 : 0
    }
  }
}
