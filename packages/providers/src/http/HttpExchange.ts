/** One request and its response, which is passed on by callbacks: the rules of the connection, of pauses and of time in one place. */
import { guarded } from "@trunkline/core/provider"
import type { Dispatcher } from "undici"
import { connectionFault } from "./ConnectionFault.ts"
import { NoResponse, type OpenRequest } from "./OpenRequest.ts"
import { dispatchOptions } from "./RequestDispatch.ts"

/** Bytes that may wait for a reader before the connection is read no further. */
export const maxWaitingBytes = 256 * 1024

export interface ResponseHead {
  readonly status: number
  /** Of a header; null where it is missing or repeated. */
  readonly header: (name: string) => string | null
}

/**
 * Gets a response. Nothing is called before the exchange is made, while it is paused, or once it is closed. The handler closes it
 * when it wants no more; one that has failed is closed. What it throws breaks the response off.
 */
export interface ResponseHandler {
  /** The time for the head goes on to run, until another one is set. */
  readonly begun: (head: ResponseHead) => void
  readonly received: (chunk: Uint8Array) => void
  /** `isWhole`: false where the connection ended before the body did. */
  readonly ended: (isWhole: boolean) => void
  /** There is no response. */
  readonly failed: (error: NoResponse) => void
  /** The time that was set has passed, and the response goes on. */
  readonly late: () => void
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2]

export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #handler: ResponseHandler
  /** Known from the moment on at which bytes may be sent. */
  #controller: Dispatcher.DispatchController | undefined
  #hasBegun = false
  /** Nothing more comes over the connection for this exchange. */
  #hasEnded = false
  #isClosed = false
  /** Since when nobody reads, on the clock of `performance`. */
  #pausedAt: number | null = null
  /** What has come while nobody reads. */
  readonly #waiting: Array<() => void> = []
  #waitingBytes = 0
  /** The connection is read no further. */
  #isStopped = false
  #until = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #timerUntil = Number.POSITIVE_INFINITY

  /** Sends the request. */
  constructor(dispatcher: Pick<Dispatcher, "dispatch">, request: OpenRequest, handler: ResponseHandler) {
    this.#handler = handler
    this.waitUntil(performance.now() + request.headMs)
    dispatcher.dispatch(dispatchOptions(request), this)
  }

  /** Calls `late` at this time, on the clock of `performance`. Time in which nobody reads is added to it. */
  waitUntil(until: number) {
    this.#until = until
    // A timer that runs out earlier waits for the rest.
    if (until >= this.#timerUntil || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#startTimer()
  }

  /** What comes waits until `resume`: no more than 256 KiB and what a socket holds. */
  pause() {
    this.#pausedAt ??= performance.now()
  }

  /** What waits is passed on after the current turn: undici's parser must not be entered from within itself. */
  resume() {
    if (this.#pausedAt === null || this.#isClosed) return
    const until = this.#until + performance.now() - this.#pausedAt
    this.#pausedAt = null
    this.waitUntil(until)
    if (this.#waiting.length > 0 || this.#isStopped) queueMicrotask(() => this.#goOn())
  }

  /** Calls it after what waits: now, where nothing does and somebody reads. */
  inTurn(call: () => void) {
    if (this.#isClosed) return
    if (this.#pausedAt === null && this.#waiting.length === 0) this.#run(call)
    else this.#waiting.push(call)
  }

  /** Closes the connection, unless the response has ended: then the connection may serve another one. */
  close() {
    this.#isClosed = true
    this.#waiting.length = 0
    clearTimeout(this.#timer)
    if (!this.#hasEnded) this.#abort()
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    const isRepeated = this.#controller !== undefined
    this.#controller = controller
    // Closed while there was no connection, or sent a second time by undici: nothing is sent.
    if (this.#isClosed || isRepeated) this.#abort()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers) {
    // Statuses below 200 are hints before the response.
    if (this.#isClosed || status < 200) return
    this.#hasBegun = true
    const header = (name: string) => {
      const value = headers[name]
      return typeof value === "string" ? value : null
    }
    this.inTurn(() => this.#handler.begun({ status, header }))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array) {
    if (this.#isClosed) return
    this.#waitingBytes += chunk.length
    this.inTurn(() => {
      this.#waitingBytes -= chunk.length
      this.#handler.received(chunk)
    })
    if (this.#waitingBytes <= maxWaitingBytes) return
    this.#isStopped = true
    controller.pause()
  }

  onResponseEnd() {
    this.#end(() => this.#handler.ended(true))
  }

  /** Comes also while the request is being sent, from within `dispatch`. */
  onResponseError(_: Dispatcher.DispatchController, error: Error) {
    const end = () => {
      if (this.#hasBegun) return this.#handler.ended(false)
      const { detail, reason } = connectionFault(error)
      this.#fail(reason, detail)
    }
    queueMicrotask(() => this.#end(end))
  }

  #end(end: () => void) {
    if (this.#isClosed || this.#hasEnded) return
    this.#hasEnded = true
    this.inTurn(end)
  }

  #goOn() {
    while (this.#pausedAt === null && this.#waiting.length > 0) this.#run(this.#waiting.shift()!)
    // The controller of an ended response would resume the next one of its connection.
    if (this.#pausedAt !== null || !this.#isStopped || this.#hasEnded || this.#isClosed) return
    this.#isStopped = false
    this.#controller?.resume()
  }

  #startTimer() {
    this.#timerUntil = this.#until
    const ms = Math.max(0, Math.ceil(this.#until - performance.now()))
    this.#timer = setTimeout(runOut, ms, this)
  }

  /** The timer has run out. */
  runOut() {
    this.#timerUntil = Number.POSITIVE_INFINITY
    if (this.#pausedAt !== null || this.#until === Number.POSITIVE_INFINITY) return
    if (this.#until > performance.now()) return this.#startTimer()
    this.#run(() => {
      if (this.#hasBegun) return this.#handler.late()
      this.#fail("timeout", this.#controller === undefined ? "no connection in time" : "no answer in time")
    })
  }

  #run(call: () => void) {
    guarded(call, () => this.#breakOff())()
  }

  /** The handler has thrown: to it the response is one that broke off. */
  #breakOff() {
    if (this.#isClosed) return
    if (!this.#hasEnded) this.#abort()
    this.#hasEnded = true
    this.#waiting.length = 0
    queueMicrotask(() => this.inTurn(() => this.#handler.ended(false)))
  }

  #fail(reason: NoResponse["reason"], detail: string) {
    this.close()
    this.#handler.failed(new NoResponse({ reason, isSent: this.#controller !== undefined, detail }))
  }

  #abort() {
    this.#controller?.abort(new Error("cancelled"))
  }
}

const runOut = (exchange: HttpExchange) => exchange.runOut()
