/** One request of the language models' APIs to an upstream, whose answer is passed on by callbacks. */
import {
  type GenerateAnswer,
  type GenerateExchange,
  type GenerateReceiver,
  type Instant,
  isObject,
  type LlmEvent,
  type OpenGenerate,
  type UpstreamFailed
} from "@trunkline/core/provider"
import {
  BoundedBody,
  type HttpExchange,
  type HttpResponse,
  jsonIn,
  maxAnswerElements,
  type NoResponse,
  type ResponseHandler,
  type ResponseHead,
  textIn
} from "../http/index.ts"
import { type BodyReader, type CallSettings, StreamBody, type StreamOutlet } from "./StreamBody.ts"
import { errorIn, isAnswer } from "./StreamedEvents.ts"
import { refusal, reportedError } from "./UpstreamRefusal.ts"
import { cutShort, failed, failedBy, isSuccess, maxRefusalBytes, notAnswered } from "./UpstreamWire.ts"

export interface Call {
  readonly work: Parameters<OpenGenerate>[0]
  readonly receiver: GenerateReceiver
  readonly now: () => Instant.Instant
}

const collected = (maxBytes: number, ended: (body: Uint8Array, cut: HttpResponse["cut"]) => void): BodyReader => {
  const body = new BoundedBody(maxBytes)
  return {
    received: (chunk) => {
      if (!body.add(chunk)) ended(body.bytes, "too_large")
    },
    ended: (cut) => ended(body.bytes, cut)
  }
}

/** Maximum duration of an answer that is not streamed, from its head on. */
export const wholeMsOf = ({ limits, timeoutMs }: Pick<CallSettings, "limits" | "timeoutMs">): number =>
  Math.max(limits.wholeMs, timeoutMs)

export class GenerateCall implements GenerateExchange, ResponseHandler, StreamOutlet {
  readonly #call: Call
  readonly #settings: CallSettings
  readonly #exchange: HttpExchange
  #body: BodyReader | undefined
  #stream: StreamBody | undefined
  /** When an answer must have begun, on the clock of `performance`. */
  readonly #firstUntil: number

  constructor(call: Call, settings: CallSettings, send: (handler: ResponseHandler) => HttpExchange) {
    this.#call = call
    this.#settings = settings
    this.#firstUntil = performance.now() + settings.timeoutMs
    this.#exchange = send(this)
  }

  readonly pause = () => this.#exchange.pause()
  readonly resume = () => this.#exchange.resume()
  readonly cancel = () => this.#exchange.close()

  begun(head: ResponseHead) {
    const { isStreamed } = this.#call.work
    if (!isSuccess(head.status)) this.#body = this.#refused(head)
    else if (isOfEvents(head) !== isStreamed) this.fail(somethingElse(head))
    else this.#body = isStreamed ? this.#streamed() : this.#whole(head)
  }

  received(chunk: Uint8Array) {
    this.#body?.received(chunk)
  }

  ended(isWhole: boolean) {
    this.#body?.ended(isWhole ? null : "broken")
  }

  late() {
    this.#body?.ended("late")
  }

  failed(error: NoResponse) {
    this.#call.receiver.failed(notAnswered(this.#settings.timeoutMs)(error))
  }

  /** Of a refusal the status is enough. */
  #refused(head: ResponseHead): BodyReader {
    const { limits, secret, timeoutMs } = this.#settings
    this.#waitFor(Math.min(limits.wholeMs, timeoutMs))
    return collected(maxRefusalBytes, (body) => {
      const answer = { status: head.status, retryAfter: head.header("retry-after"), body: textIn(body) }
      const refused = refusal(answer, this.#call.now(), secret)
      this.fail(failedBy(lacksCounting(this.#call.work, head) ? { ...refused, why: "not_found" } : refused))
    })
  }

  #whole(head: ResponseHead): BodyReader {
    const { maxBytes } = this.#settings.limits
    const bodyMs = wholeMsOf(this.#settings)
    this.#waitFor(bodyMs)
    return collected(maxBytes, (body, cut) => {
      if (cut !== null) return this.fail(cutShort(cut, { bodyMs, maxBytes }))
      const json = jsonIn(body, maxAnswerElements)
      if (!isObject(json)) return this.fail(somethingElse(head))
      const error = errorIn(null, json)
      if (error !== null) return this.fail(failedBy(reportedError(error, this.#settings.secret)))
      if (!isAnswer(this.#call.work, json)) return this.fail(somethingElse(head))
      this.succeed({ json, hasEndMark: false })
    })
  }

  #streamed(): BodyReader {
    const { api } = this.#call.work
    this.#stream = new StreamBody({ ...this.#settings, api, firstUntil: this.#firstUntil }, this)
    return this.#stream
  }

  /** Of a stream whose events are passed on, as far as it has come. */
  get answer(): GenerateAnswer {
    return this.#stream!.answer
  }

  passOn(events: ReadonlyArray<LlmEvent>): boolean {
    return this.#call.receiver.events(events)
  }

  waitUntil(until: number) {
    this.#exchange.waitUntil(until)
  }

  #waitFor(ms: number) {
    this.#exchange.waitUntil(performance.now() + ms)
  }

  succeed(answer: GenerateAnswer) {
    this.#end(() => this.#call.receiver.ended(answer))
  }

  fail(error: UpstreamFailed) {
    this.#end(() => this.#call.receiver.failed(error))
  }

  #end(call: () => void) {
    // The receiver may have paused with the last events.
    this.#exchange.inTurn(() => {
      this.#exchange.close()
      call()
    })
  }
}

/** A server that does not count takes the path for that of a kept response, which is not posted to. */
const lacksCounting = ({ api, task }: Call["work"], { status }: ResponseHead): boolean =>
  task === "count" && api === "responses" && status === 405

const somethingElse = ({ status }: ResponseHead): UpstreamFailed =>
  failed("unreadable", `answered ${status} with something else`)

const isOfEvents = ({ header }: ResponseHead): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(header("content-type") ?? "")
