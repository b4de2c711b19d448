/** Reads anywhere in bytes that came in parts, without joining them. Pure. */
export class ChunkBytes {
  readonly size: number
  readonly #chunks: ReadonlyArray<Uint8Array>
  /** Where each part begins. */
  readonly #starts: ReadonlyArray<number>
  /** The part that was read last: readers mostly go on from where they were. */
  #at = 0

  constructor(chunks: ReadonlyArray<Uint8Array>) {
    const starts: Array<number> = []
    let size = 0
    for (const chunk of chunks) {
      starts.push(size)
      size += chunk.byteLength
    }
    this.#chunks = chunks
    this.#starts = starts
    this.size = size
  }

  /** The bytes from `start` up to `end`, or to the last one: a view where one part has them all, a copy otherwise. */
  slice(start: number, end: number): Uint8Array {
    const stop = Math.min(end, this.size)
    if (start >= stop) return new Uint8Array(0)
    this.#seek(start)
    const first = this.#chunks[this.#at]!
    const from = start - this.#starts[this.#at]!
    if (from + (stop - start) <= first.byteLength) return first.subarray(from, from + (stop - start))
    const joined = new Uint8Array(stop - start)
    let filled = 0
    for (let at = this.#at, skip = from; filled < joined.byteLength; at++, skip = 0) {
      const chunk = this.#chunks[at]!
      const taken = chunk.subarray(skip, skip + joined.byteLength - filled)
      joined.set(taken, filled)
      filled += taken.byteLength
    }
    return joined
  }

  /** Finds the part that has the byte at `position`, which is one of those that are there. */
  #seek(position: number): void {
    const starts = this.#starts
    const isIn = (at: number) => starts[at]! <= position && position < starts[at]! + this.#chunks[at]!.byteLength
    if (isIn(this.#at)) return
    if (this.#at + 1 < starts.length && isIn(this.#at + 1)) {
      this.#at += 1
      return
    }
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (starts[middle]! <= position) low = middle
      else high = middle - 1
    }
    this.#at = low
  }
}
