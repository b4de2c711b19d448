/** A request to an outside party, and what it fails with where there is no response. */
import * as Data from "effect/Data"

/** A body whose size is known before it is sent. Large chunks are sent one by one, so that a file is not copied. */
export interface RequestBody {
  readonly contentType: string
  readonly size: number
  readonly chunks: ReadonlyArray<Uint8Array>
  /** True where nobody writes into the chunks or frees their memory: they are sent without a copy. Absent: false. */
  readonly isLasting?: boolean
  /** Called once no chunk is read any more: the whole body is sent, or its connection is closed. A request that fails may not call it. */
  readonly onSent?: (() => void) | undefined
}

/** Where a request goes to: a `URL`, or what has been read of one before. */
export type RequestTarget = Pick<URL, "origin" | "pathname" | "search">

/** A request whose response is read piece by piece. */
export interface OpenRequest {
  readonly method: "GET" | "POST" | "DELETE"
  readonly url: RequestTarget
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody | null
  /** Limit of the time until the response begins, in milliseconds. */
  readonly headMs: number
}

/** There is no response. */
export class NoResponse extends Data.TaggedError("NoResponse")<{
  readonly reason: "timeout" | "unreachable" | "unreadable"
  /** False where it is certain that no byte of the request was sent. */
  readonly isSent: boolean
  /** The cause in our words. */
  readonly detail: string
}> {}
