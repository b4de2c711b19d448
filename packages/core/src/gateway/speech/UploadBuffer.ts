/**
 * The bytes of one upload, copied into large blocks: the chunks in which they come are then free for the next ones, so that memory
 * stays in the processor's caches, and a block is sent in one step. Source: docs/choices.md#inference-gateway.
 */
import { unfilledBytes } from "../../platform/kernel/index.ts"

const maxBlockBytes = 1024 * 1024
const minBlockBytes = 4096

export class UploadBuffer {
  #blocks: Array<Uint8Array<ArrayBuffer>> = []
  /** Bytes of the last block that are filled. */
  #filled = 0
  #expectedBytes: number

  /** `expectedBytes`: about how many bytes will come. */
  constructor(expectedBytes: number) {
    this.#expectedBytes = expectedBytes
  }

  /** The bytes in their order. Nothing may be added any more. */
  end(): ReadonlyArray<Uint8Array> {
    // The rest of the last block is memory of the process, which an upstream could read behind its chunk.
    this.#blocks.at(-1)?.fill(0, this.#filled)
    return this.#blocks.map((block, nth) => (nth === this.#blocks.length - 1 ? block.subarray(0, this.#filled) : block))
  }

  /** Copies a piece to the end. */
  add(piece: Uint8Array): void {
    for (let from = 0; from < piece.byteLength; ) {
      const block = this.#blockWithRoom()
      const part = piece.subarray(from, from + block.byteLength - this.#filled)
      block.set(part, this.#filled)
      this.#filled += part.byteLength
      from += part.byteLength
    }
  }

  /** Frees the memory at once: left to the garbage collector, it causes a full collection every few uploads. Nobody may read the chunks any more. */
  free(): void {
    for (const { buffer } of this.#blocks) buffer.transfer(0)
    this.#blocks = []
  }

  #blockWithRoom(): Uint8Array {
    const last = this.#blocks.at(-1)
    if (last !== undefined && this.#filled < last.byteLength) return last
    const block = unfilledBytes(Math.min(maxBlockBytes, Math.max(minBlockBytes, this.#expectedBytes)))
    this.#expectedBytes -= block.byteLength
    this.#blocks.push(block)
    this.#filled = 0
    return block
  }
}
