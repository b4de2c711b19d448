/** Vectors in Base64, as an upstream has written them. Source: docs/reference/upstreams.md#embeddings. */
import { endianness } from "node:os"
import type { WrittenVector } from "@trunkline/core/provider"

/**
 * Finite 32-bit floats, little-endian, from Base64; undefined for any other text. Signs that are no Base64 are passed over, and shorten
 * it. `roomOf`: where they are decoded.
 */
export const floatsOf = (
  base64: string,
  roomOf = (size: number) => Buffer.from(new ArrayBuffer(size))
): Float32Array | undefined => {
  const signs = base64.length - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0)
  const size = Math.floor((signs * 3) / 4)
  if (size === 0 || size % 4 !== 0) return undefined
  const bytes = roomOf(size)
  if (bytes.write(base64, "base64") !== size) return undefined
  if (endianness() === "BE") bytes.swap32()
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset, size / 4)
  return areFinite(floats) ? floats : undefined
}

/** Bits of a 32-bit float that are all set where it is infinite or no number. */
const exponent = 0x7f_80_00_00

/** By their bits, in a loop: an answer has hundreds of thousands of floats. */
const areFinite = ({ buffer, byteOffset, length }: Float32Array): boolean => {
  const bits = new Int32Array(buffer, byteOffset, length)
  for (let at = 0; at < length; at++) if ((bits[at]! & exponent) === exponent) return false
  return true
}

/** Signs of a text that is looked at here. A shorter one costs as little where it is parsed, and no model has a longer vector. */
const [minSigns, maxSigns] = [128, 128 * 1024]

/** Every vector is decoded into it to be checked, and no longer needed there afterwards: memory of its own costs more than the check. */
const scratch = Buffer.alloc((maxSigns * 3) / 4)

/** A text as a vector of finite numbers, where it is one in standard Base64. */
const writtenVector = (base64: Uint8Array): WrittenVector | undefined => {
  if (base64.length > maxSigns || base64.length % 4 !== 0) return undefined
  const text = textOf(base64)
  // The two signs of the other alphabet, which a buffer decodes too.
  if (text.includes("-") || text.includes("_")) return undefined
  const floats = floatsOf(text, (size) => scratch.subarray(0, size))
  if (floats === undefined) return undefined
  return { length: floats.length, base64, decode: () => floatsOf(textOf(base64))! }
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")

const [quote, backslash] = [34, 92]

/** What stands in the place of a vector begins with it. It is no sign of Base64. */
const mark = "#"
const markByte = mark.charCodeAt(0)

/** An answer without its vectors. */
export interface Extracted {
  /** The JSON that is left: each vector has become a short text. */
  readonly rest: Uint8Array
  /** The vector that has become a text; undefined for every other text. */
  readonly vectorOf: (text: string) => WrittenVector | undefined
}

/**
 * Takes the vectors out of an answer while it comes: every text that is Base64 of finite floats, wherever it stands. All else is left
 * to a parser of JSON, and decides there whether it is an answer at all, so that nothing is passed on that was not checked. The bytes
 * of a vector are those that came; only one that comes in two chunks is copied.
 */
export class VectorExtractor {
  readonly #rest: Array<Uint8Array> = []
  readonly #vectors: Array<WrittenVector> = []
  /** Pieces of a text that earlier chunks began; null outside of texts. */
  #begun: Array<Uint8Array> | null = null
  #isClear = true

  write(chunk: Uint8Array): void {
    /** From here on the rest has nothing of the chunk. */
    let kept = 0
    let from = 0
    let isInText = this.#begun !== null
    for (let to = chunk.indexOf(quote); to !== -1; to = chunk.indexOf(quote, from)) {
      if (isInText) kept = this.#endText(chunk, { kept, from, to })
      isInText = !isInText
      from = to + 1
    }
    if (!isInText) this.#rest.push(chunk.subarray(kept))
    else if (this.#begun === null) {
      this.#rest.push(chunk.subarray(kept, from))
      this.#begun = [chunk.subarray(from)]
    } else this.#begun.push(chunk)
  }

  /** Null where a text could be mistaken for the place of a vector, or ends with an escape: then the whole answer is to be parsed. */
  end(): Extracted | null {
    if (!this.#isClear) return null
    const vectors = this.#vectors
    return {
      // Of a text that does not end the quote is left, which is no JSON.
      rest: Buffer.concat(this.#rest),
      vectorOf: (text) => (text.startsWith(mark) ? vectors[Number(text.slice(mark.length))] : undefined)
    }
  }

  /** Returns from where on nothing of the chunk is in what is left. */
  #endText(chunk: Uint8Array, { from, kept, to }: Record<"from" | "kept" | "to", number>): number {
    const begun = this.#begun
    this.#begun = null
    const text = begun === null ? chunk.subarray(from, to) : Buffer.concat([...begun, chunk.subarray(0, to)])
    if (text[0] === markByte || text[0] === backslash || text[text.length - 1] === backslash) this.#isClear = false
    const vector = text.length < minSigns ? undefined : writtenVector(text)
    if (vector === undefined) {
      if (begun === null) return kept
      this.#rest.push(text)
      return to
    }
    if (begun === null) this.#rest.push(chunk.subarray(kept, from))
    this.#rest.push(Buffer.from(mark + this.#vectors.length))
    this.#vectors.push(vector)
    return to
  }
}
