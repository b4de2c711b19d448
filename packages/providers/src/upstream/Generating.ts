/** Requests of the language models' APIs to an upstream, and their answers, whole or streamed. Source: docs/reference/upstreams.md#language-models. */
import {
  type GenerateAnswer,
  type GenerateWork,
  Instant,
  isObject,
  type Json,
  type LlmEvent,
  type Run,
  tracedFn,
  UpstreamFailed,
  type UpstreamWhy
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  type BoundedHttp,
  type HttpResponse,
  jsonBodyOf,
  jsonIn,
  maxAnswerElements,
  type OpenedResponse,
  textIn
} from "../http/index.ts"
import { EventStream, type SentEvents } from "./EventStream.ts"
import { doneMark, errorIn, isAnswer, isLastEvent } from "./StreamedEvents.ts"
import type { UpstreamSettings } from "./UpstreamOptions.ts"
import { type Refusal, refusal, reportedError } from "./UpstreamRefusal.ts"
import { cutShort, failed, isSuccess, maxAnswerBytes, maxRefusalBytes, notAnswered, sizeOf } from "./UpstreamWire.ts"

/** What a kind of upstream sends a work as. */
export interface GenerateForm {
  /** Below the base URL. */
  readonly path: (work: GenerateWork) => string
  readonly headers: (work: GenerateWork) => Readonly<Record<string, string>>
  readonly body: (work: GenerateWork) => Json
}

/** Limits that nobody configures, in milliseconds and bytes. */
export interface GenerateLimits {
  /** Of an answer that is not streamed, from its head on, where `timeoutMs` is shorter. */
  readonly wholeMs: number
  /** Of a stream, from its head on. */
  readonly streamMs: number
  /** From the end mark of a stream until the connection is closed. */
  readonly endMs: number
  /** Of an answer, and of an event. */
  readonly maxBytes: number
}

const defaultLimits: GenerateLimits = { wholeMs: 30_000, streamMs: 3_600_000, endMs: 50, maxBytes: maxAnswerBytes }

export interface Generating {
  readonly generate: Run<"generate">
  /** Maximum duration of an answer that is not streamed, in milliseconds. */
  readonly maxMs: number
}

export const makeGenerating = (
  { apiKey, baseUrl, timeoutMs }: Pick<UpstreamSettings, "apiKey" | "baseUrl" | "timeoutMs">,
  form: GenerateForm,
  http: Pick<BoundedHttp, "open">,
  limits: GenerateLimits = defaultLimits
): Generating => {
  const wholeMs = Math.max(limits.wholeMs, timeoutMs)
  const secret = apiKey === null ? null : Redacted.value(apiKey)

  const generate = tracedFn("Upstream.generate")(function* (work: GenerateWork) {
    const { onEvents } = work
    const firstUntil = performance.now() + timeoutMs
    const accept = onEvents === null ? "application/json" : "text/event-stream"
    const opening = http.open({
      method: "POST",
      url: new URL(baseUrl + form.path(work)),
      headers: { accept, ...form.headers(work) },
      body: yield* jsonBodyOf(form.body(work), work.bytes),
      headMs: timeoutMs
    })
    const response = yield* Effect.mapError(opening, notAnswered(timeoutMs))
    if (!isSuccess(response.status)) {
      // Of a refusal the status is enough.
      const { body } = yield* readWhole(response, maxRefusalBytes, Math.min(limits.wholeMs, timeoutMs))
      const answer = { status: response.status, retryAfter: response.header("retry-after"), body: textIn(body) }
      const refused = refusal(answer, yield* Instant.now, secret)
      return yield* failedBy(lacksCounting(work, response) ? { ...refused, why: "not_found" } : refused)
    }
    if (isOfEvents(response) !== (onEvents !== null)) return yield* somethingElse(response)
    if (onEvents === null) return yield* whole(response, work)
    return yield* new Streaming(response, { api: work.api, onEvents, firstUntil, timeoutMs, secret, limits }).run
  }, Effect.scoped)

  const whole = Effect.fnUntraced(function* (response: OpenedResponse, work: GenerateWork) {
    const { body, cut } = yield* readWhole(response, limits.maxBytes, wholeMs)
    if (cut !== null) return yield* cutShort(cut, { bodyMs: wholeMs, maxBytes: limits.maxBytes })
    const json = jsonIn(body, maxAnswerElements)
    if (!isObject(json)) return yield* somethingElse(response)
    const error = errorIn(null, json)
    if (error !== null) return yield* failedBy(reportedError(error, secret))
    if (!isAnswer(work, json)) return yield* somethingElse(response)
    return { json, hasEndMark: false } satisfies GenerateAnswer
  })

  return { generate, maxMs: timeoutMs + wholeMs }
}

/** A server that does not count takes the path for that of a kept response, which is not posted to. */
const lacksCounting = ({ api, task }: GenerateWork, { status }: OpenedResponse): boolean =>
  task === "count" && api === "responses" && status === 405

export const failedBy = ({ detail, param, retryAfterSeconds, why }: Refusal): UpstreamFailed =>
  failed(why, detail, retryAfterSeconds, param)

const somethingElse = ({ status }: OpenedResponse): UpstreamFailed =>
  failed("unreadable", `answered ${status} with something else`)

const isOfEvents = ({ header }: OpenedResponse): boolean =>
  /^\s*text\/event-stream\s*(;|$)/i.test(header("content-type") ?? "")

/** The body as far as the limits allow. */
export const readWhole = Effect.fnUntraced(function* (
  response: OpenedResponse,
  maxBytes: number,
  ms: number
): Effect.fn.Return<Pick<HttpResponse, "body" | "cut">> {
  const until = performance.now() + ms
  const chunks: Array<Uint8Array> = []
  const ended = (cut: HttpResponse["cut"]) => ({ body: Buffer.concat(chunks), cut })
  let size = 0
  for (;;) {
    const read = yield* Effect.result(response.read(Math.max(0, until - performance.now())))
    if (read._tag === "Failure") return ended(read.failure.reason)
    if (read.success === null) return ended(null)
    size += read.success.length
    if (size > maxBytes) return ended("too_large")
    chunks.push(read.success)
  }
})

/** The failure of a stream of which a part has been passed on. */
const begun = ({ advice, detail, param, retryAfterSeconds, why }: UpstreamFailed): UpstreamFailed =>
  new UpstreamFailed({ why, detail, retryAfterSeconds, advice, param, hasBegun: true })

interface StreamOptions {
  readonly api: GenerateWork["api"]
  readonly onEvents: NonNullable<GenerateWork["onEvents"]>
  /** When its first event must have come, on the clock of `performance`. */
  readonly firstUntil: number
  readonly timeoutMs: number
  readonly secret: string | null
  readonly limits: GenerateLimits
}

/** What came together: its events, and what follows them. */
interface Read {
  readonly events: ReadonlyArray<LlmEvent>
  readonly next: { readonly _tag: "More" } | { readonly _tag: "End"; readonly hasEndMark: boolean } | Broken
}

interface Broken {
  readonly _tag: "Broken"
  /** `hasBegun`: events came before. */
  readonly error: (hasBegun: boolean) => UpstreamFailed
}

/** One stream of events, from its head to its end. */
class Streaming {
  readonly #response: OpenedResponse
  readonly #options: StreamOptions
  readonly #events: EventStream
  readonly #endUntil: number
  /** When the next event must have come. */
  #until: number
  #handedOn = 0

  constructor(response: OpenedResponse, options: StreamOptions) {
    this.#response = response
    this.#options = options
    this.#events = new EventStream(options.limits.maxBytes)
    this.#endUntil = performance.now() + options.limits.streamMs
    this.#until = options.firstUntil
  }

  get run(): Effect.Effect<GenerateAnswer, UpstreamFailed> {
    return Effect.mapError(this.#toItsEnd(), (failure) => (this.#handedOn === 0 ? failure : begun(failure)))
  }

  #toItsEnd(): Effect.Effect<GenerateAnswer, UpstreamFailed> {
    return Effect.gen({ self: this }, function* () {
      const { onEvents, timeoutMs } = this.#options
      for (;;) {
        const bytes = yield* this.#read()
        if (bytes === null && this.#handedOn === 0) return yield* failed("unreadable", "a stream without an event")
        if (bytes === null) return { json: null, hasEndMark: false }
        const { events, next } = this.#readEvents(this.#events.read(bytes))
        if (events.length > 0) {
          this.#handedOn += events.length
          const goesOn = yield* onEvents(events)
          if (!goesOn) return { json: null, hasEndMark: next._tag === "End" && next.hasEndMark }
          this.#until = performance.now() + timeoutMs
        }
        if (next._tag === "End") return yield* this.#end(next.hasEndMark)
        if (next._tag === "Broken") return yield* next.error(this.#handedOn > 0)
      }
    })
  }

  #read(): Effect.Effect<Uint8Array | null, UpstreamFailed> {
    const leftMs = Math.min(this.#until, this.#endUntil) - performance.now()
    // Comments come in time for ever.
    if (leftMs <= 0) return Effect.fail(this.#late())
    return Effect.mapError(this.#response.read(leftMs), ({ reason }) =>
      reason === "late" ? this.#late() : failed("failed", "the stream broke off")
    )
  }

  #late(): UpstreamFailed {
    const { limits, timeoutMs } = this.#options
    return this.#endUntil <= this.#until
      ? failed("timeout", `the stream did not end within ${limits.streamMs} ms`)
      : failed("timeout", `no ${this.#handedOn === 0 ? "" : "further "}event within ${timeoutMs} ms`)
  }

  #readEvents({ events, isTooLong }: SentEvents): Read {
    const { api, limits, secret } = this.#options
    const read: Array<LlmEvent> = []
    for (const { data, event } of events) {
      const text = data.trim()
      if (text === "") continue
      if (text === doneMark) return { events: read, next: { _tag: "End", hasEndMark: api === "chat_completions" } }
      const json = jsonIn(data, maxAnswerElements)
      if (!isObject(json)) return { events: read, next: broken("unreadable", "an event that is no JSON object") }
      const error = errorIn(event, json)
      if (error !== null) return { events: read, next: reported(reportedError(error, secret)) }
      read.push({ event, data: json })
      if (isLastEvent(api, json)) return { events: read, next: { _tag: "End", hasEndMark: true } }
    }
    const tooLong = () => broken("unreadable", `an event of more than ${sizeOf(limits.maxBytes)}`)
    return { events: read, next: isTooLong ? tooLong() : { _tag: "More" } }
  }

  /** Nothing that comes now counts. A connection whose response ends soon can be used again. */
  #end(hasEndMark: boolean): Effect.Effect<GenerateAnswer, UpstreamFailed> {
    if (this.#handedOn === 0) return Effect.fail(failed("unreadable", "a stream without an event"))
    const until = performance.now() + this.#options.limits.endMs
    const rest: Effect.Effect<void> = Effect.suspend(() => {
      const leftMs = until - performance.now()
      return leftMs <= 0
        ? Effect.void
        : Effect.matchEffect(this.#response.read(leftMs), {
            onFailure: () => Effect.void,
            onSuccess: (bytes) => (bytes === null ? Effect.void : rest)
          })
    })
    return Effect.as(rest, { json: null, hasEndMark })
  }
}

const broken = (why: UpstreamWhy, detail: string): Broken => ({ _tag: "Broken", error: () => failed(why, detail) })

/** An error that is reported before the first event is that of the whole answer. */
const reported = (refused: Refusal): Broken => ({
  _tag: "Broken",
  error: (hasBegun) => (hasBegun ? failed("failed", refused.detail) : failedBy(refused))
})
