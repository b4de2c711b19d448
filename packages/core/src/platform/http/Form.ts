/** Reads an upload's form part by part: fields in any order, one file, counted while it is read. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"
import { requestFingerprint } from "../idempotency/index.ts"
import {
  type FormFault,
  type FormLimits,
  FormParser,
  formSentence,
  isLonger,
  ownTurn,
  sha256Stream
} from "../kernel/index.ts"
import { bodyReader, type KeyedForm } from "./engine/index.ts"
import { type FieldError, Unprocessable } from "./PlatformErrors.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The form's file as it came. */
interface FormFile {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly size: number
  readonly contentType: string
  readonly fileName: string
}

interface Form extends KeyedForm {
  readonly fields: ReadonlyMap<string, string>
  readonly file: FormFile | null
}

/** The boundary of a form, the order of its fields and the pieces of its file do not count. */
const digestOf = Effect.fnUntraced(function* (fields: ReadonlyMap<string, string>, file: FormFile | null) {
  const digest = sha256Stream()
  for (const chunk of file?.chunks ?? []) yield* ownTurn(file!.size, () => Effect.sync(() => digest.update(chunk)))
  const { contentType = null, fileName = null } = file ?? {}
  return requestFingerprint("form", [...fields].toSorted(), contentType, fileName, digest.end())
})

const mebibyte = 1024 * 1024

/** A form beside its file: that may have as many bytes as its reader allows. */
interface PartsLimits extends FormLimits {
  /** Maximum bytes of the whole form, a second file included, which is not kept. */
  readonly maxBodyBytes: number
}

const importFormLimits: PartsLimits = { maxParts: 16, maxFieldSize: mebibyte, maxBodyBytes: 64 * mebibyte }
const mediaFormLimits: PartsLimits = { maxParts: 16, maxFieldSize: 65_536, maxBodyBytes: 128 * mebibyte }

const unreadable = (fault: FormFault, limits: FormLimits) =>
  new Unprocessable({ detail: [{ loc: ["body"], msg: formSentence(fault, limits), type: "form_invalid" }] })

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

interface Reading {
  readonly limits: PartsLimits
  /** Maximum bytes of a file of a type. */
  readonly maxBytes: (contentType: string) => number
  /** What the file is called in an error. */
  readonly what: string
}

/** What else a reader of a form does while it comes. `Refused`: why no more of the file is kept. */
interface Intake<Refused> {
  /** Called with every text of the form. */
  readonly field?: (name: string, value: string) => void
  /** Called with the bytes of the file that have come. */
  readonly take?: (bytes: number) => Refused | undefined
}

/**
 * The file is kept in memory, in the parts in which it came, and no more of it than the limit is ever read: fields may
 * follow it, and what they say must be known before anything is done with it. A second file is passed over.
 */
class PartsReader<Refused> {
  readonly fields = new Map<string, string>()
  readonly #chunks: Array<Uint8Array> = []
  readonly #parser: FormParser
  readonly #reading: Reading
  #refused: Refused | undefined
  #bodySize = 0
  #file: Pick<FormFile, "contentType" | "fileName"> | null = null
  #maxBytes = 0
  #size = 0

  constructor(headers: Request["headers"], reading: Reading, intake: Intake<Refused>) {
    this.#reading = reading
    this.#parser = new FormParser(headers, reading.limits, {
      field: (name, value) => {
        this.fields.set(name, value)
        intake.field?.(name, value)
      },
      file: ({ contentType, filename, name }) => {
        if (name !== "file" || this.#file !== null) return () => undefined
        this.#file = { contentType, fileName: filename }
        this.#maxBytes = reading.maxBytes(contentType)
        return (piece) => {
          this.#size += piece.byteLength
          if (this.#size > this.#maxBytes) return
          this.#refused ??= intake.take?.(piece.byteLength)
          if (this.#refused === undefined) this.#chunks.push(piece)
        }
      }
    })
  }

  write(chunk: Uint8Array): Unprocessable | Refused | undefined {
    const { limits, what } = this.#reading
    this.#parser.write(chunk)
    this.#bodySize += chunk.byteLength
    if (this.#size > this.#maxBytes) return tooLarge(what, this.#maxBytes)
    if (this.#bodySize > limits.maxBodyBytes) return tooLarge("The form", limits.maxBodyBytes)
    return this.#refused ?? this.#fault()
  }

  end(): Effect.Effect<Form, Unprocessable> {
    this.#parser.end()
    const fault = this.#fault()
    if (fault !== undefined) return Effect.fail(fault)
    const file = this.#file
    const { fields } = this
    const whole = file === null ? null : { ...file, chunks: this.#chunks, size: this.#size }
    return Effect.succeed({ fields, file: whole, digest: digestOf(fields, whole) })
  }

  #fault(): Unprocessable | undefined {
    const { fault } = this.#parser
    return fault === null ? undefined : unreadable(fault, this.#reading.limits)
  }
}

const readParts = <Refused = never>(
  request: Request,
  reading: Reading,
  intake: Intake<Refused> = {}
): Effect.Effect<Form, Unprocessable | Refused> =>
  Effect.suspend(() => {
    const reader = new PartsReader(request.headers, reading, intake)
    const read = bodyReader<Unprocessable | Refused>(request, () => unreadable("malformed", reading.limits))
    return Effect.andThen(
      read((chunk) => reader.write(chunk)),
      Effect.suspend(() => reader.end())
    )
  })

const missing = (name: string): FieldError => ({ loc: ["body", name], msg: "Field required", type: "missing" })

/** The import's file may have this many bytes. */
const csvBytes = 25 * mebibyte

/** A field of a form beside its file: its value, or its fault. */
type FormField<A> = (fields: ReadonlyMap<string, string>) => { readonly value: A } | FieldError

/** `true`, `false`, `1` and `0` in any case; anything else is a fault of the field. */
export const booleanField =
  (name: string, standard: boolean): FormField<boolean> =>
  (fields) => {
    const text = fields.get(name)
    if (text === undefined) return { value: standard }
    const word = text.trim().toLowerCase()
    if (word === "true" || word === "1") return { value: true }
    if (word === "false" || word === "0") return { value: false }
    return { loc: ["body", name], msg: "Expected true or false", type: "bool_parsing" }
  }

/** Null where there is none, or nothing but blanks. */
export const textField =
  (name: string, maximum: number): FormField<string | null> =>
  (fields) => {
    const value = fields.get(name)?.trim() ?? ""
    if (isLonger(value, maximum)) {
      return { loc: ["body", name], msg: `Expected at most ${maximum} characters`, type: "string_length" }
    }
    if (value.includes("\0")) {
      return { loc: ["body", name], msg: "Expected text without NUL characters", type: "value_error" }
    }
    return { value: value === "" ? null : value }
  }

const isFault = (field: { readonly value: unknown } | FieldError): field is FieldError => "loc" in field

export interface ImportForm extends KeyedForm {
  readonly file: Stream.Stream<Uint8Array>
  readonly columnMap: string | null
  readonly dryRun: boolean
}

/** The form of an import, with the fields that one kind of import has beside those of all. */
export const readImportForm = Effect.fnUntraced(function* <More extends Readonly<Record<string, unknown>>>(
  request: Request,
  more: { readonly [K in keyof More]: FormField<More[K]> }
) {
  const { digest, fields, file } = yield* readParts(request, {
    limits: importFormLimits,
    maxBytes: () => csvBytes,
    what: "The file"
  })
  const asked = { dryRun: booleanField("dry_run", true), ...more }
  const read = Object.entries<FormField<unknown>>(asked).map(([name, field]) => [name, field(fields)] as const)
  const faults: ReadonlyArray<FieldError> = [
    ...(file === null ? [missing("file")] : []),
    ...read.flatMap(([, field]) => (isFault(field) ? [field] : []))
  ]
  if (file === null || faults.length > 0) return yield* new Unprocessable({ detail: [...faults] })
  const values = read.map(([name, field]) => [name, (field as { readonly value: unknown }).value])
  return {
    digest,
    file: Stream.fromIterable(file.chunks),
    columnMap: fields.get("column_map") ?? null,
    ...(Object.fromEntries(values) as More & Pick<ImportForm, "dryRun">)
  } satisfies ImportForm
})

/** A file for the chat platform, and the number that it is for. */
interface MediaUpload extends KeyedForm {
  readonly phoneNumberId: string
  readonly contentType: string
  readonly fileName: string
  readonly bytes: Uint8Array
}

interface MediaIntake<Refused> {
  /** Bytes of a file of a type. Source: docs/reference/messaging.md#media. */
  readonly maxBytes: (contentType: string) => number
  /** Takes room for bytes of the file that have come. */
  readonly take: (bytes: number) => Refused | undefined
  /** Called with the number as soon as it is known, which may be after the file. */
  readonly named: (phoneNumberId: string) => void
}

export const readMediaForm = Effect.fnUntraced(function* <Refused>(
  request: Request,
  { maxBytes, named, take }: MediaIntake<Refused>
) {
  const reading = { limits: mediaFormLimits, maxBytes, what: "A file of this type" }
  const field = (name: string, value: string) => {
    if (name === "phone_number_id") named(value)
  }
  const { digest, fields, file } = yield* readParts(request, reading, { field, take })
  const phoneNumberId = fields.get("phone_number_id") ?? ""
  const faults: ReadonlyArray<FieldError> = [
    ...(phoneNumberId === "" ? [missing("phone_number_id")] : []),
    ...(file === null ? [missing("file")] : []),
    ...(file?.size === 0 ? [{ loc: ["body", "file"], msg: "The file is empty", type: "value_error" }] : [])
  ]
  if (file === null || faults.length > 0) return yield* new Unprocessable({ detail: [...faults] })
  const { chunks, size, ...rest } = file
  return { ...rest, digest, phoneNumberId, bytes: joined(chunks, size) } satisfies MediaUpload
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
