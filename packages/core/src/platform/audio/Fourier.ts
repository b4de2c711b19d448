/** The Fourier transform of a fixed size, in place. Pure. */
export class Fourier {
  readonly size: number
  readonly #cosine: Float64Array
  readonly #sine: Float64Array
  /** Where each value stands before the first step: its number with the bits reversed. */
  readonly #reversed: Uint32Array

  /** `size` is a power of two. */
  constructor(size: number) {
    const bits = Math.log2(size)
    this.size = size
    this.#cosine = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size))
    this.#sine = Float64Array.from({ length: size / 2 }, (_, at) => Math.sin((2 * Math.PI * at) / size))
    this.#reversed = Uint32Array.from({ length: size }, (_, at) => {
      let reversed = 0
      for (let bit = 0; bit < bits; bit++) reversed |= ((at >> bit) & 1) << (bits - 1 - bit)
      return reversed
    })
  }

  /** Transforms `real + i imaginary`. The way back is the same with both exchanged, divided by the size. */
  transform(real: Float64Array, imaginary: Float64Array): void {
    for (let at = 0; at < this.size; at++) {
      const other = this.#reversed[at] as number
      if (other <= at) continue
      const [r, i] = [real[at] as number, imaginary[at] as number]
      real[at] = real[other] as number
      imaginary[at] = imaginary[other] as number
      real[other] = r
      imaginary[other] = i
    }
    for (let half = 1; half < this.size; half *= 2) this.#step(real, imaginary, half)
  }

  /** Joins transforms of `half` values into transforms of twice as many. */
  #step(real: Float64Array, imaginary: Float64Array, half: number): void {
    const stride = this.size / (2 * half)
    for (let from = 0; from < this.size; from += 2 * half) {
      for (let nth = 0; nth < half; nth++) {
        const [low, high] = [from + nth, from + nth + half]
        const cosine = this.#cosine[nth * stride] as number
        const sine = this.#sine[nth * stride] as number
        const r = (real[high] as number) * cosine + (imaginary[high] as number) * sine
        const i = (imaginary[high] as number) * cosine - (real[high] as number) * sine
        real[high] = (real[low] as number) - r
        imaginary[high] = (imaginary[low] as number) - i
        real[low] = (real[low] as number) + r
        imaginary[low] = (imaginary[low] as number) + i
      }
    }
  }
}
