/** Cuts the bytes of a file into chunks as they come, counts and hashes them. In memory are one chunk and what was added since the last write. */
import * as Effect from "effect/Effect"
import { type StreamDigest, sha256Stream } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import type * as Ids from "../GatewayIds.ts"
import type { FileChunk } from "./FileStore.ts"

/** Bytes of a chunk: small enough for one row, large enough that a file has few of them. */
export const chunkBytes = 256 * 1024

export class FileWriter {
  readonly id: Ids.FileId
  readonly #add: (chunk: FileChunk) => Effect.Effect<void, StorageError>
  readonly #digest: StreamDigest = sha256Stream()
  #waiting: Array<FileChunk> = []
  #block: Uint8Array = new Uint8Array(chunkBytes)
  #filled = 0
  #chunks = 0
  #size = 0
  /** Set when the file has been committed; otherwise its bytes are removed. */
  isKept = false
  /** Why the bytes are not kept; the digest is made all the same, by which a repeated upload is known. */
  refused: InferenceRefused | null = null

  constructor(id: Ids.FileId, add: (chunk: FileChunk) => Effect.Effect<void, StorageError>) {
    this.id = id
    this.#add = add
  }

  get size(): number {
    return this.#size
  }

  /** Copies bytes to the end. */
  add(bytes: Uint8Array): void {
    this.#digest.update(bytes)
    this.#size += bytes.byteLength
    for (let from = 0; from < bytes.byteLength; ) {
      const part = bytes.subarray(from, from + chunkBytes - this.#filled)
      this.#block.set(part, this.#filled)
      this.#filled += part.byteLength
      from += part.byteLength
      if (this.#filled === chunkBytes) this.#close()
    }
  }

  /** Writes the chunks that are full. */
  readonly flush: Effect.Effect<void, StorageError> = Effect.suspend(() => {
    const chunks = this.#waiting
    this.#waiting = []
    return Effect.forEach(chunks, this.#add, { discard: true })
  })

  /** Writes all that is left; returns the digest in hex. Nothing may be added from then on. */
  readonly end: Effect.Effect<string, StorageError> = Effect.suspend(() => {
    if (this.#filled > 0) this.#close()
    return Effect.as(this.flush, this.#digest.end())
  })

  #close(): void {
    this.#waiting.push({ fileId: this.id, n: this.#chunks, chunk: this.#block.subarray(0, this.#filled) })
    this.#chunks += 1
    this.#block = new Uint8Array(chunkBytes)
    this.#filled = 0
  }
}
