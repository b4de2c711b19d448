/**
 * A form with one file, as parts to be sent one after the other. The file's parts are passed on as they are: a `FormData`
 * would need a `Blob`, which copies them. Source: docs/choices.md#inference-gateway.
 */
import type { Audio } from "@trunkline/core/effect"
import { contentTypeOf, fileNameOf } from "./AudioFile.ts"

export type Fields = ReadonlyArray<readonly [name: string, value: string]>

/** A body whose length is known before it is sent. */
export interface Body {
  readonly contentType: string
  readonly size: number
  readonly chunks: ReadonlyArray<Uint8Array>
}

const utf8 = new TextEncoder()

/** The three characters that would end a quoted name, as browsers write them. */
const quoted = (text: string): string =>
  text.replace(/["\r\n]/g, (one) => (one === '"' ? "%22" : one === "\r" ? "%0D" : "%0A"))

/** The fields in their order, then the file under the name `file`. */
export const multipart = (fields: Fields, audio: Audio): Body => {
  const boundary = `trunkline-${crypto.randomUUID()}`
  const before = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`
  )
  const head = utf8.encode(
    `${before.join("")}--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${quoted(fileNameOf(audio))}"\r\n` +
      `Content-Type: ${contentTypeOf(audio)}\r\n\r\n`
  )
  const tail = utf8.encode(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + audio.size + tail.length,
    chunks: [head, ...audio.chunks, tail]
  }
}
