/** A file for the platform to keep, as a form. What a caller says of the file is never passed on as it is. */
import type { RequestForm } from "../chat/ChannelWire.ts"

const maxNameLength = 200

const utf8 = new TextEncoder()

/** Type and subtype; bytes of no type for anything else. */
const plainType = (text: string): string =>
  /^\s*([\w.+-]{1,64}\/[\w.+-]{1,64})\s*(?:;|$)/.exec(text.toLowerCase())?.[1] ?? "application/octet-stream"

/** Without folders and control characters, and not too long; the end stays, where the extension is. */
const plainName = (text: string): string => {
  const name = (text.split(/[/\\]/).at(-1) ?? "").replace(/\p{Cc}/gu, "").toWellFormed()
  const short = [...name].slice(-maxNameLength).join("")
  return (short === "" ? "file" : short).replaceAll('"', "%22")
}

/** The product value and the file's type as fields, then the file under the name `file`. */
export const mediaForm = (
  product: string,
  file: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array }
): RequestForm => {
  const boundary = `trunkline-${crypto.randomUUID()}`
  const type = plainType(file.contentType)
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = utf8.encode(
    field("messaging_product", product) +
      field("type", type) +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${plainName(file.fileName)}"\r\n` +
      `Content-Type: ${type}\r\n\r\n`
  )
  const tail = utf8.encode(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + file.bytes.length + tail.length,
    chunks: [head, file.bytes, tail]
  }
}
