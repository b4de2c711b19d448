/** The route of speech synthesis: from a text to its audio, which is sent on as it comes. Source: docs/reference/speech-synthesis.md. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { tracedFn } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Models from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { type InferenceCaller, type InferenceRoute, InferenceRoutes, runHeaders } from "../routes/InferenceRoutes.ts"
import { speechFailureCodes } from "../run/InferenceRefusals.ts"
import type { Candidate } from "../run/RunAttempt.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import { afterBegun, maxStreamMs, StreamedRuns } from "../run/StreamedRun.ts"
import { SpeechOutlet, type SpeechSource } from "./SpeechOutlet.ts"
import { synthesisRefusal } from "./SynthesisChecks.ts"
import { contentTypeOf, type SynthesisRequest, speakRequest, synthesisFingerprint } from "./SynthesisRequest.ts"

export interface SynthesisInput {
  readonly request: SynthesisRequest
  readonly idempotencyKey: string | null
}

export type SynthesisOutcome =
  /** The kept answer of an earlier request. */
  | { readonly _tag: "Whole"; readonly result: RouteResult }
  /** Audio that has begun to come. */
  | {
      readonly _tag: "Stream"
      readonly contentType: string
      readonly queue: SpeechOutlet["queue"]
      /** What the answer says about its run, under names without the brand's prefix. */
      readonly headers: Readonly<Record<string, string>>
      /** The client has gone. Without an Idempotency-Key the run ends; with one it goes on to its end. */
      readonly abandon: Effect.Effect<void>
    }

/** A request with the way of its audio. */
interface Speaking {
  readonly request: SynthesisRequest
  readonly outlet: SpeechOutlet
}

export interface SpeechSynthesis {
  /** Answers a request of a caller that has been admitted, once its first audio has come. */
  readonly run: (
    caller: InferenceCaller,
    input: SynthesisInput
  ) => Effect.Effect<SynthesisOutcome, InferenceRefused | StorageError>
}

export const makeSpeechSynthesis = Effect.gen(function* () {
  const routes = yield* InferenceRoutes
  const streams = yield* StreamedRuns

  const execute = (caller: InferenceCaller, speaking: Speaking, key: string | null) => {
    const { outlet, request } = speaking
    const idempotency = key === null ? null : { key, fingerprint: synthesisFingerprint(request) }
    const asked = { request: speaking, model: request.model, idempotency }
    return Effect.onExit(routes.run(route, caller, asked), (exit) => finish(outlet, exit, caller.requestId))
  }

  const run = tracedFn("SpeechSynthesis.run")(function* (
    caller: InferenceCaller,
    input: SynthesisInput
  ): Effect.fn.Return<SynthesisOutcome, InferenceRefused | StorageError> {
    const { idempotencyKey, request } = input
    const outlet = yield* SpeechOutlet.make(request, idempotencyKey !== null)
    const work = execute(caller, { request, outlet }, idempotencyKey)
    const ran = yield* streams.run(work, outlet, { goesOn: idempotencyKey !== null })
    if (ran._tag === "Whole") return ran
    const { _tag, abandon, source } = ran
    const contentType = contentTypeOf(request, source.format)
    return { _tag, contentType, headers: runHeaders(source), queue: outlet.queue, abandon }
  })

  return { run } satisfies SpeechSynthesis
})

/** Each attempt passes its own audio on. */
const passedOn = () => Effect.void

const candidateOf = ({ outlet, request }: Speaking, model: Models.Model): Candidate<"speak", SpeechSource> => {
  const amount = { unit: "characters", characters: request.characters } as const
  return {
    model,
    maxMs: maxStreamMs,
    work: ({ model: name, upstream }) => {
      const work = { ...speakRequest(request, name, upstream.speakFormat), onBytes: passedOn }
      const cannot = upstream.speakRefusal?.(work) ?? null
      return cannot === null ? Result.succeed(work) : Result.fail(refuse("invalid_request", cannot))
    },
    run: ({ run, upstream }, work, { attempts }) => {
      const source = { upstream, format: work.format, attempts }
      const spoken = run({ ...work, onBytes: (bytes) => outlet.write(bytes, source) })
      return Effect.mapBoth(spoken, {
        onFailure: (error) => (outlet.hasBegun ? afterBegun(error) : error),
        onSuccess: () => source
      })
    },
    maxAmount: amount,
    amountOf: () => amount,
    amountSoFar: () => (outlet.hasBegun ? amount : null)
  }
}

const route: InferenceRoute<"speak", Speaking, SpeechSource> = {
  capability: "speak",
  failureCodes: speechFailureCodes,
  inputFaults: {
    param: "input",
    refused: "The model refused the request as it is. Check its fields.",
    tooLarge: "The request is too large for this model."
  },
  refusal: ({ request }, model) => synthesisRefusal(request, model),
  prepare: (speaking, model) =>
    Effect.succeed({
      candidate: candidateOf(speaking, model),
      encode: ({ answer }) => speaking.outlet.stored(answer)
    })
}

/** Ends an answer that has begun. */
const finish = (
  outlet: SpeechOutlet,
  exit: Exit.Exit<RouteResult, InferenceRefused | StorageError>,
  requestId: string
): Effect.Effect<void> => {
  if (!outlet.hasBegun) return Effect.void
  if (Exit.isSuccess(exit)) return outlet.end
  return outlet.breakOff(Option.getOrNull(Cause.findErrorOption(exit.cause)), requestId)
}
