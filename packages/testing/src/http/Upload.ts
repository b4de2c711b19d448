/** The body of a form with a file, byte by byte. */
import { Buffer } from "node:buffer"

export interface UploadForm {
  readonly fields?: ReadonlyArray<readonly [name: string, value: string]>
  /** Null for none. */
  readonly file: Uint8Array | null
  readonly fileName?: string
  readonly boundary?: string
  /** Whether the fields stand after the file. */
  readonly fileFirst?: boolean
}

export const upload = ({ boundary = "boundary-of-a-client", fields = [], file, fileFirst, fileName }: UploadForm) => {
  const part = (disposition: string, content: string | Uint8Array, more = "") => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`),
    typeof content === "string" ? Buffer.from(content) : content,
    Buffer.from("\r\n")
  ]
  const texts = fields.map(([name, value]) => part(`name="${name}"`, value))
  const files =
    file === null
      ? []
      : [part(`name="file"; filename="${fileName ?? "audio.wav"}"`, file, "Content-Type: audio/wav\r\n")]
  const parts = fileFirst === true ? [...files, ...texts] : [...texts, ...files]
  return {
    body: Buffer.concat([...parts.flat(), Buffer.from(`--${boundary}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` }
  }
}
