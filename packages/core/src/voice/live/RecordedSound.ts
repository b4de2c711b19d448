/** The recording of a conversation: the caller on the left, the agent on the right, in the time in which both were heard. Pure. */
import { LineToSpeech, type SoundFormat } from "../../platform/audio/index.ts"

/** Silence that is written at once where nothing was received. */
const maxGapMs = 10_000

/** Joins both sides, and hands on the samples that are complete. */
export class RecordedSound {
  readonly #rate: number
  readonly #caller: LineToSpeech
  readonly #agent: LineToSpeech
  readonly #write: (samples: Int16Array) => void
  readonly #from: number
  /** Samples that were handed on. */
  #written = 0
  #left: Array<Int16Array> = []
  #leftCount = 0
  /** What the agent says, by the sample at which it is heard. */
  #right: Array<{ readonly at: number; readonly samples: Int16Array }> = []

  /** `from`: the instant of the first sample. Samples are 16-bit, caller and agent in turn. */
  constructor(of: {
    readonly input: SoundFormat
    readonly output: SoundFormat
    readonly from: number
    readonly write: (samples: Int16Array) => void
  }) {
    this.#rate = of.input.sampleRate
    this.#caller = new LineToSpeech(of.input, this.#rate)
    this.#agent = new LineToSpeech(of.output, this.#rate)
    this.#write = of.write
    this.#from = of.from
  }

  /** Sound of the caller that has come by now. */
  caller(bytes: Uint8Array, now: number): void {
    const samples = this.#caller.add(bytes)
    const known = this.#written + this.#leftCount
    const due = Math.round(((now - this.#from) * this.#rate) / 1000) - samples.length
    const gap = Math.min(due - known, (maxGapMs * this.#rate) / 1000)
    // A client that sends nothing while it is silent; less is the jitter of a line.
    if (gap > this.#rate / 5) this.#add(new Int16Array(gap))
    this.#add(samples)
    this.#flush(false)
  }

  agent(bytes: Uint8Array, heardFrom: number): void {
    const samples = this.#agent.add(bytes)
    const at = Math.max(this.#end, Math.round(((heardFrom - this.#from) * this.#rate) / 1000))
    this.#right.push({ at, samples })
  }

  /** What the agent had sent and nobody has heard is no part of it. */
  cut(now: number): void {
    const end = Math.round(((now - this.#from) * this.#rate) / 1000)
    this.#right = this.#right.flatMap(({ at, samples }) =>
      at >= end ? [] : [{ at, samples: samples.subarray(0, end - at) }]
    )
  }

  /** Hands on everything. */
  end(): void {
    const rest = this.#end - this.#written - this.#leftCount
    if (rest > 0) this.#add(new Int16Array(rest))
    this.#flush(true)
  }

  get #end(): number {
    const last = this.#right.at(-1)
    return last === undefined ? this.#written : last.at + last.samples.length
  }

  #add(samples: Int16Array): void {
    this.#left.push(samples)
    this.#leftCount += samples.length
  }

  /** A second is kept back: the agent may still be cut off. */
  #flush(isAll: boolean): void {
    const count = isAll ? this.#leftCount : this.#leftCount - this.#rate
    if (count <= 0 || (!isAll && count < this.#rate / 2)) return
    const both = new Int16Array(2 * count)
    this.#fillLeft(both, count)
    for (const { at, samples } of this.#right) {
      for (let n = 0; n < samples.length; n++) {
        const place = at + n - this.#written
        if (place >= 0 && place < count) both[2 * place + 1] = samples[n] as number
      }
    }
    this.#written += count
    this.#right = this.#right.filter(({ at, samples }) => at + samples.length > this.#written)
    this.#write(both)
  }

  #fillLeft(both: Int16Array, count: number): void {
    let filled = 0
    while (filled < count) {
      const first = this.#left.shift()
      if (first === undefined) break
      const part = first.subarray(0, count - filled)
      for (let n = 0; n < part.length; n++) both[2 * (filled + n)] = part[n] as number
      filled += part.length
      if (part.length < first.length) this.#left.unshift(first.subarray(part.length))
    }
    this.#leftCount -= filled
  }
}
