/** Reads a speech request's form part by part: fields in any order, one file, counted and hashed while it is read. */
import * as Effect from "effect/Effect"
import * as MultipartParser from "effect/http/MultipartParser"
import { type Digest, digest } from "./Fingerprint.ts"
import { type InferenceRefused, refuse } from "./InferenceErrors.ts"
import { freeBytes, OwnBytes } from "./OwnBytes.ts"
import { type FormFields, mostBytes } from "./SpeechRequest.ts"
import type { Audio } from "./Upstream.ts"

/** The file as far as it was kept. */
export interface Upload {
  /** Without its bytes where it has too many: `size` tells how many there were. */
  readonly audio: Audio
  /** SHA-256 of the bytes, in hex, where it was asked for. */
  readonly digest: string | null
}

export interface SpeechForm {
  readonly fields: FormFields
  readonly file: Upload | null
}

/** Of a form: its parts, and bytes of each text. A prompt is the longest of them. */
export const formLimits = { maxParts: 200, maxFieldSize: 65_536 } as const

/**
 * A form that is too large is read to its end all the same: its other fields are judged before its size, and a client that
 * is still sending does not hear an answer. What is larger than this is not waited for.
 */
const mostRead = 4 * mostBytes

const unreadable = (message: string) => refuse("invalid_request", { message })

/** Passes on each chunk of a body as it comes, until `take` has an error. `isOurs`: nobody else has it. */
export type ReadBody = (
  take: (chunk: Uint8Array, isOurs: boolean) => InferenceRefused | undefined
) => Effect.Effect<void, InferenceRefused>

/**
 * The file's bytes are copied into blocks of our own, and no more of them than any model takes; the chunk that they came in is
 * given back at once. A second file is passed over. The parser is fed by hand: a stream of parts, each a stream of its own, is
 * work for nothing.
 */
export const readForm = (
  read: ReadBody,
  headers: Readonly<Record<string, string>>,
  hashed: boolean
): Effect.Effect<SpeechForm, InferenceRefused> =>
  Effect.suspend(() => {
    const fields: Array<readonly [string, string]> = []
    let file: Reception | undefined
    let fault: InferenceRefused | undefined
    let size = 0
    const announced = Number(headers["content-length"] ?? 0)
    /** The chunk that is being parsed, and how much of it went to a file: the parser keeps what is left of it. */
    let chunkBuffer: ArrayBufferLike | undefined
    let passedOn = 0
    const parser = MultipartParser.make({
      ...formLimits,
      headers,
      onField: (info, value) => void fields.push([info.name, MultipartParser.decodeField(info, value)]),
      onFile: ({ contentType, filename = "", name }) => {
        const reception =
          name === "file" && file === undefined
            ? new Reception(filename, contentType, hashed ? digest() : null)
            : undefined
        file ??= reception
        return (piece) => {
          if (piece === null) return
          if (piece.buffer === chunkBuffer) passedOn += piece.byteLength
          reception?.take(piece, announced - size)
        }
      },
      onError: (error) => {
        fault ??= unreadable(sentenceOf(error))
      },
      onDone: () => undefined
    })
    const whole = read((chunk, isOurs) => {
      const { buffer, byteLength } = chunk
      chunkBuffer = buffer
      passedOn = 0
      parser.write(chunk)
      size += byteLength
      if (isOurs && passedOn === buffer.byteLength) freeBytes(chunk)
      return size > mostRead ? refuse("file_too_large", { message: tooLarge }) : fault
    })
    return Effect.flatMap(whole, () => {
      parser.end()
      return fault === undefined ? Effect.succeed({ fields, file: file?.end() ?? null }) : Effect.fail(fault)
    })
  })

export const tooLarge = `The file has more than ${mostBytes.toLocaleString("en-US")} bytes (25 MiB).`

/** The client went away, or what it sent is no body. */
export const brokenOff = (): InferenceRefused => unreadable(malformed)

const malformed = "The form could not be read: it is not valid multipart/form-data."

const sentenceOf = (error: MultipartParser.MultipartError): string => {
  if (error._tag !== "ReachedLimit") return malformed
  switch (error.limit) {
    case "MaxFieldSize":
      return `A field of the form has more than ${formLimits.maxFieldSize} bytes.`
    case "MaxParts":
      return `The form has more than ${formLimits.maxParts} fields.`
    default:
      return malformed
  }
}

/** A file that is being received. */
class Reception {
  readonly #fileName: string
  readonly #contentType: string
  readonly #digest: Digest | null
  readonly #bytes = new OwnBytes()
  #size = 0

  constructor(fileName: string, contentType: string, digest: Digest | null) {
    this.#fileName = fileName
    this.#contentType = contentType
    this.#digest = digest
  }

  take(piece: Uint8Array, expected: number): void {
    this.#size += piece.byteLength
    if (this.#size > mostBytes) this.#bytes.clear()
    else this.#bytes.take(piece, expected)
    this.#digest?.update(piece)
  }

  end(): Upload {
    return {
      audio: {
        ...{ chunks: this.#bytes.parts(), size: this.#size, fileName: this.#fileName, contentType: this.#contentType },
        mayFree: true
      },
      digest: this.#digest?.end() ?? null
    }
  }
}
