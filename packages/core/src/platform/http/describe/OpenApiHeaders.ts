/** Headers of responses, as components of the OpenAPI document. Pure. */
import type { Brand } from "../../brand/index.ts"
import { errorHeader } from "../engine/index.ts"
import { type Json, reference } from "./OpenApiRepairs.ts"

const header = (description: string, schema: Json): Json => ({ description, required: true, schema })

/** All headers, in the words of a brand. */
export const headersOf = ({ headerPrefix }: Pick<Brand, "headerPrefix">): Readonly<Record<string, Json>> => ({
  ...headers,
  [errorHeader(headerPrefix)]: header("Code of the error, for programs", { type: "string" })
})

const headers: Readonly<Record<string, Json>> = {
  "X-Request-Id": header("Id of the request: the one that it was sent with, or a new one", { type: "string" }),
  "X-Total-Count": header("Number of items that match, before paging", { type: "integer", minimum: 0 }),
  "WWW-Authenticate": header("How to authenticate", { type: "string", const: "Bearer" }),
  "Idempotent-Replayed": {
    ...header("Present where the answer is that of the first request with this Idempotency-Key", {
      type: "string",
      const: "true"
    }),
    required: false
  },
  Allow: header("Methods of the path", { type: "string" }),
  "Retry-After": header("Seconds to wait before the next request", { type: "integer", minimum: 1 }),
  "X-RateLimit-Limit": {
    ...header("Maximum number of requests in a minute; absent where the key has no such limit", {
      type: "integer",
      minimum: 0
    }),
    required: false
  },
  "X-RateLimit-Remaining": {
    ...header("Number of requests that are left in this minute", { type: "integer", minimum: 0 }),
    required: false
  },
  "X-RateLimit-Reset": {
    ...header("Seconds until another request is possible", { type: "integer", minimum: 0 }),
    required: false
  }
}

/** References to headers by their names. */
export const named = (...names: ReadonlyArray<string>): Json =>
  Object.fromEntries(names.map((name) => [name, reference("headers", name)]))
