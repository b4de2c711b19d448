/** Port: requests to addresses that have been checked. What implements it opens sockets, and decides nothing. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** Why nothing usable came back. `detail` is for the owner of the endpoint: it names no address that was resolved. */
export class OutboundFailed extends Data.TaggedError("OutboundFailed")<{
  readonly reason: "name" | "connection" | "tls" | "protocol"
  readonly detail: string
}> {}

export interface OutboundPost {
  readonly url: URL
  /** The one address to connect to, in its canonical text; the name in the URL is for TLS and the Host header alone. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The end of the whole attempt, in milliseconds from now: an answer that is still read is dropped then. */
  readonly remainingMs: number
}

/** A request whose answer is read. */
export interface OutboundRequest extends OutboundPost {
  readonly method: string
  /** Bytes of the answer's body that are read. Left out: 64 KiB. */
  readonly maxBodyBytes?: number
}

export interface OutboundAnswer {
  readonly status: number
  /** At most as many bytes as the request says; the rest is cut. */
  readonly body: Uint8Array
}

export class Outbound extends Context.Service<
  Outbound,
  {
    /** All addresses of a host name, as the system resolves it. Interrupting it ends the wait. */
    readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<string>, OutboundFailed>
    /**
     * The status, as soon as the head of the answer is there. Redirects are answers like any other. At most 64 KiB of the
     * body are read and thrown away. Interrupting it closes the connection.
     */
    readonly post: (post: OutboundPost) => Effect.Effect<{ readonly status: number }, OutboundFailed>
    /** The answer, once all of it is there or as much as is read. Redirects are answers like any other. Interrupting it closes the connection. */
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundAnswer, OutboundFailed>
  }
>()("@trunkline/core/platform/outbound/Outbound") {}
