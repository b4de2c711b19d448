/**
 * Finds out whether a frame from the line is what the agent itself has said, coming back: most of it is then a copy of that,
 * later and weaker. Pure. Source: docs/reference/voice-agent.md#detection.
 */
import { Fourier } from "./Fourier.ts"
import { LineToSpeech } from "./LineToSpeech.ts"
import { lineQuality, type Resampler, resampler } from "./Resampler.ts"
import { millisecondsIn, type SoundFormat, speechRate } from "./SoundFormat.ts"

/** Samples a second that are compared. */
const rate = 4000
const perMs = rate / 1000
/** Samples of the line that are compared at a time: 96 ms. */
const span = 96 * perMs
/** How much later an echo comes, in samples; the time at which a line plays is not known exactly. */
const [minDelay, maxDelay] = [-60 * perMs, 580 * perMs]
/** What the agent says is kept from one second ahead of its time until its echo has come, to a detector that is two seconds late as well. */
const kept = 16_384
/** Sound whose time differs less from the end of the sound before it follows without a gap. */
const jitterMs = 25
/** Of the power of what was said: an echo has at most this, 10 dB less with a margin of 2 … */
const maxGain = 0.16
/** … and what has less than this, 26 dB less, is nobody's speech beside it. */
const minPart = 0.0025
/** Of a frame's power, that is a copy where the frame is an echo. */
const copied = 0.5
/** While somebody speaks over the agent its echo is as loud as that person between two words: then this counts … */
const [minPartBeside, copiedBeside] = [0.0003, 0.85]
/** … for this number of frames. */
const beside = 10
/** Samples around the delay from which a copy is made, since lines blur sound, and those of them before it. */
const [taps, early] = [24, 6]
/** What the noise of the line may gain in a frame. */
const noiseRise = 1.02

/** Samples of what was said that an echo may be a copy of. */
const range = maxDelay - minDelay + span

const fourier = new Fourier(4096)
/** Used by one frame at a time, of whichever line. */
const [real, imaginary] = [new Float64Array(fourier.size), new Float64Array(fourier.size)]
const said = new Float64Array(range)
/** Powers of `said`, each over the samples that are compared, by their beginning. */
const powers = new Float64Array(range - span + 1)

/** For one line. Times are milliseconds of one clock, whose beginning does not matter. */
export class EchoGuard {
  readonly #format: SoundFormat
  /** What the agent says, in a ring: places count samples since the first sound. */
  readonly #said = new Float32Array(kept)
  /** When the first sound began. */
  #originMs: number | null = null
  #from = 0
  #to = 0
  #saying: LineToSpeech
  /** When the sound that `#saying` has got ends. */
  #endsAtMs = Number.NEGATIVE_INFINITY
  readonly #heard = new Float32Array(span)
  #hearing: Resampler | null = null
  /** Samples that came from the line, and those that came out of `#hearing`. */
  #given = 0
  #came = 0
  /** The power of the line when it is quiet. */
  #noise = 1
  /** Frames for which somebody may still speak over the agent. */
  #beside = 0
  /** Frames in a row that may have been speech and were no echo. */
  #misses = 0
  /** Where in `said` the last echo began. */
  #place: number | null = null

  /** `format`: of the sound that goes to the line. */
  constructor(format: SoundFormat) {
    this.#format = format
    this.#saying = new LineToSpeech(format, rate)
  }

  /** The agent's sound, as it goes to the line, and when the other side begins to hear it. */
  played(sound: Uint8Array, atMs: number): void {
    if (!(Math.abs(atMs - this.#endsAtMs) < jitterMs)) this.#begin(atMs)
    this.#endsAtMs += millisecondsIn(this.#format, sound.length)
    for (const sample of this.#saying.add(sound)) {
      this.#said[this.#to++ & (kept - 1)] = sample / 32_768
    }
    this.#from = Math.max(this.#from, this.#to - kept)
  }

  /** What the other side would have heard from this time on was dropped. */
  stopped(atMs: number): void {
    this.#endsAtMs = Number.NEGATIVE_INFINITY
    this.#to = Math.min(this.#to, Math.max(this.#from, this.#placeOf(atMs)))
  }

  /** Whether the frame, the next one at 16 kHz, is the agent's own sound. `mayBeSpeech` false: nobody asks, and it is false. */
  isEcho(frame: Float32Array, endsAtMs: number, mayBeSpeech = true): boolean {
    const end = this.#placeOf(endsAtMs)
    if (this.#to <= end - span - maxDelay || this.#from >= end - minDelay) {
      this.#hearing = null
      return false
    }
    const heardTo = this.#hear(frame, end)
    const power = energy(this.#heard, 0, span)
    this.#noise = Math.min(power, this.#noise * noiseRise + 1e-9)
    this.#beside = Math.max(0, this.#beside - 1)
    const isCopy = mayBeSpeech && this.#isCopy(power, heardTo)
    const isVoice = mayBeSpeech && !isCopy
    this.#misses = isVoice ? this.#misses + 1 : 0
    if (isVoice) this.#beside = beside
    return isCopy
  }

  #placeOf(atMs: number): number {
    this.#originMs ??= atMs
    return Math.round((atMs - this.#originMs) * perMs)
  }

  /** What follows begins at a place of its own, with silence before it. */
  #begin(atMs: number): void {
    const place = this.#placeOf(atMs)
    if (this.#to === 0 || place - this.#to > kept) this.#from = place
    else for (let at = this.#to; at < place; at++) this.#said[at & (kept - 1)] = 0
    this.#to = place
    this.#from = Math.min(this.#from, place)
    this.#endsAtMs = atMs
    this.#saying = new LineToSpeech(this.#format, rate)
  }

  /** Adds the frame to the compared sound, and returns where that ends. */
  #hear(frame: Float32Array, end: number): number {
    if (this.#hearing === null) {
      this.#hearing = resampler(speechRate, rate, lineQuality)
      this.#heard.fill(0)
      this.#given = 0
      this.#came = 0
    }
    const fresh = this.#hearing.add(frame)
    this.#heard.copyWithin(0, fresh.length)
    this.#heard.set(fresh, span - fresh.length)
    this.#given += frame.length
    this.#came += fresh.length
    return end - Math.round((this.#given * rate) / speechRate) + this.#came
  }

  #isCopy(power: number, heardTo: number): boolean {
    for (let at = 0, place = heardTo - span - maxDelay; at < range; at++, place++) {
      said[at] = place >= this.#from && place < this.#to ? (this.#said[place & (kept - 1)] as number) : 0
    }
    const peak = fillPowers()
    const part = this.#beside > 0 ? minPartBeside : minPart
    if (power < part * peak) return true
    const like = this.#beside > 0 ? copiedBeside : copied
    const explains = (copy: number, place: number): boolean => {
      const rest = Math.max(0, power - copy - this.#noise)
      return copy <= maxGain * (powers[place] as number) && (copy >= like * (copy + rest) || rest < part * peak)
    }
    const isEchoAt = (place: number): boolean =>
      explains(likeness(product(this.#heard, place), place), place) || explains(copyPower(this.#heard, place), place)
    if (this.#place !== null && isEchoAt(nearest(this.#heard, this.#place))) return true
    // A person's voice stays one: after a while it is compared with everything that was said in every eighth frame alone.
    if (this.#misses > 8 && this.#misses % 8 !== 0) return false
    const found = search(this.#heard)
    if (!isEchoAt(found)) return false
    this.#place = found
    return true
  }
}

const energy = (sound: ArrayLike<number>, from: number, to: number): number => {
  let sum = 0
  for (let at = from; at < to; at++) sum += (sound[at] as number) ** 2
  return sum
}

/** Fills `powers`, and returns the largest. */
const fillPowers = (): number => {
  let peak = 0
  let sum = energy(said, 0, span)
  for (let at = 0; at < powers.length; at++) {
    powers[at] = Math.max(0, sum)
    peak = Math.max(peak, sum)
    sum += (said[at + span] ?? 0) ** 2 - (said[at] as number) ** 2
  }
  return peak
}

const product = (heard: Float32Array, place: number): number => {
  let sum = 0
  for (let at = 0; at < span; at++) sum += (heard[at] as number) * (said[place + at] ?? 0)
  return sum
}

/** How much of what was heard is like what was said at a place, by the product of both. */
const likeness = (product: number, place: number): number => product ** 2 / ((powers[place] as number) + 1e-6)

/** The place most like what was heard, at most two samples away from this one. */
const nearest = (heard: Float32Array, place: number): number => {
  let [best, found] = [-1, place]
  for (let at = Math.max(0, place - 2); at <= Math.min(powers.length - 1, place + 2); at++) {
    const like = likeness(product(heard, at), at)
    if (like > best) [best, found] = [like, at]
  }
  return found
}

/** The place most like what was heard, of all. The products of all places are one product of two spectra. */
const search = (heard: Float32Array): number => {
  real.fill(0)
  imaginary.fill(0)
  real.set(heard)
  imaginary.set(said)
  fourier.transform(real, imaginary)
  const { size } = fourier
  for (let at = 0; at <= size / 2; at++) {
    const other = (size - at) % size
    const [a, b] = [real[at] as number, imaginary[at] as number]
    const [c, d] = [real[other] as number, imaginary[other] as number]
    // The two spectra, taken apart: of what was heard, and of what was said.
    const [heardR, heardI, saidR, saidI] = [(a + c) / 2, (b - d) / 2, (b + d) / 2, (c - a) / 2]
    const [r, i] = [heardR * saidR + heardI * saidI, heardR * saidI - heardI * saidR]
    real[at] = r
    real[other] = r
    imaginary[at] = i
    imaginary[other] = -i
  }
  fourier.transform(imaginary, real)
  let [best, found] = [-1, 0]
  for (let place = 0; place < powers.length; place++) {
    const like = likeness((real[place] as number) / size, place)
    if (like > best) [best, found] = [like, place]
  }
  return found
}

/** The power of the best copy of what was said around a place: least squares of its shifts. */
const copyPower = (heard: Float32Array, place: number): number => {
  // A later echo begins at an earlier place.
  const first = place + early - taps + 1
  const products = Array.from({ length: taps }, (_, nth) => product(heard, first + nth))
  return solved(shiftProducts(first), products).reduce(
    (sum, weight, nth) => sum + weight * (products[nth] as number),
    0
  )
}

const at = (place: number): number => said[place] ?? 0

/** The products of all shifts with each other, upper half: each but those of the first row differ from one before by their ends alone. */
const shiftProducts = (first: number): ReadonlyArray<Array<number>> => {
  const rows = [Array.from({ length: taps }, (_, nth) => shiftProduct(first, first + nth))]
  for (let row = 1; row < taps; row++) {
    const before = rows[row - 1] as Array<number>
    const leaving = first + row - 1
    const next = new Array<number>(taps).fill(0)
    for (let nth = row; nth < taps; nth++) {
      const shift = nth - row
      next[nth] =
        (before[nth - 1] as number) -
        at(leaving) * at(leaving + shift) +
        at(leaving + span) * at(leaving + span + shift)
    }
    rows.push(next)
  }
  return rows
}

const shiftProduct = (one: number, other: number): number => {
  let sum = 0
  for (let nth = 0; nth < span; nth++) sum += at(one + nth) * at(other + nth)
  return sum
}

/** The weights that solve a symmetric matrix, of which the upper half is given, by elimination. */
const solved = (matrix: ReadonlyArray<Array<number>>, right: ReadonlyArray<number>): ReadonlyArray<number> => {
  const size = right.length
  const scale = 1e-4 * matrix.reduce((sum, row, nth) => sum + (row[nth] as number), 0) + 1e-9
  const rows = matrix.map((_, nth) => [
    ...matrix.map((row, at) => (at < nth ? (row[nth] as number) : (matrix[nth]?.[at] as number))),
    right[nth] as number
  ])
  for (let nth = 0; nth < size; nth++) {
    const pivot = rows[nth] as Array<number>
    pivot[nth] = (pivot[nth] as number) + scale / size
    for (const [below, row] of rows.entries()) {
      if (below <= nth) continue
      const factor = (row[nth] as number) / (pivot[nth] as number)
      for (let at = nth; at <= size; at++) row[at] = (row[at] as number) - factor * (pivot[at] as number)
    }
  }
  const weights = new Array<number>(size).fill(0)
  for (let nth = size - 1; nth >= 0; nth--) {
    const row = rows[nth] as Array<number>
    let rest = row[size] as number
    for (let at = nth + 1; at < size; at++) rest -= (row[at] as number) * (weights[at] as number)
    weights[nth] = rest / (row[nth] as number)
  }
  return weights
}
