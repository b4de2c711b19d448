/** Reads a speech request's form part by part: fields in any order, one file, counted and hashed while it is read. */

import * as Effect from "effect/Effect"
import { FormParser, formSentence, type StreamDigest, sha256Stream } from "../../platform/kernel/index.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import type { Audio } from "../upstreams/SpeechWork.ts"
import { type FormFields, maxUploadBytes } from "./SpeechRequest.ts"
import { UploadBuffer } from "./UploadBuffer.ts"

/** A file of a form. */
export interface Upload {
  /** Without its bytes where it is too large: `size` is how many there were. */
  readonly audio: Audio
  /** SHA-256 of the bytes, in hex, where it was requested. */
  readonly digest: string | null
  /** Frees the memory of the audio, which nobody may read from then on. A second time it does nothing. */
  readonly free: () => void
}

export interface SpeechForm {
  readonly fields: FormFields
  readonly file: Upload | null
}

/** Maximum number of parts of a form, and maximum size of a text. A prompt is the longest of them. */
const formLimits = { maxParts: 200, maxFieldSize: 65_536 } as const

/**
 * A form that is too large is read to its end all the same: its other fields are checked before its size, and a client that
 * is still sending does not read an answer. Beyond this size the rest is not read.
 */
const maxBodyBytes = 4 * maxUploadBytes

/** Of a chunk, as much as is parsed together with the kept end of the one before. */
const joinedBytes = 1024

const unreadable = (message: string) => refuse("invalid_request", { message })

/** Passes each chunk of a body to `onChunk`, until that returns an error. */
export type ReadBody = (
  onChunk: (chunk: Uint8Array, free: () => void) => InferenceRefused | undefined
) => Effect.Effect<void, InferenceRefused>

/**
 * Reads fields and the file; a second file is ignored. The parser is fed directly, since a stream of parts, each a stream of
 * its own, costs a large upload more than everything that is done with it.
 */
export const readForm = (
  read: ReadBody,
  headers: Readonly<Record<string, string>>,
  { hashed }: { readonly hashed: boolean }
): Effect.Effect<SpeechForm, InferenceRefused> =>
  Effect.suspend(() => {
    const form = new FormReader(headers, hashed)
    return Effect.flatMap(
      read((chunk, free) => form.write(chunk, free)),
      () => form.end()
    )
  })

class FormReader {
  readonly #fields: Array<readonly [string, string]> = []
  readonly #parser: FormParser
  #file: FileReader | undefined
  #size = 0
  /** Whether the parser has kept the end of a chunk, since a boundary may begin there. At first it has a line break of its own. */
  #isEndKept = true
  #freeLast = (): void => undefined

  constructor(headers: Readonly<Record<string, string>>, hashed: boolean) {
    this.#parser = new FormParser(headers, formLimits, {
      field: (name, value) => void this.#fields.push([name, value]),
      file: ({ contentType, filename, name }) => {
        if (name !== "file" || this.#file !== undefined) return () => undefined
        // Not every host has checked that it is a number.
        const buffer = new UploadBuffer(Number(headers["content-length"]) || 0)
        const file = new FileReader({ filename, contentType, buffer, digest: hashed ? sha256Stream() : null })
        this.#file = file
        return (piece) => file.add(piece)
      }
    })
  }

  write(chunk: Uint8Array, free: () => void): InferenceRefused | undefined {
    const { byteLength } = chunk
    const before = this.#file?.size ?? 0
    // The parser copies what it gets behind the end that it has kept: then the rest comes by itself.
    const joined = this.#isEndKept ? Math.min(joinedBytes, byteLength) : 0
    if (joined > 0) this.#parser.write(chunk.subarray(0, joined))
    if (joined < byteLength) this.#parser.write(chunk.subarray(joined))
    this.#isEndKept = this.#file?.hasEndOf(chunk) !== true
    // While the file goes on, earlier fields are decoded and nothing is left of the chunk before; of this one the end may be kept.
    if ((this.#file?.size ?? 0) > before) this.#freeLast()
    this.#freeLast = free
    this.#size += byteLength
    return this.#size > maxBodyBytes ? refuse("file_too_large", { message: tooLarge }) : this.#fault()
  }

  end(): Effect.Effect<SpeechForm, InferenceRefused> {
    this.#parser.end()
    this.#freeLast()
    const fault = this.#fault()
    return fault === undefined
      ? Effect.succeed({ fields: this.#fields, file: this.#file?.end() ?? null })
      : Effect.fail(fault)
  }

  #fault(): InferenceRefused | undefined {
    const { fault } = this.#parser
    return fault === null ? undefined : unreadable(formSentence(fault, formLimits))
  }
}

export const tooLarge = `The file has more than ${maxUploadBytes.toLocaleString("en-US")} bytes (25 MiB).`

/** The client went away, or what it sent is no body. */
export const brokenOff = (): InferenceRefused => unreadable(formSentence("malformed", formLimits))

interface FileSettings {
  readonly filename: string
  readonly contentType: string
  readonly buffer: UploadBuffer
  readonly digest: StreamDigest | null
}

/** Collects a file, and no more of it than any model accepts. */
class FileReader {
  readonly #settings: FileSettings
  #size = 0
  #last: Uint8Array = new Uint8Array(0)

  constructor(settings: FileSettings) {
    this.#settings = settings
  }

  get size(): number {
    return this.#size
  }

  /** Whether the last piece is the end of this chunk, and no copy of it. */
  hasEndOf({ buffer, byteLength, byteOffset }: Uint8Array): boolean {
    return this.#last.buffer === buffer && this.#last.byteOffset + this.#last.byteLength === byteOffset + byteLength
  }

  add(piece: Uint8Array): void {
    const { buffer, digest } = this.#settings
    this.#last = piece
    this.#size += piece.byteLength
    if (this.#size > maxUploadBytes) buffer.free()
    else buffer.add(piece)
    digest?.update(piece)
  }

  end(): Upload {
    const { buffer, contentType, digest, filename } = this.#settings
    return {
      audio: { chunks: buffer.end(), size: this.#size, fileName: filename, contentType },
      digest: digest?.end() ?? null,
      free: () => buffer.free()
    }
  }
}
