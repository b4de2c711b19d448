/** A response that is read while it comes: the upstream is not read further than the reader has come, but for a buffer. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { HttpExchange, ResponseHandler, ResponseHead } from "./HttpExchange.ts"
import type { NoResponse } from "./OpenRequest.ts"

/** The body does not go on. `late`: nothing came in time. `broken`: the connection ended before the body did. */
export class BodyBroken extends Data.TaggedError("BodyBroken")<{ readonly reason: "late" | "broken" }> {}

export interface OpenedResponse extends ResponseHead {
  /** The next bytes of the body, at the latest after this time; null at its end. One reader at a time. */
  readonly read: (waitMs: number) => Effect.Effect<Uint8Array | null, BodyBroken>
}

type Head = Effect.Effect<OpenedResponse, NoResponse>
type Read = Effect.Effect<Uint8Array | null, BodyBroken>

/** The exchange is paused but for the time in which a reader waits. */
export class OpenExchange implements ResponseHandler {
  readonly #send: (handler: ResponseHandler) => HttpExchange
  #exchange: HttpExchange | undefined
  #resumeHead: ((head: Head) => void) | undefined
  /** Set while a reader waits. */
  #resumeReader: ((read: Read) => void) | undefined
  #end: Read | undefined

  constructor(send: (handler: ResponseHandler) => HttpExchange) {
    this.#send = send
  }

  /** Sends the request and waits for the head. */
  readonly head: Head = Effect.callback((resume) => {
    this.#resumeHead = resume
    this.#exchange = this.#send(this)
    return Effect.sync(() => this.close())
  })

  begun(head: ResponseHead) {
    this.#rest()
    this.#resumeHead?.(Effect.succeed({ ...head, read: this.#read }))
  }

  failed(error: NoResponse) {
    this.#resumeHead?.(Effect.fail(error))
  }

  received(chunk: Uint8Array) {
    this.#passOn(Effect.succeed(chunk))
  }

  ended(isWhole: boolean) {
    this.#end = isWhole ? Effect.succeed(null) : Effect.fail(new BodyBroken({ reason: "broken" }))
    this.#passOn(this.#end)
  }

  late() {
    this.#passOn(Effect.fail(new BodyBroken({ reason: "late" })))
  }

  /** Closes the connection, unless the response has ended: then the connection may serve another one. */
  close() {
    this.#exchange?.close()
  }

  readonly #read = (waitMs: number): Read =>
    Effect.callback((resume) => {
      if (this.#end !== undefined) return resume(this.#end)
      this.#resumeReader = resume
      this.#exchange?.resume()
      this.#exchange?.waitUntil(performance.now() + waitMs)
      return Effect.sync(() => this.#rest())
    })

  #passOn(read: Read) {
    const resume = this.#resumeReader
    this.#rest()
    resume?.(read)
  }

  /** Nobody waits. */
  #rest() {
    this.#resumeReader = undefined
    this.#exchange?.pause()
    this.#exchange?.waitUntil(Number.POSITIVE_INFINITY)
  }
}
