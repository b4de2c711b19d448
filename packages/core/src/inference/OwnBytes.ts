/**
 * Memory of bytes that pass through. What a buffer takes stands outside the collector's heap; left to it, it is found late, and
 * each look walks all of that heap. So what is ours is given back as soon as it is of no use. Pure but for that.
 */

/** Gives back the memory of bytes that are alone in their buffer and that nobody will look at again: they are empty afterwards. */
export const freeBytes = ({ buffer }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** A block of this size is sent in one piece, and a file of a megabyte is one block. */
const largestBlock = 1024 * 1024
const smallestBlock = 64 * 1024

/** Collects bytes in blocks of its own. */
export class OwnBytes {
  #blocks: Array<Uint8Array> = []
  /** Of the last block. */
  #used = 0

  /** Copies bytes; of them and what follows, `expected` are announced. */
  take(bytes: Uint8Array, expected: number): void {
    for (let from = 0; from < bytes.byteLength; ) {
      let block = this.#blocks.at(-1)
      if (block === undefined || this.#used === block.byteLength) {
        const wanted = Math.max(smallestBlock, expected - from)
        block = new Uint8Array(Math.min(largestBlock, wanted))
        this.#blocks.push(block)
        this.#used = 0
      }
      const piece = bytes.subarray(from, from + block.byteLength - this.#used)
      block.set(piece, this.#used)
      this.#used += piece.byteLength
      from += piece.byteLength
    }
  }

  /** Forgets everything. */
  clear(): void {
    for (const block of this.#blocks) freeBytes(block)
    this.#blocks = []
    this.#used = 0
  }

  /** The bytes in their order, each part alone in its buffer. */
  parts(): ReadonlyArray<Uint8Array> {
    return this.#blocks.map((block, nth) => (nth === this.#blocks.length - 1 ? block.subarray(0, this.#used) : block))
  }
}
