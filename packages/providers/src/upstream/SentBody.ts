/**
 * A body on its way to an upstream. Its memory is freed as it goes: the collector would find that much too late, since what
 * an upload takes is outside its own heap, and would walk that heap for every twenty uploads.
 */
import type { Socket } from "node:net"
import { freeBytes } from "@trunkline/core/effect"
import type { Body } from "./Multipart.ts"

/** A connection of one client, as far as there is one at the moment. */
export interface Line {
  socket: Socket | null
}

export class SentBody implements Iterable<Uint8Array> {
  readonly #body: Body
  /** Which line it is sent on: known once it is. */
  line: Line | null = null
  /** The line's connection when the sending began: it may have another one later. */
  #socket: Socket | null = null
  /** Parts that were handed over to the line, and those of them that were freed. */
  #sent = 0
  #freed = 0

  constructor(body: Body) {
    this.#body = body
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    this.#socket = this.line?.socket ?? null
    for (const chunk of this.#body.chunks) {
      yield chunk
      this.#sent += 1
      this.free()
    }
  }

  /** Frees what was handed over, unless some of it may still be read: by the system, from memory that it was told of. */
  free(): void {
    if (!this.#body.mayFree || this.#socket?.writableLength !== 0) return
    for (; this.#freed < this.#sent; this.#freed++) freeBytes(this.#body.chunks[this.#freed]!)
  }
}
