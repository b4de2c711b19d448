/**
 * Parses the parts of a `multipart/form-data` body from any bytes that a client sends. Every form of the product is read through
 * it: the library's parser reports a part whose headers do not end as one that is complete, and takes what follows the end for parts.
 */
import * as MultipartParser from "effect/http/MultipartParser"

/** Why a form cannot be read. */
export type FormFault = "malformed" | "field_too_large" | "too_many_parts"

export interface FormLimits {
  readonly maxParts: number
  /** Maximum bytes of a field that is no file. */
  readonly maxFieldSize: number
}

/** A part of a form that is a file. */
interface FormFilePart {
  readonly name: string
  /** Empty where the client has named none. */
  readonly filename: string
  readonly contentType: string
}

interface FormListener {
  readonly field: (name: string, value: string) => void
  /** Returns what receives the bytes of the file in pieces. */
  readonly file: (part: FormFilePart) => (piece: Uint8Array) => void
}

/** RFC 2046 allows no more characters, and the search for a longer boundary costs more than its bytes. */
const maxBoundaryLength = 70

const ignored = (): void => undefined

export class FormParser {
  readonly #parser: MultipartParser.Parser | null
  readonly #listener: FormListener
  #fault: FormFault | null = null
  /** Whether the headers of the present part have been read to their end. */
  #isPartKnown = false
  #isComplete = false

  constructor(headers: Readonly<Record<string, string>>, limits: FormLimits, listener: FormListener) {
    this.#listener = listener
    this.#parser = hasBoundary(headers["content-type"]) ? this.#made(headers, limits) : null
    if (this.#parser === null) this.#fault = "malformed"
  }

  /** Null while nothing is wrong. */
  get fault(): FormFault | null {
    return this.#fault
  }

  /** The bytes behind the closing boundary are no part of the form, and are ignored. */
  write(chunk: Uint8Array): void {
    if (this.#fault === null && !this.#isComplete) this.#parser?.write(chunk)
  }

  /** Ends the body: a form without its closing boundary is malformed. */
  end(): void {
    if (this.#fault === null && !this.#isComplete) this.#parser?.end()
    if (!this.#isComplete) this.#fault ??= "malformed"
  }

  #made(headers: Readonly<Record<string, string>>, limits: FormLimits): MultipartParser.Parser {
    return MultipartParser.make({
      ...limits,
      headers: headers as Record<string, string>,
      // It is called at the end of a part's headers, and for each part once.
      isFile: (info) => {
        this.#isPartKnown = true
        return MultipartParser.defaultIsFile(info)
      },
      onField: (info, value) => this.#field(info, value),
      onFile: (info) => this.#file(info),
      onError: (error) => {
        if (!this.#isComplete) this.#fault ??= faultOf(error)
      },
      onDone: () => {
        this.#isComplete = true
      }
    })
  }

  /** The library's parser reports a part whose headers do not end as a field, without information or with that of the part before. */
  #field(info: MultipartParser.PartInfo | undefined, value: Uint8Array): void {
    if (this.#isPartKnown && info !== undefined) {
      this.#isPartKnown = false
      if (this.#fault === null && !this.#isComplete) {
        this.#listener.field(info.name, MultipartParser.decodeField(info, value))
      }
    } else if (!this.#isComplete) this.#fault ??= "malformed"
  }

  #file({ contentType, filename = "", name }: MultipartParser.PartInfo): (piece: Uint8Array | null) => void {
    if (this.#isComplete || this.#fault !== null) return ignored
    const add = this.#listener.file({ name, filename, contentType })
    return (piece) => {
      if (piece !== null) return add(piece)
      // The second end of a file is that of a part whose headers did not end.
      if (!this.#isPartKnown && !this.#isComplete) this.#fault ??= "malformed"
      this.#isPartKnown = false
    }
  }
}

/** The boundary as it is written, quotes included: a longer one than the standard allows is refused, and an empty one. */
const hasBoundary = (contentType = ""): boolean => {
  const at = contentType.toLowerCase().indexOf("boundary=")
  if (at < 0) return false
  const rest = contentType.slice(at + "boundary=".length)
  const boundary = rest.startsWith('"') ? rest.slice(1).split('"', 1)[0]! : rest.split(";", 1)[0]!.trim()
  return boundary.length > 0 && boundary.length <= maxBoundaryLength
}

const faultOf = (error: MultipartParser.MultipartError): FormFault => {
  if (error._tag !== "ReachedLimit") return "malformed"
  if (error.limit === "MaxFieldSize") return "field_too_large"
  return error.limit === "MaxParts" ? "too_many_parts" : "malformed"
}

/** Says why a form is refused, and which bound it exceeds. */
export const formSentence = (fault: FormFault, { maxFieldSize, maxParts }: FormLimits): string => {
  switch (fault) {
    case "field_too_large":
      return `A field of the form has more than ${maxFieldSize} bytes.`
    case "too_many_parts":
      return `The form has more than ${maxParts} fields.`
    case "malformed":
      return "The form could not be read: it is not valid multipart/form-data."
  }
}
