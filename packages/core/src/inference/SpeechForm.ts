/** Reads a speech request's form part by part: fields in any order, one file, counted and hashed while it is read. */
import * as Effect from "effect/Effect"
import * as Multipart from "effect/http/Multipart"
import * as Stream from "effect/Stream"
import { type Digest, digest } from "./Fingerprint.ts"
import { type InferenceRefused, refuse } from "./InferenceErrors.ts"
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

/**
 * The file's bytes are kept in the parts in which they came, without a copy, and no more of them than any model takes. A
 * second file is passed over.
 */
export const readForm = (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  hashed: boolean
): Effect.Effect<SpeechForm, InferenceRefused> =>
  Effect.suspend(() => {
    const fields: Array<readonly [string, string]> = []
    let file: Reception | undefined
    let read = 0
    const counted = (bytes: number) => {
      read += bytes
      return read > mostRead ? Effect.fail(refuse("file_too_large", { message: tooLarge })) : Effect.void
    }
    return Stream.runForEach(parts, (part) => {
      if (Multipart.isField(part)) {
        fields.push([part.key, part.value])
        return Effect.void
      }
      if (part.key !== "file" || file !== undefined) {
        return Stream.runForEach(part.content, (chunk) => counted(chunk.byteLength))
      }
      const reception = new Reception(part.name, part.contentType, hashed ? digest() : null)
      file = reception
      return Stream.runForEach(part.content, (chunk) => {
        reception.take(chunk)
        return counted(chunk.byteLength)
      })
    }).pipe(
      Effect.catchTag("MultipartError", (error) => Effect.fail(unreadable(sentences[error.reason._tag]))),
      Effect.map(() => ({ fields, file: file?.end() ?? null }))
    )
  })

export const tooLarge = `The file has more than ${mostBytes.toLocaleString("en-US")} bytes (25 MiB).`

const malformed = "The form could not be read: it is not valid multipart/form-data."

const sentences: Readonly<Record<Multipart.MultipartErrorReason["_tag"], string>> = {
  FileTooLarge: malformed,
  FieldTooLarge: `A field of the form has more than ${formLimits.maxFieldSize} bytes.`,
  BodyTooLarge: malformed,
  TooManyParts: `The form has more than ${formLimits.maxParts} fields.`,
  InternalError: malformed,
  Parse: malformed
}

/** A file that is being received. */
class Reception {
  readonly #fileName: string
  readonly #contentType: string
  readonly #digest: Digest | null
  #chunks: Array<Uint8Array> = []
  #size = 0

  constructor(fileName: string, contentType: string, digest: Digest | null) {
    this.#fileName = fileName
    this.#contentType = contentType
    this.#digest = digest
  }

  take(chunk: Uint8Array): void {
    this.#size += chunk.byteLength
    if (this.#size > mostBytes) this.#chunks = []
    else this.#chunks.push(chunk)
    this.#digest?.update(chunk)
  }

  end(): Upload {
    return {
      audio: { chunks: this.#chunks, size: this.#size, fileName: this.#fileName, contentType: this.#contentType },
      digest: this.#digest?.end() ?? null
    }
  }
}
