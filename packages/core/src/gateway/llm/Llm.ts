/** The routes of language models: from a request in one of three APIs to an answer or a stream of events. Source: docs/reference/language-models.md. */

import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  type ClaimLost,
  type StoredResponse,
  type StoreResponse,
  storedJson,
  storedText
} from "../../platform/idempotency/index.ts"
import { Instant, ownTurn, tracedFn } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type * as Models from "../catalogue/Model.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import * as Ids from "../GatewayIds.ts"
import { type InferenceCaller, type InferenceRoute, InferenceRoutes } from "../routes/InferenceRoutes.ts"
import type { Answered } from "../run/RunAttempt.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import { StreamedRuns } from "../run/StreamedRun.ts"
import { KeptResponses } from "./kept/KeptResponses.ts"
import { llmRefusal, visionRefusal } from "./LlmChecks.ts"
import { LlmOutlet } from "./LlmOutlet.ts"
import { type LlmRequest, llmFingerprint, sizeOf } from "./LlmRequest.ts"
import type { LlmAnswer } from "./LlmRun.ts"
import { freshIds, llmFailures, llmWork } from "./LlmWork.ts"
import { errorEvents } from "./StreamErrors.ts"
import type { LlmApi } from "./translate/Translation.ts"

export interface LlmInput {
  readonly request: LlmRequest
  readonly idempotencyKey: string | null
}

/** A stream that has begun. */
export interface LlmStream {
  readonly outlet: LlmOutlet
  /** Upstreams that were asked until it began. */
  readonly attempts: number
  /** The client has gone. Without an Idempotency-Key the run ends; with one it goes on to its end. */
  readonly abandon: Effect.Effect<void>
}

export type LlmOutcome =
  | { readonly _tag: "Whole"; readonly result: RouteResult }
  | ({ readonly _tag: "Stream" } & LlmStream)

/** A request with the way of its answer. */
interface Asked {
  readonly request: LlmRequest
  /** Null for an answer that is not streamed. */
  readonly outlet: LlmOutlet | null
}

export class Llm extends Context.Service<
  Llm,
  {
    /** Answers a request of a caller that has been admitted: whole, or once the first event of its stream has come. */
    readonly run: (
      caller: InferenceCaller,
      input: LlmInput
    ) => Effect.Effect<LlmOutcome, InferenceRefused | StorageError>
    /** Answers a request without a client, whole: `store` stores the response in the transaction of the bill. */
    readonly answer: (
      caller: InferenceCaller,
      request: LlmRequest,
      store: StoreResponse
    ) => Effect.Effect<StoredResponse, ClaimLost | InferenceRefused | StorageError>
  }
>()("@trunkline/core/gateway/llm/Llm") {
  static readonly layer = Layer.effect(
    Llm,
    Effect.gen(function* () {
      const responses = yield* KeptResponses
      const routes = yield* InferenceRoutes
      const streams = yield* StreamedRuns

      const prepare = Effect.fnUntraced(function* (asked: Asked, model: Models.Model, { payer }: InferenceCaller) {
        const { outlet } = asked
        const { tenantId } = payer
        const next = yield* Ids.source
        const { kept, request } = yield* responses.resolve(tenantId, asked.request, freshIds(next))
        yield* passes(visionRefusal(request, model))
        const { candidate } = llmWork(request, model, { at: yield* Instant.now, next, outlet })
        // The request is translated next.
        yield* ownTurn(sizeOf(request), () => Effect.void)
        const keep = ({ body }: LlmAnswer) => {
          const response = outlet === null ? body : outlet.response
          return kept === null || response === null
            ? Effect.void
            : responses.keep({ ...kept, id: String(response.id), tenantId, response })
        }
        return {
          candidate,
          encode: ({ answer }: Answered<"generate", LlmAnswer>) => responseOf(answer, outlet),
          keep
        }
      })

      const routeOf = (api: LlmApi): InferenceRoute<"generate", Asked, LlmAnswer> => ({
        ...llmFailures(api),
        refusal: ({ request }, model) => llmRefusal(request, model),
        prepare
      })

      const execute = Effect.fnUntraced(function* (caller: InferenceCaller, asked: Asked, key: string | null) {
        const { request } = asked
        return yield* routes.run(routeOf(request.api), caller, {
          request: asked,
          model: String(request.body.model),
          idempotency: key === null ? null : { key, fingerprint: yield* llmFingerprint(request) }
        })
      })

      const stream = Effect.fnUntraced(function* (caller: InferenceCaller, { idempotencyKey, request }: LlmInput) {
        const outlet = yield* LlmOutlet.make(request.api, idempotencyKey !== null)
        const work = Effect.onExit(execute(caller, { request, outlet }, idempotencyKey), (exit) =>
          finish(request, outlet, exit, caller.requestId)
        )
        const ran = yield* streams.run(work, outlet, { goesOn: idempotencyKey !== null })
        if (ran._tag === "Whole") return ran
        const { _tag, abandon, source } = ran
        return { _tag, outlet, attempts: source.attempts, abandon }
      })

      const whole = (caller: InferenceCaller, { idempotencyKey, request }: LlmInput) =>
        Effect.map(
          execute(caller, { request, outlet: null }, idempotencyKey),
          (result): LlmOutcome => ({ _tag: "Whole", result })
        )

      const run = tracedFn("Llm.run")(function* (caller: InferenceCaller, input: LlmInput) {
        return yield* input.request.isStreamed ? stream(caller, input) : whole(caller, input)
      })

      const answer = tracedFn("Llm.answer")(function* (
        caller: InferenceCaller,
        request: LlmRequest,
        store: StoreResponse
      ) {
        const asked = { request: { request, outlet: null }, model: String(request.body.model) }
        return yield* routes.answer(routeOf(request.api), caller, asked, store)
      })

      return Llm.of({ run, answer })
    })
  )
}

export const passes = (refused: InferenceRefused | null): Effect.Effect<void, InferenceRefused> =>
  refused === null ? Effect.void : Effect.fail(refused)

const responseOf = ({ body }: LlmAnswer, outlet: LlmOutlet | null): StoredResponse =>
  outlet === null ? storedJson(body) : storedText("text/event-stream", outlet.whole)

/** Ends a stream that has begun: with its end mark, or with the error by which it ended. */
const finish = (
  { api }: LlmRequest,
  outlet: LlmOutlet,
  exit: Exit.Exit<RouteResult, InferenceRefused | StorageError>,
  requestId: string
): Effect.Effect<void> => {
  if (!outlet.hasBegun) return Effect.void
  if (Exit.isSuccess(exit)) return Effect.andThen(outlet.writeEnd(), outlet.end)
  const failed = Option.getOrNull(Cause.findErrorOption(exit.cause))
  const events = errorEvents(api, failed, requestId, outlet.position)
  return Effect.andThen(outlet.writeError(events), outlet.end)
}
