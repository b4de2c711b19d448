/** A client that sends each request once and limits every wait and every size, over a pool of connections of undici. */
import type { LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Agent } from "undici"
import { BoundedBody } from "./BoundedBody.ts"
import { connector } from "./Connector.ts"
import { HttpExchange, type ResponseHandler, type ResponseHead } from "./HttpExchange.ts"
import { OpenExchange, type OpenedResponse } from "./OpenedResponse.ts"
import type { NoResponse, OpenRequest } from "./OpenRequest.ts"

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

export interface HttpResponse extends ResponseHead {
  /** The body as it came, as far as it was read. */
  readonly chunks: ReadonlyArray<Uint8Array>
  /** The same in one piece, which is made where it is read. */
  readonly body: Uint8Array
  /** Why the body is not whole; null where it is. */
  readonly cut: "too_large" | "late" | "broken" | null
}

export interface BoundedHttp {
  /** Sends a request once, and passes its response on by callbacks. */
  readonly send: (request: OpenRequest, handler: ResponseHandler) => HttpExchange
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
  const send: BoundedHttp["send"] = (request, handler) => new HttpExchange(agent, request, handler)
  // A release by `acquireRelease` runs with all services of its request, whose copy cost a chat a twentieth of its time.
  const openIn = (request: OpenRequest, scope: Scope.Scope) =>
    Effect.uninterruptible(
      Effect.suspend(() => {
        const exchange = new OpenExchange((handler) => send(request, handler))
        const close = Effect.sync(() => exchange.close())
        return Effect.as(Scope.addFinalizer(scope, close), exchange)
      })
    )
  return {
    send,
    exchange: (request) =>
      Effect.callback((resume) => {
        const exchange = new WholeExchange(request, send, resume)
        return Effect.sync(() => exchange.close())
      }),
    open: (request) =>
      Effect.flatMap(
        Effect.flatMap(Effect.scope, (scope) => openIn(request, scope)),
        (exchange) => exchange.head
      ),
    close: () => agent.destroy()
  }
}

/** A request whose whole response is collected. It ends once, and nothing that happens later counts. */
class WholeExchange implements ResponseHandler {
  readonly #request: HttpRequest
  readonly #resume: (exit: Effect.Effect<HttpResponse, NoResponse>) => void
  readonly #exchange: HttpExchange
  #head: ResponseHead | undefined
  #body = new BoundedBody(0)

  constructor(
    request: HttpRequest,
    send: BoundedHttp["send"],
    resume: (exit: Effect.Effect<HttpResponse, NoResponse>) => void
  ) {
    this.#request = request
    this.#resume = resume
    const headMs = Math.max(0, Math.min(request.headMs, this.#deadline - performance.now()))
    this.#exchange = send({ ...request, headMs }, this)
  }

  get #deadline(): number {
    return this.#request.deadline ?? Number.POSITIVE_INFINITY
  }

  begun(head: ResponseHead) {
    this.#head = head
    this.#body = new BoundedBody(this.#request.maxBytes(head.status))
    this.#exchange.waitUntil(Math.min(performance.now() + this.#request.bodyMs, this.#deadline))
  }

  received(chunk: Uint8Array) {
    if (this.#body.add(chunk)) this.#request.received?.(chunk, this.#head!.status)
    else this.#end("too_large")
  }

  ended(isWhole: boolean) {
    this.#end(isWhole ? null : "broken")
  }

  late() {
    this.#end("late")
  }

  failed(error: NoResponse) {
    this.#resume(Effect.fail(error))
  }

  close() {
    this.#exchange.close()
  }

  #end(cut: HttpResponse["cut"]) {
    this.close()
    const body = this.#body
    const { header, status } = this.#head!
    const response = {
      ...{ status, header, chunks: body.chunks, cut },
      get body() {
        return body.bytes
      }
    }
    this.#resume(Effect.succeed(response))
  }
}
