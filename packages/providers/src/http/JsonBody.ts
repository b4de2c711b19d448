/** JSON as the body of a request, and in what others send. Pure. */
import type { RequestBody } from "./OpenRequest.ts"

const utf8 = new TextEncoder()

export const jsonBody = (value: unknown): RequestBody => {
  const bytes = utf8.encode(JSON.stringify(value))
  return { contentType: "application/json", size: bytes.length, chunks: [bytes] }
}

/** The value that a text or its bytes are; `undefined` for what is no JSON. */
export const jsonIn = (body: string | Uint8Array): unknown => {
  try {
    return JSON.parse(typeof body === "string" ? body : textIn(body))
  } catch {
    return undefined
  }
}

/** Bytes as UTF-8. */
export const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
