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
import { failureOf, StreamReader } from "./StreamReader.ts"
import type { LlmUsage } from "./tokens/LlmUsage.ts"
import { estimatedInput } from "./tokens/TokenCount.ts"
import { meterAnswer, type UsageEstimate, UsageMeter } from "./tokens/UsageMeter.ts"
import { type ChosenTranslation, translationTo } from "./translate/LlmTranslations.ts"
import type { AnswerContext, Json, LlmApi, LlmEvent } from "./translate/Translation.ts"

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
  /** The usage that is billed. */
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

  /** The billed usage of a client that disconnects now; null where nothing has been sent to it. */
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
        ? Effect.flatMap(route.run(work), (answer) => Effect.fromResult(this.readWhole(chosen, answer)))
        : this.#stream(chosen, { outlet, place, run: (onEvents) => route.run({ ...work, onEvents }) })
    return Effect.mapError(ran, (error) => this.ownFailure(error))
  }

  /** An upstream names a field of what it got: after a translation that may be none of the caller's. */
  ownFailure(error: UpstreamFailed): UpstreamFailed {
    const { body } = this.#options.request
    return error.param === null || Object.hasOwn(body, /^\w+/.exec(error.param)?.[0] ?? "")
      ? error
      : new UpstreamFailed({ ...error, param: null })
  }

  /** Reads an answer that is not streamed. */
  readWhole({ api, translation }: ChosenTranslation, answer: GenerateAnswer): Result.Result<LlmAnswer, UpstreamFailed> {
    const failed = this.#faultIn(api, answer.json ?? {})
    if (failed !== null) return Result.fail(failureOf({ why: "failed", detail: failed }, false))
    const metered = meterAnswer(api, answer.json ?? {}, this.#estimate)
    return Result.mapBoth(translation.answer(metered.answer, this.#context), {
      onFailure: ({ detail }) => failureOf({ why: "unreadable", detail }, false),
      onSuccess: (body) => ({ body, usage: metered.usage })
    })
  }

  /** Reads the stream of a work's answer into the caller's events. */
  reader({ api, translation }: ChosenTranslation): StreamReader {
    return new StreamReader(new UsageMeter(api, this.#estimate, this.#options.request.answers), {
      translator: translation.events(this.#context),
      faultIn: (data) => this.#faultIn(api, data)
    })
  }

  #stream(chosen: ChosenTranslation, { outlet, place, run }: Streaming): Effect.Effect<LlmAnswer, UpstreamFailed> {
    const reader = this.reader(chosen)
    this.#usageSoFar = () => reader.usageSoFar
    const send = (events: ReadonlyArray<LlmEvent>): Effect.Effect<boolean> => {
      const read = reader.push(events)
      return Effect.as(outlet.write(read, place), reader.fault === null)
    }
    const finish = Effect.suspend(() => {
      const last = reader.end()
      if (Result.isFailure(last)) return Effect.fail(failureOf(last.failure, outlet.hasBegun))
      const { usage } = reader
      this.#usageSoFar = () => usage
      return Effect.as(outlet.write(last.success, place), { body: null, usage })
    })
    return Effect.matchEffect(run(send), {
      // An upstream that breaks off after its whole answer has answered.
      onFailure: (error) => (reader.isWhole ? finish : Effect.fail(outlet.hasBegun ? afterBegun(error) : error)),
      onSuccess: (answer) => {
        const fault = reader.faultOf(answer)
        return fault === null ? finish : Effect.fail(failureOf(fault, outlet.hasBegun))
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
