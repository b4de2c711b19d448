/**
 * The way of a request without a fiber: by plain callbacks, for routes on which a fiber would cost more than the work. A relay answers
 * what it takes, and hands everything else over to its route.
 */
import type * as Cause from "effect/Cause"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Instant } from "../../kernel/index.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A response that is sent as it comes. */
export interface RelayStream {
  /** False: the client reads too slowly, and `drained` is called once it has read. */
  readonly write: (text: string) => boolean
  readonly end: () => void
}

/** What an adapter does for a relay. */
export interface RelayConnection {
  /** Reads the request's body; null where it is longer than `maxBytes` or breaks off: then the request is to be handed over. */
  readonly readBody: (maxBytes: number | null, read: (bytes: Uint8Array | null) => void) => void
  /** Lets the route answer, which finds the body as far as it was read. */
  readonly handOver: () => void
  readonly respond: (answer: Response) => void
  /** Begins a response with this head. */
  readonly open: (head: Response, drained: () => void) => RelayStream
  /** Whether the client has gone. */
  readonly isGone: () => boolean
  /** `gone` is called once, where the client goes before its response has ended. */
  readonly onGone: (gone: () => void) => void
}

/** A request as a relay gets it. */
export interface RelayedExchange {
  readonly connection: RelayConnection
  readonly request: Request
  /** As the client has written it. */
  readonly path: string
  readonly requestId: string
  readonly at: Instant.Instant
  /** Maximum length of the body. */
  readonly maxBytes: number | null
  /** Counts the request for its address; false where the address has had its requests: the route refuses it. */
  readonly admitAddress: () => boolean
  /** A body of less than `largeBytes` as the contract has it; undefined where it is none of the route's. */
  readonly payload: (body: Uint8Array) => unknown
  /** The answer to a request that ended by a fault or an interruption, in the envelope of its path. */
  readonly failed: (cause: Cause.Cause<unknown>) => Response
  /** Adds the headers of every response. */
  readonly finished: (answer: Response) => Response
}

/** Takes a request, and answers it or hands it over; false: it does not take it, and nothing was done. */
export type Relay = (exchange: RelayedExchange) => boolean
