/** JSON as the body of a request, and in what others send. Pure. */
import { parseExactJson } from "@trunkline/core/effect"
import type { RequestBody } from "./OpenRequest.ts"

const utf8 = new TextEncoder()

export const jsonBody = (value: unknown): RequestBody => {
  const bytes = utf8.encode(JSON.stringify(value))
  return { contentType: "application/json", size: bytes.length, chunks: [bytes] }
}

const valueOf = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The value that a text or its bytes are, with all digits of its integers; `undefined` for what is no JSON. */
export const jsonIn = (body: string | Uint8Array): unknown => valueOf(() => parseExactJson(body))

/** The same with numbers alone, for what is read and not passed on: vectors have more digits than anything else. */
export const plainJsonIn = (text: string): unknown => valueOf(() => JSON.parse(text))

/** Bytes as UTF-8. */
export const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
