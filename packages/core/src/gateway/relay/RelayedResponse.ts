/** The response to a relayed request: an answer as a whole, or a stream that has begun. It ends once. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Allowance } from "../../platform/billing/index.ts"
import type { RelayedExchange, RelayStream } from "../../platform/http/index.ts"
import { noticeHeaders } from "../../platform/http/PaymentNotice.ts"
import type { WrittenResponse } from "../../platform/idempotency/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { allowanceHeaders } from "../admission/index.ts"
import { refusal } from "../errors/InferenceAnswers.ts"
import { type InferenceRefused, storageUnavailable } from "../errors/InferenceErrors.ts"
import { endMark, errorEvents, textOf } from "../llm/index.ts"
import { encodeHeaders, encodeResult } from "../routes/index.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import type { RelayedRequest } from "./RelayAdmission.ts"

type Response = HttpServerResponse.HttpServerResponse

interface ResponseOptions {
  readonly exchange: RelayedExchange
  readonly relayed: Pick<RelayedRequest, "caller" | "request">
  /** The requests that the key has left in its minute; null where it has no limit. */
  readonly allowance: Allowance | null
  /** What the product's own headers begin with. */
  readonly headerPrefix: string
  /** The client of a stream, which read too slowly, has read on. */
  readonly drained: () => void
}

export class RelayedResponse {
  readonly #options: ResponseOptions
  /** It is null until a stream begins. */
  #stream: RelayStream | null = null
  #isEnded = false

  constructor(options: ResponseOptions) {
    this.#options = options
  }

  /** Whether a part of a stream has been sent. */
  get hasBegun(): boolean {
    return this.#stream !== null
  }

  /** Sends a part of a stream. False: the client reads too slowly, and `drained` is called once it has read on. */
  send(text: string): boolean {
    this.#stream ??= this.#open()
    return this.#stream.write(text)
  }

  /** Ends with the answer that was billed, or ends a stream that is whole. */
  answer(result: RouteResult<WrittenResponse>): void {
    if (!this.#ends()) return
    const { exchange, headerPrefix, relayed } = this.#options
    if (this.#stream === null) {
      exchange.connection.respond(this.#succeeded(encodeResult(result, headerPrefix)))
      return
    }
    const mark = endMark[relayed.request.api]
    if (mark !== "") this.#stream.write(mark)
    this.#stream.end()
  }

  /** Ends without an answer. What it returns logs why, where that is a fault of ours. */
  fail(cause: Cause.Cause<InferenceRefused | StorageError>): Effect.Effect<void> {
    if (!this.#ends()) return Effect.void
    const { exchange, relayed } = this.#options
    const error = Option.getOrNull(Cause.findErrorOption(cause))
    const refused = error?._tag === "InferenceRefused" ? error : null
    if (this.#stream === null) {
      exchange.connection.respond(
        this.#finished(this.#refused(error?._tag === "StorageError" ? storageUnavailable : refused, cause))
      )
    } else {
      const { api } = relayed.request
      this.#stream.write(textOf(api, errorEvents(api, refused, exchange.requestId, noPosition)))
      this.#stream.end()
    }
    return refused !== null || Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Effect.logError("a relayed request failed", cause)
  }

  #ends(): boolean {
    if (this.#isEnded) return false
    this.#isEnded = true
    return true
  }

  #open(): RelayStream {
    const { drained, exchange, headerPrefix } = this.#options
    const headers = encodeHeaders({ contentType, headers: {} }, headerPrefix)
    const head = HttpServerResponse.stream(Stream.empty, { contentType, headers })
    return exchange.connection.open(this.#succeeded(head), drained)
  }

  #refused(refused: InferenceRefused | null, cause: Cause.Cause<unknown>): Response {
    const { exchange, headerPrefix } = this.#options
    const { path, requestId } = exchange
    return refused === null ? exchange.failed(cause) : refusal(refused, { path, requestId, headerPrefix })
  }

  /** Adds the headers of an answer that is a success. */
  #succeeded(answer: Response): Response {
    const { headerPrefix, relayed } = this.#options
    return this.#finished(withHeaders(answer, noticeHeaders(relayed.caller.principal.account, headerPrefix)))
  }

  #finished(answer: Response): Response {
    const { allowance, exchange } = this.#options
    return exchange.finished(withHeaders(answer, allowanceHeaders(allowance)))
  }
}

/** Most answers get none, and are not copied. */
const withHeaders = (answer: Response, headers: Readonly<Record<string, string>>): Response => {
  for (const _ in headers) return HttpServerResponse.setHeaders(answer, headers)
  return answer
}

const contentType = "text/event-stream"

/** The Responses API alone has positions. */
const noPosition = { response: {}, nextSequenceNumber: 0 }
