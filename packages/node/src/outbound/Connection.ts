/** One HTTP/1.1 connection to one address that was checked: dials it, posts on it, reads a bounded part of the answer. */
import { isIP, connect as openTcp, type Socket } from "node:net"
import { connect as openTls } from "node:tls"
import { Instant, pastInterim } from "@trunkline/core/provider"
import { Client, type Dispatcher } from "undici"

/** How much of an answer's body is read, in bytes, where the request does not say; the next byte ends the connection. */
export const maxBodyBytes = 64 * 1024

/** How long the head of an answer may be, in bytes. */
export const maxHeadBytes = 16 * 1024

/** No connection came about: at the TCP stage or, once that stood, in the TLS handshake. */
export class DialFailed extends Error {
  readonly stage: "tcp" | "tls"

  constructor(stage: DialFailed["stage"], cause: Error) {
    super("no connection", { cause })
    this.stage = stage
  }
}

export interface Endpoint {
  readonly url: URL
  readonly address: string
  /** Certificates of all authorities that are trusted; undefined for those that Node trusts. */
  readonly authorities: Array<string> | undefined
}

export interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly remainingMs: number
  readonly maxBodyBytes?: number
}

export interface Listener {
  /** The head of the answer is there. */
  readonly answered: (status: number) => void
  /** A part of the answer's body; absent where nobody reads it. */
  readonly received?: (bytes: Uint8Array) => void
  /** There will be no answer. The connection is closed. */
  readonly failed: (error: Error) => void
  /** The whole answer was read: the connection can take another request. */
  readonly free: () => void
  /** Closed by either side, after an answer or without one. */
  readonly closed: () => void
}

export class Connection {
  readonly #client: Client
  #socket: Socket | undefined
  #busy = false
  #closed = false
  #listener: Listener | undefined

  constructor(endpoint: Endpoint) {
    this.#client = new Client(endpoint.url.origin, {
      // Every wait lies under the caller's one deadline, which interrupts.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeadBytes,
      // A variable of the environment would choose another parser.
      useMilo: false,
      connect: (_, callback) => {
        const socket = pastInterim(dial(endpoint))
        this.#socket = socket
        let stage: DialFailed["stage"] = "tcp"
        socket
          .setNoDelay(true)
          .once("connect", () => {
            stage = "tls"
          })
          .once(endpoint.url.protocol === "https:" ? "secureConnect" : "connect", () => callback(null, socket))
          .once("error", (error) => callback(new DialFailed(stage, error), null))
      }
    })
    this.#client.on("disconnect", () => {
      // While a request is under way undici reports to its handler, or dials the same address again.
      if (!this.#busy) this.close()
    })
  }

  /** Sends a request. One at a time: the next one may follow `free`. */
  send(
    { method, url, headers, body, remainingMs, maxBodyBytes: most = maxBodyBytes }: Request,
    listener: Listener
  ): void {
    const deadline = performance.now() + remainingMs
    let timer: NodeJS.Timeout | undefined
    let answered = false
    let read = 0
    this.#busy = true
    this.#listener = listener
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart: (_, status, { "content-length": length }) => {
        // Hints before the answer.
        if (status < 200) return
        answered = true
        listener.answered(status)
        if (Number(length) > most && listener.received === undefined) return this.close()
        timer = setTimeout(() => this.close(), Math.min(Math.max(0, deadline - performance.now()), Instant.maxTimerMs))
      },
      onResponseData: (_, chunk) => {
        read += chunk.length
        listener.received?.(chunk)
        if (read > most) this.close()
      },
      onResponseEnd: () => {
        clearTimeout(timer)
        this.#busy = false
        listener.free()
      },
      onResponseError: (_, error) => {
        clearTimeout(timer)
        this.close()
        if (!answered) listener.failed(error)
      }
    }
    const path = url.pathname + url.search
    // A request without a body says nothing of its length.
    const sent = { path, headers: { ...headers }, body: body.length === 0 && method === "GET" ? null : body }
    this.#client.dispatch({ method: method as Dispatcher.HttpMethod, ...sent }, handler)
  }

  /** Ends the connection at once, also while it is dialed. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    void this.#client.destroy()
    // The client knows its socket only once it is connected.
    this.#socket?.destroy()
    this.#listener?.closed()
  }
}

/** Dials the address. The name is what TLS asks for and checks; where the host is an address, the address is. */
const dial = ({ address, authorities, url: { hostname, port, protocol } }: Endpoint): Socket => {
  if (protocol === "http:") return openTcp({ host: address, port: Number(port || 80) })
  return openTls({
    host: address,
    port: Number(port || 443),
    ...(isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? { servername: hostname } : {}),
    ...(authorities === undefined ? {} : { ca: authorities }),
    // Set here, because an environment variable changes the default.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"]
  })
}
