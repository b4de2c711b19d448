/** Reads an upload's form part by part: fields in any order, one file, counted while it is read. */
import * as Effect from "effect/Effect"
import * as Multipart from "effect/http/Multipart"
import * as Stream from "effect/Stream"
import { type FieldError, Unprocessable } from "./PlatformErrors.ts"

type Parts = Stream.Stream<Multipart.Part, Multipart.MultipartError>

/** The form's file as it came. */
interface FormFile {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly size: number
  readonly contentType: string
  readonly fileName: string
}

interface Form {
  readonly fields: ReadonlyMap<string, string>
  readonly file: FormFile | null
}

const mebibyte = 1024 * 1024

const tooLarge = (what: string, most: number) =>
  new Unprocessable({
    detail: [
      {
        loc: ["body", "file"],
        msg: `${what} may have at most ${most / mebibyte} MiB (${most.toLocaleString("en-US")} bytes)`,
        type: "too_large"
      }
    ]
  })

/**
 * The file is kept in memory, in the parts in which it came, and no more of it than the limit is ever read: fields may
 * follow it, and what they say must be known before anything is done with it. A second file is passed over.
 */
const readParts = Effect.fnUntraced(function* (
  parts: Parts,
  maxBytes: (contentType: string) => number,
  what: string
): Effect.fn.Return<Form, Unprocessable> {
  const fields = new Map<string, string>()
  const chunks: Array<Uint8Array> = []
  let file: Omit<FormFile, "chunks" | "size"> | null = null
  let size = 0
  yield* Stream.runForEach(parts, (part) => {
    if (Multipart.isField(part)) {
      fields.set(part.key, part.value)
      return Effect.void
    }
    if (part.key !== "file" || file !== null) return Stream.runDrain(part.content)
    file = { contentType: part.contentType, fileName: part.name }
    const most = maxBytes(part.contentType)
    return Stream.runForEach(part.content, (chunk) => {
      size += chunk.byteLength
      if (size > most) return Effect.fail(tooLarge(what, most))
      chunks.push(chunk)
      return Effect.void
    })
  }).pipe(
    Effect.catchTag("MultipartError", (error) =>
      Effect.fail(new Unprocessable({ detail: [{ loc: ["body"], msg: sentenceOf(error), type: "form_invalid" }] }))
    )
  )
  return { fields, file: file === null ? null : { ...(file as Omit<FormFile, "chunks" | "size">), chunks, size } }
})

const missing = (name: string): FieldError => ({ loc: ["body", name], msg: "Field required", type: "missing" })

/** The import's file may have this many bytes. */
const csvBytes = 25 * mebibyte

export interface ImportForm {
  readonly file: Stream.Stream<Uint8Array>
  readonly columnMap: string | null
  readonly dryRun: boolean
  readonly optedIn: boolean
}

/** `true`, `false`, `1` and `0` in any case; anything else is a fault of the field. */
const boolean = (name: string, value: string | undefined, standard: boolean): boolean | FieldError => {
  if (value === undefined) return standard
  const word = value.trim().toLowerCase()
  if (word === "true" || word === "1") return true
  if (word === "false" || word === "0") return false
  return { loc: ["body", name], msg: "Expected true or false", type: "bool_parsing" }
}

export const readForm = Effect.fnUntraced(function* (parts: Parts) {
  const { fields, file } = yield* readParts(parts, () => csvBytes, "The file")
  const dryRun = boolean("dry_run", fields.get("dry_run"), true)
  const optedIn = boolean("opted_in", fields.get("opted_in"), false)
  const faults: ReadonlyArray<FieldError> = [
    ...(file === null ? [missing("file")] : []),
    ...(typeof dryRun === "boolean" ? [] : [dryRun]),
    ...(typeof optedIn === "boolean" ? [] : [optedIn])
  ]
  if (faults.length > 0) return yield* new Unprocessable({ detail: [...faults] })
  return {
    file: Stream.fromIterable(file!.chunks),
    columnMap: fields.get("column_map") ?? null,
    dryRun: dryRun as boolean,
    optedIn: optedIn as boolean
  } satisfies ImportForm
})

/** A file for the chat platform, and the number that it is for. */
export interface MediaUpload {
  readonly phoneNumberId: string
  readonly contentType: string
  readonly fileName: string
  readonly bytes: Uint8Array
}

/** `maxBytes` of a file of a type. Source: docs/messaging.md#media. */
export const readMediaForm = Effect.fnUntraced(function* (parts: Parts, maxBytes: (contentType: string) => number) {
  const { fields, file } = yield* readParts(parts, maxBytes, "A file of this type")
  const phoneNumberId = fields.get("phone_number_id") ?? ""
  const faults: ReadonlyArray<FieldError> = [
    ...(phoneNumberId === "" ? [missing("phone_number_id")] : []),
    ...(file === null ? [missing("file")] : []),
    ...(file?.size === 0 ? [{ loc: ["body", "file"], msg: "The file is empty", type: "value_error" }] : [])
  ]
  if (file === null || faults.length > 0) return yield* new Unprocessable({ detail: [...faults] })
  const { chunks, size, ...rest } = file
  return { ...rest, phoneNumberId, bytes: joined(chunks, size) } satisfies MediaUpload
})

const joined = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

const sentenceOf = (error: Multipart.MultipartError): string =>
  error.reason._tag === "FieldTooLarge"
    ? "A field of the form is too long"
    : "The form could not be read: it is not valid multipart/form-data"
