/** Reads the form of an upload part by part: its fields in any order, and its file into chunks while it comes. */
import * as Effect from "effect/Effect"
import * as MultipartParser from "effect/http/MultipartParser"
import * as Stream from "effect/Stream"
import { type InferenceRefused, refuse } from "../inference/index.ts"
import type { StorageError } from "../storage/index.ts"
import type { FileWriter } from "./FileWriter.ts"

/** Fields in the order in which they came. */
export type UploadFields = ReadonlyArray<readonly [name: string, value: string]>

export interface UploadForm {
  readonly fields: UploadFields
  /** Null where the form has none. */
  readonly file: UploadedFile | null
}

export interface UploadedFile {
  readonly filename: string
  readonly size: number
  /** SHA-256 of the bytes that were kept, in hex. */
  readonly digest: string
}

/** Maximum number of parts of a form, and maximum size of a text. */
export const uploadLimits = { maxParts: 50, maxFieldSize: 65_536 } as const

/**
 * A file that is too large is read to its end all the same, because a client that is still sending does not read an answer.
 * Beyond the limit and these bytes the rest is not read.
 */
const drainedBytes = 256 * 1024 * 1024

const maxFilenameLength = 255

const malformed = "The form could not be read: it is not valid multipart/form-data."

const unreadable = (message = malformed) => refuse("invalid_request", { message })

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
  readonly #parser: MultipartParser.Parser
  readonly #writer: FileWriter
  readonly #maxBytes: number
  #filename: string | undefined
  #fault: InferenceRefused | undefined
  #size = 0

  constructor(headers: Readonly<Record<string, string>>, writer: FileWriter, maxBytes: number) {
    this.#writer = writer
    this.#maxBytes = maxBytes
    this.#parser = MultipartParser.make({
      ...uploadLimits,
      headers,
      onField: (info, value) => void this.#fields.push([info.name, MultipartParser.decodeField(info, value)]),
      onFile: ({ filename = "", name }) => {
        if (name !== "file" || this.#filename !== undefined) return () => undefined
        this.#filename = [...filename].slice(0, maxFilenameLength).join("")
        return (piece) => {
          if (piece !== null) this.#add(piece)
        }
      },
      onError: (error) => {
        this.#fault ??= unreadable(sentenceOf(error))
      },
      onDone: () => undefined
    })
  }

  write(chunks: ReadonlyArray<Uint8Array>): InferenceRefused | undefined {
    for (const chunk of chunks) this.#parser.write(chunk)
    return this.#size > this.#maxBytes + drainedBytes ? tooLarge(this.#maxBytes) : this.#fault
  }

  end(): Effect.Effect<UploadForm, InferenceRefused | StorageError> {
    this.#parser.end()
    if (this.#fault !== undefined) return Effect.fail(this.#fault)
    const filename = this.#filename
    const fields = this.#fields
    return Effect.map(this.#writer.end, (digest) => ({
      fields,
      file: filename === undefined ? null : { filename, size: this.#size, digest }
    }))
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

const sentenceOf = (error: MultipartParser.MultipartError): string => {
  if (error._tag !== "ReachedLimit") return malformed
  switch (error.limit) {
    case "MaxFieldSize":
      return `A field of the form has more than ${uploadLimits.maxFieldSize} bytes.`
    case "MaxParts":
      return `The form has more than ${uploadLimits.maxParts} fields.`
    default:
      return malformed
  }
}
