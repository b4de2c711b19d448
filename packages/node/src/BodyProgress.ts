/**
 * Watches how fast a body comes. Connections whose clients have stopped sending would hold memory and connections until the end of
 * the host's own timeout, five minutes in Node. Source: docs/reference/http-conventions.md#slow-bodies.
 */
import type { IncomingMessage } from "node:http"

/** Milliseconds in which a body must bring `windowBytes`, or its end. */
export const windowMs = 10_000
const windowBytes = 64 * 1024

/** Windows in which a body of which less than `windowBytes` is to come, or has come so far, may bring nothing. */
const maxIdleWindows = 3

export class BodyProgress {
  readonly #slow: () => void
  /** Bytes that are still to come; unknown without a Content-Length. */
  #rest: number | undefined
  #total = 0
  #inWindow = 0
  #idleWindows = 0
  /** Of the present window. */
  #leftMs = windowMs
  #since = 0
  #timer: NodeJS.Timeout | undefined

  /** `slow` is called once. */
  constructor({ headers }: Partial<Pick<IncomingMessage, "headers">>, slow: () => void) {
    const length = headers?.["content-length"]
    this.#rest = length === undefined ? undefined : Number(length)
    this.#slow = slow
  }

  /** Waits for bytes, from now on. */
  start(): void {
    this.#since = performance.now()
    this.#timer ??= setTimeout(() => this.#evaluate(), this.#leftMs)
  }

  /** Nobody waits for bytes: the window stands still until `start`. */
  stop(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since))
  }

  received(bytes: number): void {
    this.#inWindow += bytes
    this.#total += bytes
    if (this.#rest !== undefined) this.#rest -= bytes
  }

  #evaluate(): void {
    this.#timer = undefined
    this.#leftMs = windowMs
    this.#idleWindows = this.#inWindow === 0 ? this.#idleWindows + 1 : 0
    const isSmall = (this.#rest ?? this.#total) < windowBytes
    const goesOn = isSmall ? this.#idleWindows < maxIdleWindows : this.#inWindow >= windowBytes
    this.#inWindow = 0
    if (goesOn) this.start()
    else this.#slow()
  }
}
