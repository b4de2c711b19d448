/** Brings sound to another number of samples a second, 16,000 by default, block by block. Pure. Source: docs/reference/voice-agent.md#audio. */
import { speechRate } from "./SoundFormat.ts"

export interface ResamplerQuality {
  /** Zero crossings of the sinc on each side. */
  readonly lobes: number
  /** The shape of its window. */
  readonly beta: number
  /** Of the lower Nyquist frequency: the rest is the room in which the filter falls. */
  readonly passed: number
}

/** For recordings: what would fold back is 80 dB down. */
export const fileQuality: ResamplerQuality = { lobes: 32, beta: 9, passed: 0.92 }

/** For live lines, at a third of the work: what would fold back is 60 dB down, and a sample waits for 2 ms. */
export const lineQuality: ResamplerQuality = { lobes: 12, beta: 6, passed: 0.86 }

const bessel = (x: number): number => {
  let [sum, term] = [1, 1]
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

/** The windowed sinc, `x` zero crossings from its middle. */
const kernel = (x: number, { beta, lobes }: ResamplerQuality): number => {
  if (Math.abs(x) >= lobes) return 0
  const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)
  return (sinc * bessel(beta * Math.sqrt(1 - (x / lobes) ** 2))) / bessel(beta)
}

export interface Resampler {
  /** The samples that are known so far. */
  readonly add: (block: Float32Array) => Float32Array
  /** The rest: samples that were kept until the following ones would be known. */
  readonly end: () => Float32Array
}

/** What lies between two samples, at one of few places, by the samples around it. */
interface Filter {
  /** Samples on each side that have a part in one sample that comes out. */
  readonly reach: number
  /** What each of them counts in the sample of this number that comes out. */
  readonly weightsOf: (number: number) => Float64Array
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

const filterOf = (rate: number, target: number, quality: ResamplerQuality): Filter => {
  const cutoff = quality.passed * Math.min(1, target / rate)
  const reach = Math.ceil(quality.lobes / cutoff)
  /** The places are the same again after this number of samples. */
  const cycle = target / divisor(rate, target)
  const weights: Array<Float64Array | undefined> = new Array(cycle)
  const weightsAt = (place: number): Float64Array => {
    const from = (index: number) => (index - reach - place / target) * cutoff
    return Float64Array.from({ length: 2 * reach + 1 }, (_, index) => kernel(from(index), quality) * cutoff)
  }
  return {
    reach,
    weightsOf: (number) => {
      const known = weights[number % cycle]
      if (known !== undefined) return known
      const fresh = weightsAt((number * rate) % target)
      weights[number % cycle] = fresh
      return fresh
    }
  }
}

/** Lines have few rates: those of one kind share their weights. Files may have any rate, and keep none. */
const lineFilters = new Map<string, Filter>()

const lineFilter = (rate: number, target: number): Filter => {
  const name = `${rate}-${target}`
  const filter = lineFilters.get(name) ?? filterOf(rate, target, lineQuality)
  lineFilters.set(name, filter)
  return filter
}

/** From `rate` to `target`, both whole numbers of samples a second. Delays nothing: sample 0 stays at instant 0. */
export const resampler = (rate: number, target: number = speechRate, quality = fileQuality): Resampler => {
  if (rate === target) return { add: (block) => block, end: () => new Float32Array(0) }
  const { reach, weightsOf } = quality === lineQuality ? lineFilter(rate, target) : filterOf(rate, target, quality)
  // `held` starts `start` samples into the sound; silence comes before it.
  let held = new Float32Array(reach)
  let start = -reach
  let made = 0

  /** Everything that lies before `end` on the clock of what came in. */
  const until = (end: number): Float32Array => {
    const out = new Float32Array(Math.max(0, Math.ceil((end * target) / rate) - made))
    for (let index = 0; index < out.length; index++) {
      const at = (made + index) * rate
      const own = weightsOf(made + index)
      const first = Math.floor(at / target) - reach - start
      const count = Math.min(own.length, held.length - first)
      let sum = 0
      for (let tap = 0; tap < count; tap++) sum += (held[first + tap] as number) * (own[tap] as number)
      out[index] = sum
    }
    made += out.length
    return out
  }

  const add = (block: Float32Array): Float32Array => {
    const done = Math.floor((made * rate) / target) - reach - start
    const kept = held.subarray(Math.min(held.length, Math.max(0, done)))
    const next = new Float32Array(kept.length + block.length)
    next.set(kept)
    next.set(block, kept.length)
    start += held.length - kept.length
    held = next
    return until(start + held.length - reach)
  }

  return { add, end: () => until(start + held.length) }
}
