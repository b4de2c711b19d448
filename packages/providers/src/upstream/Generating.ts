/** Requests of the language models' APIs to an upstream, for fibers and by callbacks. Source: docs/reference/upstreams.md#language-models. */
import {
  type GenerateAnswer,
  type GenerateReceiver,
  type GenerateWork,
  Instant,
  type Json,
  type LlmEvent,
  type OpenGenerate,
  type Run,
  tracedFn,
  type UpstreamFailed
} from "@trunkline/core/provider"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type BoundedHttp, jsonBody, jsonBodyOf, type RequestBody, targetsBelow } from "../http/index.ts"
import { GenerateCall, wholeMsOf } from "./GenerateCall.ts"
import type { SentWork } from "./GenerateForms.ts"
import type { GenerateLimits } from "./StreamBody.ts"
import type { UpstreamSettings } from "./UpstreamOptions.ts"
import { maxAnswerBytes } from "./UpstreamWire.ts"

export type { GenerateLimits } from "./StreamBody.ts"

/** What a kind of upstream sends a work as. */
export interface GenerateForm {
  /** Below the base URL. */
  readonly path: (work: SentWork) => string
  readonly headers: (work: SentWork) => Readonly<Record<string, string>>
  readonly body: (work: SentWork) => Json
}

const defaultLimits: GenerateLimits = { wholeMs: 30_000, streamMs: 3_600_000, endMs: 50, maxBytes: maxAnswerBytes }

export interface Generating {
  readonly generate: Run<"generate">
  readonly openGenerate: OpenGenerate
  /** Maximum duration of an answer that is not streamed, in milliseconds. */
  readonly maxMs: number
}

export const makeGenerating = (
  { apiKey, baseUrl, timeoutMs }: Pick<UpstreamSettings, "apiKey" | "baseUrl" | "timeoutMs">,
  form: GenerateForm,
  http: Pick<BoundedHttp, "send">,
  limits: GenerateLimits = defaultLimits
): Generating => {
  const settings = { timeoutMs, limits, secret: apiKey === null ? null : Redacted.value(apiKey) }
  const target = targetsBelow(baseUrl)

  const open = (body: RequestBody, ...[work, receiver, now]: Parameters<OpenGenerate>): GenerateCall => {
    const accept = work.isStreamed ? "text/event-stream" : "application/json"
    const headers = { accept, ...form.headers(work) }
    const request = { method: "POST", url: target(form.path(work)), headers, body, headMs: timeoutMs } as const
    return new GenerateCall({ work, receiver, now }, settings, (handler) => http.send(request, handler))
  }

  const generate = tracedFn("Upstream.generate")(function* (work: GenerateWork) {
    const body = yield* jsonBodyOf(form.body(work), work.bytes)
    const clock = yield* Clock.Clock
    const now = () => Instant.make(clock.currentTimeMillisUnsafe())
    const isStreamed = work.onEvents !== null
    return yield* new Taking((receiver) => open(body, { ...work, isStreamed }, receiver, now)).run(work.onEvents)
  })

  return {
    generate,
    openGenerate: (...opened) => open(jsonBody(form.body(opened[0])), ...opened),
    maxMs: timeoutMs + wholeMsOf(settings)
  }
}

type Taken = ReadonlyArray<LlmEvent> | GenerateAnswer

/** The answer to a fiber: the call is paused while the fiber has what came. */
class Taking implements GenerateReceiver {
  readonly #open: (receiver: GenerateReceiver) => GenerateCall
  #call: GenerateCall | undefined
  #resume: ((taken: Effect.Effect<Taken, UpstreamFailed>) => void) | undefined

  constructor(open: (receiver: GenerateReceiver) => GenerateCall) {
    this.#open = open
  }

  /** An interruption ends the request. */
  run(onEvents: GenerateWork["onEvents"]): Effect.Effect<GenerateAnswer, UpstreamFailed> {
    return Effect.ensuring(
      this.#toItsEnd(onEvents),
      Effect.sync(() => this.#call?.cancel())
    )
  }

  readonly events = (events: ReadonlyArray<LlmEvent>) => {
    this.#call?.pause()
    this.#resume?.(Effect.succeed(events))
    return true
  }
  readonly ended = (answer: GenerateAnswer) => this.#resume?.(Effect.succeed(answer))
  readonly failed = (error: UpstreamFailed) => this.#resume?.(Effect.fail(error))

  #toItsEnd(onEvents: GenerateWork["onEvents"]): Effect.Effect<GenerateAnswer, UpstreamFailed> {
    return Effect.gen({ self: this }, function* () {
      let taken = yield* this.#taken
      while (!("json" in taken)) {
        const goesOn = onEvents !== null && (yield* onEvents(taken))
        if (!goesOn) return this.#call!.answer
        taken = yield* this.#taken
      }
      return taken
    })
  }

  readonly #taken = Effect.callback<Taken, UpstreamFailed>((resume) => {
    this.#resume = resume
    if (this.#call === undefined) this.#call = this.#open(this)
    else this.#call.resume()
  })
}
