/** Reads the form of an upload part by part: its fields in any order, and its file into chunks while it comes. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { afterPoints, type FormFault, FormParser, formSentence } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import type { FileWriter } from "./FileWriter.ts"

/** Fields in the order in which they came. */
export type UploadFields = ReadonlyArray<readonly [name: string, value: string]>

export interface UploadForm {
  readonly fields: UploadFields
  /** Null where the form has none. */
  readonly file: UploadedFile | null
}

interface UploadedFile {
  readonly filename: string
  readonly size: number
  /** SHA-256 of the bytes that were kept, in hex. */
  readonly digest: string
}

/** Maximum number of parts of a form, and maximum size of a text. */
const uploadLimits = { maxParts: 50, maxFieldSize: 65_536 } as const

/**
 * A file that is too large is read to its end all the same, because a client that is still sending does not read an answer.
 * Beyond the limit and these bytes the rest is not read.
 */
const drainedBytes = 256 * 1024 * 1024

const maxFilenameLength = 255

const unreadable = (fault: FormFault = "malformed") =>
  refuse("invalid_request", { message: formSentence(fault, uploadLimits) })

/** Of a file that is larger than `maxBytes` only the size is read on. A second file is ignored. */
export const readUpload = (
  body: Stream.Stream<Uint8Array, unknown>,
  headers: Readonly<Record<string, string>>,
  writer: FileWriter,
  maxBytes: number
): Effect.Effect<UploadForm, InferenceRefused | StorageError> =>
  Effect.suspend(() => {
    const reader = new UploadReader(headers, writer, maxBytes)
    const read = Stream.runForEachArray(
      Stream.mapError(body, () => unreadable()),
      (chunks): Effect.Effect<void, InferenceRefused | StorageError> => {
        const fault = reader.write(chunks)
        // The host is read on when the chunks are written: a slow database slows the client down.
        return fault === undefined ? writer.flush : Effect.fail(fault)
      }
    )
    return Effect.andThen(
      read,
      Effect.suspend(() => reader.end())
    )
  })

class UploadReader {
  readonly #fields: Array<readonly [string, string]> = []
  readonly #parser: FormParser
  readonly #writer: FileWriter
  readonly #maxBytes: number
  #filename: string | undefined
  #size = 0

  constructor(headers: Readonly<Record<string, string>>, writer: FileWriter, maxBytes: number) {
    this.#writer = writer
    this.#maxBytes = maxBytes
    this.#parser = new FormParser(headers, uploadLimits, {
      field: (name, value) => void this.#fields.push([name, value]),
      file: ({ filename, name }) => {
        if (name !== "file" || this.#filename !== undefined) return () => undefined
        this.#filename = filename.slice(0, afterPoints(filename, 0, maxFilenameLength))
        return (piece) => this.#add(piece)
      }
    })
  }

  write(chunks: ReadonlyArray<Uint8Array>): InferenceRefused | undefined {
    for (const chunk of chunks) this.#parser.write(chunk)
    return this.#size > this.#maxBytes + drainedBytes ? tooLarge(this.#maxBytes) : this.#fault()
  }

  end(): Effect.Effect<UploadForm, InferenceRefused | StorageError> {
    this.#parser.end()
    const fault = this.#fault()
    if (fault !== undefined) return Effect.fail(fault)
    const filename = this.#filename
    const fields = this.#fields
    return Effect.map(this.#writer.end, (digest) => ({
      fields,
      file: filename === undefined ? null : { filename, size: this.#size, digest }
    }))
  }

  #fault(): InferenceRefused | undefined {
    const { fault } = this.#parser
    return fault === null ? undefined : unreadable(fault)
  }

  #add(piece: Uint8Array): void {
    this.#size += piece.byteLength
    if (this.#size <= this.#maxBytes) this.#writer.add(piece)
  }
}

export const tooLarge = (maxBytes: number): InferenceRefused =>
  refuse("file_too_large", {
    message: `The file has more than ${maxBytes.toLocaleString("en-US")} bytes.`,
    param: "file"
  })
