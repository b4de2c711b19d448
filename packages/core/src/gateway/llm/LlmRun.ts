/** One request at one upstream: translated, metered, and its answer or its events translated back. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Models from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import type { AttemptPlace } from "../run/RunAttempt.ts"
import { afterBegun } from "../run/StreamedRun.ts"
import type { GenerateAnswer, GenerateWork } from "../upstreams/GenerateWork.ts"
import { UpstreamFailed, type UpstreamRoute } from "../upstreams/Upstream.ts"
import { choiceFault } from "./chat/FinishReason.ts"
import type { LlmOutlet } from "./LlmOutlet.ts"
import { type LlmRequest, sizeOf } from "./LlmRequest.ts"
import type { LlmUsage } from "./tokens/LlmUsage.ts"
import { estimatedInput } from "./tokens/TokenCount.ts"
import { meterAnswer, type UsageEstimate, UsageMeter } from "./tokens/UsageMeter.ts"
import { type ChosenTranslation, translationTo } from "./translate/LlmTranslations.ts"
import type { AnswerContext, EventTranslator, Json, LlmApi, LlmEvent } from "./translate/Translation.ts"

/** The receiver of a stream: whether a part has been passed on, and how the next one is. */
export type LlmSink = Pick<LlmOutlet, "hasBegun" | "write">

interface LlmRunOptions {
  readonly request: LlmRequest
  readonly model: Models.Model
  readonly maxOutputTokens: number
  /** Ids and instant of the answer. */
  readonly answer: Pick<AnswerContext, "createdAt" | "freshId" | "id">
  /** Null for an answer that is not streamed. */
  readonly outlet: LlmSink | null
  /** Whether our own agents read the answer: then an end by a word that nobody knows is a failure on every API. */
  readonly isForAgent?: boolean
}

/** What a run of the request returns, once its answer is whole. */
export interface LlmAnswer {
  /** In the caller's API; null of a stream, which has been sent. */
  readonly body: Json | null
  /** What is billed. */
  readonly usage: LlmUsage
}

/** The runs of a request, one for each of its attempts. */
export class LlmRun {
  readonly #options: LlmRunOptions
  readonly #context: AnswerContext
  readonly #estimate: UsageEstimate
  /** Of the stream that is sent. */
  #usageSoFar: () => LlmUsage | null = () => null

  constructor(options: LlmRunOptions) {
    const { answer, maxOutputTokens, model, request } = options
    this.#options = options
    const inputTokens = estimatedInput(request.size)
    this.#estimate = { inputTokens, maxOutputTokens: maxOutputTokens * request.answers }
    this.#context = { ...answer, request: request.body, model: model.id, inputEstimate: inputTokens }
  }

  /** What is billed when the client disconnects now; null where nothing has been sent to it. */
  get usageSoFar(): LlmUsage | null {
    return this.#options.outlet?.hasBegun === true ? this.#usageSoFar() : null
  }

  /** Whether an upstream has an API into which the request can be translated. */
  isServedBy({ upstream }: UpstreamRoute<"generate">): boolean {
    return translationTo(this.#options.request.api, upstream.apis ?? []) !== null
  }

  /** The request for an upstream that serves it; a refusal where its API cannot carry it. */
  workFor(route: UpstreamRoute<"generate">): Result.Result<GenerateWork, InferenceRefused> {
    const { maxOutputTokens, model, request } = this.#options
    const { api, translation } = translationTo(request.api, route.upstream.apis ?? [])!
    const headers = api === "messages" ? request.headers : {}
    return Result.mapBoth(
      translation.request(request.body, { model: model.id, upstreamModel: route.model, maxOutputTokens }),
      {
        onFailure: ({ message, param }) => refuse("invalid_request", { message, param }),
        onSuccess: (body): GenerateWork => ({
          api,
          task: "generate",
          body,
          bytes: sizeOf(request),
          headers,
          onEvents: null
        })
      }
    )
  }

  /** Runs the request at an upstream, to an answer or a stream in the caller's API. */
  run(
    route: UpstreamRoute<"generate">,
    work: GenerateWork,
    place: AttemptPlace
  ): Effect.Effect<LlmAnswer, UpstreamFailed> {
    const { outlet, request } = this.#options
    const chosen = translationTo(request.api, [work.api])!
    const ran =
      outlet === null
        ? Effect.flatMap(route.run(work), (answer) => this.#readWhole(chosen, answer))
        : this.#stream(chosen, { outlet, place, run: (onEvents) => route.run({ ...work, onEvents }) })
    return Effect.mapError(ran, (error) => withOwnParam(error, request.body))
  }

  #readWhole(
    { api, translation }: ChosenTranslation,
    answer: GenerateAnswer
  ): Effect.Effect<LlmAnswer, UpstreamFailed> {
    const failed = this.#faultIn(api, answer.json ?? {})
    if (failed !== null) return Effect.fail(failure("failed", failed, false))
    const metered = meterAnswer(api, answer.json ?? {}, this.#estimate)
    const read = translation.answer(metered.answer, this.#context)
    if (Result.isFailure(read)) return Effect.fail(failure("unreadable", read.failure.detail, false))
    return Effect.succeed({ body: read.success, usage: metered.usage })
  }

  #stream(
    { api, translation }: ChosenTranslation,
    { outlet, place, run }: Streaming
  ): Effect.Effect<LlmAnswer, UpstreamFailed> {
    const meter = new UsageMeter(api, this.#estimate, this.#options.request.answers)
    const translator = translation.events(this.#context)
    const translate = (events: ReadonlyArray<LlmEvent>) =>
      translateAll(translator, events, (data) => this.#faultIn(api, data))
    this.#usageSoFar = () => meter.usageSoFar
    let fault: Fault | null = null
    const send = (events: ReadonlyArray<LlmEvent>): Effect.Effect<boolean> => {
      const translated = translate(events.flatMap((event) => meter.push(event)))
      fault = translated.fault
      return Effect.as(outlet.write(translated.events, place), fault === null)
    }
    const finish = Effect.suspend(() => {
      const { events, fault } = translate(meter.end())
      const last = fault === null ? translator.end() : Result.fail({ detail: fault.detail })
      if (Result.isFailure(last)) return Effect.fail(failure("unreadable", last.failure.detail, outlet.hasBegun))
      const { usage } = meter
      this.#usageSoFar = () => usage
      return Effect.as(outlet.write([...events, ...last.success], place), { body: null, usage })
    })
    const ended = run(send)
    return Effect.matchEffect(ended, {
      // An upstream that breaks off after its whole answer has answered.
      onFailure: (error) => (meter.isWhole ? finish : Effect.fail(outlet.hasBegun ? afterBegun(error) : error)),
      onSuccess: (answer) => {
        const isWhole = answer.hasEndMark || meter.isWhole
        const wrong = fault ?? (isWhole ? null : cutOff)
        if (wrong !== null) return Effect.fail(failure(wrong.why, wrong.detail, outlet.hasBegun))
        return finish
      }
    })
  }

  /** What an answer or a chunk of the chat API says about a failure of its server. */
  #faultIn(api: LlmApi, data: Json): string | null {
    const { isForAgent = false, request } = this.#options
    return api === "chat_completions" ? choiceFault(data, request.api === api && !isForAgent) : null
  }
}

interface Streaming {
  readonly outlet: LlmSink
  readonly place: AttemptPlace
  readonly run: (
    onEvents: (events: ReadonlyArray<LlmEvent>) => Effect.Effect<boolean>
  ) => Effect.Effect<GenerateAnswer, UpstreamFailed>
}

interface Fault {
  readonly why: "failed" | "unreadable"
  readonly detail: string
}

const cutOff: Fault = { why: "unreadable", detail: "the stream ended before its answer was complete" }

/** An upstream names a field of what it got: after a translation that may be none of the caller's. */
const withOwnParam = (error: UpstreamFailed, body: Json): UpstreamFailed =>
  error.param === null || Object.hasOwn(body, /^\w+/.exec(error.param)?.[0] ?? "")
    ? error
    : new UpstreamFailed({ ...error, param: null })

/** The translations of events up to the first that cannot be read or has failed, and what is wrong with that one. */
const translateAll = (
  translator: EventTranslator,
  events: ReadonlyArray<LlmEvent>,
  failureIn: (data: Json) => string | null
): { readonly events: ReadonlyArray<LlmEvent>; readonly fault: Fault | null } => {
  const all: Array<LlmEvent> = []
  for (const event of events) {
    const failed = failureIn(event.data)
    if (failed !== null) return { events: all, fault: { why: "failed", detail: failed } }
    const translated = translator.push(event)
    if (Result.isFailure(translated)) {
      return { events: all, fault: { why: "unreadable", detail: translated.failure.detail } }
    }
    all.push(...translated.success)
  }
  return { events: all, fault: null }
}

const failure = (why: Fault["why"], detail: string, hasBegun: boolean): UpstreamFailed =>
  new UpstreamFailed({ why, detail, retryAfterSeconds: null, advice: null, hasBegun })
