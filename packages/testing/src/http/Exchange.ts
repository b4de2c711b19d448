/** What a test sends to a product, and what comes back. */
import type * as Http from "node:http"

/** A JSON value as far as a test looks into it. */
export type Fields = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
  /** The body as it came. */
  readonly bytes: Buffer
  /** The body when it is a JSON object, else empty. */
  readonly body: Fields
  /** The body when it is a JSON array, else empty. */
  readonly items: ReadonlyArray<Fields>
}

export interface Sent {
  readonly key?: string
  readonly headers?: Http.OutgoingHttpHeaders
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Uint8Array
  /** Without `content-length`. */
  readonly chunked?: boolean
  readonly agent?: Http.Agent
  /** True where 500 is the answer that the product must give. */
  readonly fails?: boolean
  /** The address that the request comes from. */
  readonly from?: string
}
