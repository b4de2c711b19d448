/** A client that sends each request once and limits every wait and every size, over a pool of connections of undici. */
import type { LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Agent, type Dispatcher } from "undici"
import { connectionFault } from "./ConnectionFault.ts"
import { connector } from "./Connector.ts"
import { OpenExchange, type OpenedResponse } from "./OpenedResponse.ts"
import { NoResponse, type OpenRequest } from "./OpenRequest.ts"
import { dispatchOptions } from "./RequestDispatch.ts"

const maxHeadBytes = 16 * 1024

export interface HttpRequest extends OpenRequest {
  /** Limit of the time from then until it has ended, in milliseconds. */
  readonly bodyMs: number
  /** When the exchange must be over, on the clock of `performance`, whatever the other two limits are. */
  readonly deadline?: number
  /** Bytes of the body that are read, by the status of the response. */
  readonly maxBytes: (status: number) => number
  /** Gets each chunk of the body when it comes. */
  readonly received?: (chunk: Uint8Array, status: number) => void
}

export interface HttpResponse {
  readonly status: number
  /** Of a header; null where it is missing or repeated. */
  readonly header: (name: string) => string | null
  /** The body as it came, as far as it was read. */
  readonly chunks: ReadonlyArray<Uint8Array>
  /** The same in one piece, which is made where it is read. */
  readonly body: Uint8Array
  /** Why the body is not whole; null where it is. */
  readonly cut: "too_large" | "late" | "broken" | null
}

export interface BoundedHttp {
  /** Sends a request once. An interruption ends its connection. Once there is a response, the chunks of the body are no longer read. */
  readonly exchange: (request: HttpRequest) => Effect.Effect<HttpResponse, NoResponse>
  /**
   * Sends a request once and returns its response with the head, to be read while it comes. The scope's end closes the connection,
   * unless the response has ended by then: it is used again.
   */
  readonly open: (request: OpenRequest) => Effect.Effect<OpenedResponse, NoResponse, Scope.Scope>
  /** Ends all connections. */
  readonly close: () => Promise<void>
}

export interface HttpOptions {
  /** Connections to one origin. A request beyond them waits, within its own time. Default: no limit. */
  readonly maxConnections?: number
  /** Limit of the time until a connection stands, in milliseconds. Default 10,000. */
  readonly connectMs?: number
  /** Resolves host names. One that fails with `AddressRefused` prevents the connection. */
  readonly lookup?: LookupFunction
}

export const makeBoundedHttp = ({ connectMs = 10_000, lookup, maxConnections }: HttpOptions = {}): BoundedHttp => {
  const agent = new Agent({
    // The exchange has limits of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeadBytes,
    allowH2: false,
    // A variable of the environment would choose another parser, or trust any certificate.
    useMilo: false,
    connect: connector({ timeout: connectMs, ...(lookup === undefined ? {} : { lookup }) }),
    ...(maxConnections === undefined ? {} : { connections: maxConnections })
  })
  // A release by `acquireRelease` runs with all services of its request, whose copy cost a chat a twentieth of its time.
  const openIn = (request: OpenRequest, scope: Scope.Scope) =>
    Effect.uninterruptible(
      Effect.suspend(() => {
        const exchange = new OpenExchange(request, agent)
        const close = Effect.sync(() => exchange.close())
        return Effect.as(Scope.addFinalizer(scope, close), exchange)
      })
    )
  return {
    exchange: (request) =>
      Effect.callback((resume) => {
        const exchange = new Exchange(request, resume)
        agent.dispatch(dispatchOptions(request), exchange)
        return Effect.sync(() => exchange.cancel())
      }),
    open: (request) =>
      Effect.flatMap(
        Effect.flatMap(Effect.scope, (scope) => openIn(request, scope)),
        (exchange) => exchange.head
      ),
    close: () => agent.destroy()
  }
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2]

/** One request and its response. It ends once, and nothing that happens later counts. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest
  readonly #resume: (exit: Effect.Effect<HttpResponse, NoResponse>) => void
  readonly #chunks: Array<Uint8Array> = []
  /** Known from the moment on at which bytes may be sent. */
  #controller: Dispatcher.DispatchController | undefined
  #head: { readonly status: number; readonly headers: Headers } | undefined
  #size = 0
  #isOver = false
  #timer: NodeJS.Timeout

  constructor(request: HttpRequest, resume: (exit: Effect.Effect<HttpResponse, NoResponse>) => void) {
    this.#request = request
    this.#resume = resume
    this.#timer = this.#after(request.headMs, () => {
      const detail = this.#controller === undefined ? "no connection in time" : "no answer in time"
      this.#fail("timeout", detail)
    })
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    const isRepeated = this.#controller !== undefined
    this.#controller = controller
    // Cancelled while there was no connection, or sent a second time by undici: nothing is sent.
    if (this.#isOver || isRepeated) this.#abort()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers) {
    // Statuses below 200 are hints before the response.
    if (this.#isOver || status < 200) return
    this.#head = { status, headers }
    clearTimeout(this.#timer)
    this.#timer = this.#after(this.#request.bodyMs, () => this.#succeed("late"))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array) {
    if (this.#isOver || this.#head === undefined) return
    this.#size += chunk.length
    if (this.#size <= this.#request.maxBytes(this.#head.status)) {
      this.#chunks.push(chunk)
      return this.#request.received?.(chunk, this.#head.status)
    }
    this.#succeed("too_large")
    this.#abort()
  }

  onResponseEnd() {
    if (!this.#isOver) this.#succeed(null)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error) {
    if (this.#isOver) return
    if (this.#head !== undefined) return this.#succeed("broken")
    const { detail, reason } = connectionFault(error)
    this.#fail(reason, detail)
  }

  cancel() {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#abort()
  }

  #abort() {
    this.#controller?.abort(new Error("cancelled"))
  }

  #after(ms: number, late: () => void): NodeJS.Timeout {
    const { deadline = Number.POSITIVE_INFINITY } = this.#request
    return setTimeout(
      () => {
        late()
        this.#abort()
      },
      Math.max(0, Math.min(ms, deadline - performance.now()))
    )
  }

  #end(exit: Effect.Effect<HttpResponse, NoResponse>) {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#resume(exit)
  }

  #fail(reason: NoResponse["reason"], detail: string) {
    this.#end(Effect.fail(new NoResponse({ reason, isSent: this.#controller !== undefined, detail })))
  }

  #succeed(cut: HttpResponse["cut"]) {
    const head = this.#head
    if (head === undefined) return
    const header = (name: string) => {
      const value = head.headers[name]
      return typeof value === "string" ? value : null
    }
    const chunks = this.#chunks
    const response = {
      ...{ status: head.status, header, chunks, cut },
      get body() {
        return Buffer.concat(chunks)
      }
    }
    this.#end(Effect.succeed(response))
  }
}
