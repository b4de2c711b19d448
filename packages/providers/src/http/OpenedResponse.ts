/** A response that is read while it comes: the upstream is not read further than the reader has come, but for a buffer. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Dispatcher } from "undici"
import { connectionFault } from "./ConnectionFault.ts"
import { NoResponse, type OpenRequest } from "./OpenRequest.ts"
import { dispatchOptions } from "./RequestDispatch.ts"

/** Bytes that may wait for a reader before the connection is read no further. */
export const maxWaitingBytes = 256 * 1024

/** The body does not go on. `late`: nothing came in time. `broken`: the connection ended before the body did. */
export class BodyBroken extends Data.TaggedError("BodyBroken")<{ readonly reason: "late" | "broken" }> {}

export interface OpenedResponse {
  readonly status: number
  /** Of a header; null where it is missing or repeated. */
  readonly header: (name: string) => string | null
  /** The next bytes of the body, at the latest after this time; null at its end. One reader at a time. */
  readonly read: (waitMs: number) => Effect.Effect<Uint8Array | null, BodyBroken>
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2]
type Head = Effect.Effect<OpenedResponse, NoResponse>

/** One request and its response, whose chunks wait until they are read. */
export class OpenExchange implements Dispatcher.DispatchHandler {
  readonly #request: OpenRequest
  readonly #dispatcher: Pick<Dispatcher, "dispatch">
  /** Known from the moment on at which bytes may be sent. */
  #controller: Dispatcher.DispatchController | undefined
  #resumeHead: ((head: Head) => void) | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #chunks: Array<Uint8Array> = []
  #waitingBytes = 0
  #end: "whole" | "broken" | null = null
  #isClosed = false
  /** Set while a reader waits. */
  #wake: (() => void) | undefined

  constructor(request: OpenRequest, dispatcher: Pick<Dispatcher, "dispatch">) {
    this.#request = request
    this.#dispatcher = dispatcher
  }

  /** Sends the request and waits for the head. */
  readonly head: Head = Effect.callback((resume) => {
    this.#resumeHead = resume
    this.#timer = setTimeout(() => {
      const detail = this.#controller === undefined ? "no connection in time" : "no answer in time"
      this.#failHead("timeout", detail)
      this.close()
    }, this.#request.headMs)
    this.#dispatcher.dispatch(dispatchOptions(this.#request), this)
    return Effect.sync(() => this.close())
  })

  onRequestStart(controller: Dispatcher.DispatchController) {
    const isRepeated = this.#controller !== undefined
    this.#controller = controller
    // Closed while there was no connection, or sent a second time by undici: nothing is sent.
    if (this.#isClosed || isRepeated) this.#abort()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers) {
    // Statuses below 200 are hints before the response.
    if (this.#isClosed || status < 200) return
    const header = (name: string) => {
      const value = headers[name]
      return typeof value === "string" ? value : null
    }
    this.#endHead(Effect.succeed({ status, header, read: this.#read }))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array) {
    if (this.#isClosed) return
    this.#chunks.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes > maxWaitingBytes) controller.pause()
    this.#wake?.()
  }

  onResponseEnd() {
    this.#end ??= "whole"
    this.#wake?.()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error) {
    this.#end ??= "broken"
    const { detail, reason } = connectionFault(error)
    this.#failHead(reason, detail)
    this.#wake?.()
  }

  /** Closes the connection, unless the response has ended: then the connection may serve another one. */
  close() {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#chunks.length = 0
    if (this.#end === null) this.#abort()
  }

  #abort() {
    this.#controller?.abort(new Error("cancelled"))
  }

  #failHead(reason: NoResponse["reason"], detail: string) {
    this.#endHead(Effect.fail(new NoResponse({ reason, isSent: this.#controller !== undefined, detail })))
  }

  #endHead(head: Head) {
    clearTimeout(this.#timer)
    this.#resumeHead?.(head)
    this.#resumeHead = undefined
  }

  readonly #read = (waitMs: number): Effect.Effect<Uint8Array | null, BodyBroken> =>
    Effect.callback((resume) => {
      const next = this.#next()
      if (next !== undefined) return resume(next)
      const stop = () => {
        clearTimeout(timer)
        this.#wake = undefined
      }
      const timer = setTimeout(() => {
        stop()
        resume(Effect.fail(new BodyBroken({ reason: "late" })))
      }, waitMs)
      this.#wake = () => {
        const next = this.#next()
        if (next === undefined) return
        stop()
        resume(next)
      }
      return Effect.sync(stop)
    })

  /** What a reader gets now; undefined where it has to wait. */
  #next(): Effect.Effect<Uint8Array | null, BodyBroken> | undefined {
    if (this.#chunks.length === 0) {
      if (this.#end === null) return undefined
      return this.#end === "whole" ? Effect.succeed(null) : Effect.fail(new BodyBroken({ reason: "broken" }))
    }
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks.length = 0
    this.#waitingBytes = 0
    // The controller of an ended response would resume the next one of its connection.
    if (this.#end === null) this.#controller?.resume()
    return Effect.succeed(bytes)
  }
}
