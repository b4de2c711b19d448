/**
 * A form with one file, as chunks that are sent one after the other. The file's chunks are passed on as they are: a `FormData`
 * would need a `Blob`, which copies them.
 */
import type { RequestBody } from "./OpenRequest.ts"

export type Fields = ReadonlyArray<readonly [name: string, value: string]>

export interface FormFile {
  readonly fileName: string
  readonly contentType: string
  readonly size: number
  readonly chunks: ReadonlyArray<Uint8Array>
  /** Called once no chunk is read any more. */
  readonly onSent?: (() => void) | undefined
}

const utf8 = new TextEncoder()

/** The three characters that would end a quoted name, as browsers write them. */
const quoted = (text: string): string =>
  text.replace(/["\r\n]/g, (one) => (one === '"' ? "%22" : one === "\r" ? "%0D" : "%0A"))

/** The fields in their order, then the file under the name `file`. Its content type is written as it is. */
export const multipart = (fields: Fields, { chunks, contentType, fileName, onSent, size }: FormFile): RequestBody => {
  const boundary = `trunkline-${crypto.randomUUID()}`
  const before = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`
  )
  const head = utf8.encode(
    `${before.join("")}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${quoted(fileName)}"\r\n` +
      `Content-Type: ${contentType}\r\n\r\n`
  )
  const tail = utf8.encode(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + size + tail.length,
    chunks: [head, ...chunks, tail],
    onSent
  }
}

/** A file name without folders and control characters, not longer than `maxLength` characters; its end stays, where the extension is. */
export const plainFileName = (text: string, maxLength: number): string =>
  [...(text.split(/[/\\]/).at(-1) ?? "").replace(/\p{Cc}/gu, "").toWellFormed()].slice(-maxLength).join("")
