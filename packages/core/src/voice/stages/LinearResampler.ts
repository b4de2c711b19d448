/** Brings sound that comes in pieces to another rate, between its samples in straight lines. Pure but for its own state. */
export class LinearResampler {
  readonly #step: number
  /** Where the next sample lies, counted from the first of the next piece. */
  #position = 0
  #last = 0

  constructor(from: number, to: number) {
    this.#step = from / to
  }

  push(samples: Int16Array): Int16Array {
    const at = (nth: number) => (nth < 0 ? this.#last : (samples[nth] ?? 0))
    const out: Array<number> = []
    for (; this.#position <= samples.length - 1; this.#position += this.#step) {
      const before = Math.floor(this.#position)
      const part = this.#position - before
      out.push(at(before) * (1 - part) + (part === 0 ? 0 : at(before + 1) * part))
    }
    this.#position -= samples.length
    this.#last = samples[samples.length - 1] ?? this.#last
    return Int16Array.from(out, Math.round)
  }
}
