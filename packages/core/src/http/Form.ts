/** Reads an upload's form part by part: fields in any order, one file, counted while it is read. */
import * as Effect from "effect/Effect"
import * as Multipart from "effect/http/Multipart"
import * as Stream from "effect/Stream"
import { type FieldError, Unprocessable } from "./PlatformErrors.ts"

/** The import's file may have this many bytes. */
const csvBytes = 25 * 1024 * 1024

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

const tooLarge = new Unprocessable({
  detail: [{ loc: ["body", "file"], msg: "The file may have at most 25 MiB (26,214,400 bytes)", type: "too_large" }]
})

/**
 * The file is kept in memory, in the parts in which it came, and no more of it than the limit is ever read: fields may
 * follow it, and what they say must be known before its first row is taken.
 */
export const readForm = Effect.fnUntraced(function* (parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>) {
  const fields = new Map<string, string>()
  let file: Array<Uint8Array> | undefined
  yield* Stream.runForEach(parts, (part) => {
    if (Multipart.isField(part)) {
      fields.set(part.key, part.value)
      return Effect.void
    }
    if (part.key !== "file" || file !== undefined) return Stream.runDrain(part.content)
    const chunks: Array<Uint8Array> = []
    file = chunks
    let size = 0
    return Stream.runForEach(part.content, (chunk) => {
      size += chunk.byteLength
      if (size > csvBytes) return Effect.fail(tooLarge)
      chunks.push(chunk)
      return Effect.void
    })
  }).pipe(
    Effect.catchTag("MultipartError", (error) =>
      Effect.fail(new Unprocessable({ detail: [{ loc: ["body"], msg: sentenceOf(error), type: "form_invalid" }] }))
    )
  )
  const dryRun = boolean("dry_run", fields.get("dry_run"), true)
  const optedIn = boolean("opted_in", fields.get("opted_in"), false)
  const faults: ReadonlyArray<FieldError> = [
    ...(file === undefined ? [{ loc: ["body", "file"], msg: "Field required", type: "missing" }] : []),
    ...(typeof dryRun === "boolean" ? [] : [dryRun]),
    ...(typeof optedIn === "boolean" ? [] : [optedIn])
  ]
  if (faults.length > 0) return yield* new Unprocessable({ detail: [...faults] })
  return {
    file: Stream.fromIterable(file!),
    columnMap: fields.get("column_map") ?? null,
    dryRun: dryRun as boolean,
    optedIn: optedIn as boolean
  } satisfies ImportForm
})

const sentenceOf = (error: Multipart.MultipartError): string =>
  error.reason._tag === "FieldTooLarge"
    ? "A field of the form is too long"
    : "The form could not be read: it is not valid multipart/form-data"
