/** The body of a response, up to a limit. */
export class BoundedBody {
  readonly #maxBytes: number
  readonly #chunks: Array<Uint8Array> = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** False where the body is too large: then the chunk is left out. */
  add(chunk: Uint8Array): boolean {
    this.#size += chunk.length
    const fits = this.#size <= this.#maxBytes
    if (fits) this.#chunks.push(chunk)
    return fits
  }

  get chunks(): ReadonlyArray<Uint8Array> {
    return this.#chunks
  }

  /** In one piece, which is made where it is read. */
  get bytes(): Uint8Array {
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
  }
}
