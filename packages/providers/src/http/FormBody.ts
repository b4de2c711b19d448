/** Fields of a form as the body of a request. */
import type { RequestBody } from "./OpenRequest.ts"

/** `form` is encoded: `a=1&b=2`. */
export const formBody = (form: string): RequestBody => {
  const bytes = new TextEncoder().encode(form)
  return { contentType: "application/x-www-form-urlencoded", size: bytes.length, chunks: [bytes] }
}
