/** Brings a stream of samples to another rate, piece by piece, at a cost that a live call does not notice. Pure. */

/** Zero crossings of the filter on each side: what would fold back is 50 dB down. */
const lobes = 8
/** Of the lower Nyquist frequency. */
const passed = 0.9

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

interface Filter {
  /** Samples on each side that have a part in one that comes out. */
  readonly reach: number
  /** Places between two samples at which one may come out. */
  readonly phases: number
  /** Weights of `2 * reach` samples for each place. */
  readonly weights: Float32Array
}

const weightAt = (x: number): number => {
  if (Math.abs(x) >= lobes) return 0
  const window = 0.42 + 0.5 * Math.cos((Math.PI * x) / lobes) + 0.08 * Math.cos((2 * Math.PI * x) / lobes)
  return x === 0 ? 1 : (Math.sin(Math.PI * x) / (Math.PI * x)) * window
}

const makeFilter = (from: number, to: number): Filter => {
  const phases = to / divisor(from, to)
  const cutoff = passed * Math.min(1, to / from)
  const reach = Math.ceil(lobes / cutoff)
  const weights = new Float32Array(phases * 2 * reach)
  for (let phase = 0; phase < phases; phase++) {
    for (let tap = 0; tap < 2 * reach; tap++) {
      weights[phase * 2 * reach + tap] = weightAt((tap - reach + 1 - phase / phases) * cutoff) * cutoff
    }
  }
  return { reach, phases, weights }
}

/** All streams of a pair of rates share one. */
const filters = new Map<string, Filter>()

const filterOf = (from: number, to: number): Filter => {
  const name = `${from} ${to}`
  const known = filters.get(name)
  if (known !== undefined) return known
  const fresh = makeFilter(from, to)
  filters.set(name, fresh)
  return fresh
}

const clipped = (value: number): number => (value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value)

export class RateConverter {
  readonly #filter: Filter | null
  readonly #step: number
  /** The last samples, with silence before the first one. */
  #kept: Int16Array
  /** Where the next sample comes out, in samples from the beginning of `kept` and in places between them. */
  #at: number
  #phase = 0

  /** Both are samples a second. */
  constructor(from: number, to: number) {
    this.#filter = from === to ? null : filterOf(from, to)
    this.#step = from / divisor(from, to)
    const reach = this.#filter?.reach ?? 0
    this.#kept = new Int16Array(Math.max(0, reach - 1))
    this.#at = Math.max(0, reach - 1)
  }

  /** The samples that are known now; the others follow with the next piece. */
  add(piece: Int16Array): Int16Array {
    if (this.#filter === null) return piece
    const { phases, reach } = this.#filter
    const known = new Int16Array(this.#kept.length + piece.length)
    known.set(this.#kept)
    known.set(piece, this.#kept.length)
    const last = known.length - reach - 1
    const out = new Int16Array(
      last < this.#at ? 0 : Math.floor(((last - this.#at + 1) * phases - 1 - this.#phase) / this.#step) + 1
    )
    for (let n = 0; n < out.length; n++) {
      out[n] = this.#sampleAt(known)
      this.#phase += this.#step
      this.#at += Math.floor(this.#phase / phases)
      this.#phase %= phases
    }
    const from = Math.min(known.length, Math.max(0, this.#at - reach + 1))
    this.#kept = known.slice(from)
    this.#at -= from
    return out
  }

  /** The rest, as if silence followed. */
  end(): Int16Array {
    return this.#filter === null ? new Int16Array(0) : this.add(new Int16Array(this.#filter.reach))
  }

  #sampleAt(known: Int16Array): number {
    const { reach, weights } = this.#filter as Filter
    const first = this.#at - reach + 1
    const row = this.#phase * 2 * reach
    let sum = 0
    for (let tap = 0; tap < 2 * reach; tap++) sum += (known[first + tap] as number) * (weights[row + tap] as number)
    return clipped(Math.round(sum))
  }
}
