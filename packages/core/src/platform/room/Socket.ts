/** WebSockets as rooms serve them: who may open one, and the messages on it. Source: docs/reference/embedding.md#sockets. */
import type * as Effect from "effect/Effect"

/** A request to open a socket. */
export interface SocketRequest {
  /** Path below the mount point, without the query. */
  readonly path: string
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Under lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** What the client offers in `Sec-WebSocket-Protocol`, in its order. */
  readonly protocols: ReadonlyArray<string>
  readonly clientAddress: string | null
  readonly requestId: string
}

/** The handshake is answered with an HTTP response instead. */
export interface SocketRefused {
  readonly _tag: "Refused"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Says something to the client. Nothing is sent after `close` or `terminate`. */
export interface SocketConnection {
  readonly send: (message: string | Uint8Array) => void
  /** Bytes that the operating system has not yet accepted. */
  readonly unsentBytes: () => number
  /** Ends the socket with a close code and a reason. Calling it again changes nothing. */
  readonly close: (code: number, reason: string) => void
  /** Cuts the connection off. */
  readonly terminate: () => void
}

/** Hears what the client says. Nothing follows `closed`. */
export interface SocketListener {
  readonly text: (text: string) => void
  /** They may be a part of a larger buffer: copy the bytes that you keep. */
  readonly bytes: (bytes: Uint8Array) => void
  /** Once, when either side has ended it. `code` is 1006 where no close was received. */
  readonly closed: (code: number) => void
  /** The process stops. The listener ends the socket by itself, within the time of a drain. */
  readonly goingAway: () => void
}

export interface SocketAccepted {
  readonly _tag: "Accepted"
  /** The subprotocol of the answer; null for none. */
  readonly protocol: string | null
  /** Called once the handshake is complete. */
  readonly open: (connection: SocketConnection) => SocketListener
  /** The client has gone before the handshake was complete: `open` is not called. */
  readonly abandoned: () => void
}

/** A path on which a room serves sockets. */
export interface SocketRoute {
  /** Below the mount point, with `:name` in the place of a parameter. */
  readonly path: string
  /** True where carriers connect: they do so from few addresses, which have no limit then. */
  readonly isCallback?: boolean
  readonly accept: (request: SocketRequest) => Effect.Effect<SocketAccepted | SocketRefused>
}
