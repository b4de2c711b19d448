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
import { languageModelFailureCodes } from "../run/InferenceRefusals.ts"
import type { RouteResult } from "../run/RunOnce.ts"
import { StreamedRuns } from "../run/StreamedRun.ts"
import { KeptResponses, type ResolvedRequest } from "./kept/KeptResponses.ts"
import { llmCandidate } from "./LlmCandidate.ts"
import { llmRefusal, visionRefusal } from "./LlmChecks.ts"
import { inputFaults } from "./LlmInputFaults.ts"
import { LlmOutlet } from "./LlmOutlet.ts"
import { type LlmRequest, llmFingerprint, sizeOf } from "./LlmRequest.ts"
import { LlmRun } from "./LlmRun.ts"
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

/** A request with the run that answers it. */
interface Running {
  readonly tenantId: Ids.AccountId
  readonly request: LlmRequest
  readonly outlet: LlmOutlet | null
  run: LlmRun | null
  /** What is kept of the request beside its answer; null where the response is not kept. */
  kept: ResolvedRequest["kept"]
}

const idPrefixes: Readonly<Record<LlmApi, string>> = {
  chat_completions: "chatcmpl-",
  messages: "msg_",
  responses: "resp_"
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

      const prepare = Effect.fnUntraced(function* (running: Running, model: Models.Model) {
        const { outlet, tenantId } = running
        const next = yield* Ids.source
        const freshId = (prefix: string) => `${prefix}_${next().replaceAll("-", "")}`
        const { kept, request } = yield* responses.resolve(tenantId, running.request, freshId)
        yield* passes(visionRefusal(request, model))
        running.kept = kept
        const maxOutputTokens = request.outputLimit?.tokens ?? maxOutputTokensOf(model)
        const id = `${idPrefixes[request.api]}${next().replaceAll("-", "")}`
        const createdAt = Math.floor((yield* Instant.now) / Instant.second)
        // The request is translated next.
        yield* ownTurn(sizeOf(request), () => Effect.void)
        const run = new LlmRun({ request, model, maxOutputTokens, answer: { id, freshId, createdAt }, outlet })
        running.run = run
        return {
          candidate: llmCandidate(run, request, model, maxOutputTokens),
          encode: () => responseOf(running),
          keep: Effect.suspend(() => keep(running))
        }
      })

      const keep = ({ kept, outlet, run, tenantId }: Running) => {
        const response = outlet === null ? run?.body : outlet.response
        return kept === null || response == null
          ? Effect.void
          : responses.keep({ ...kept, id: String(response.id), tenantId, response })
      }

      const routeOf = (api: LlmApi): InferenceRoute<"generate", Running> => ({
        capability: "generate",
        failureCodes: languageModelFailureCodes,
        inputFaults: inputFaults[api],
        refusal: ({ request }, model) => llmRefusal(request, model),
        prepare
      })

      const execute = Effect.fnUntraced(function* (caller: InferenceCaller, running: Running, key: string | null) {
        const { request } = running
        return yield* routes.run(routeOf(request.api), caller, {
          request: running,
          model: String(request.body.model),
          idempotency: key === null ? null : { key, fingerprint: yield* llmFingerprint(request) }
        })
      })

      const stream = Effect.fnUntraced(function* (caller: InferenceCaller, { idempotencyKey, request }: LlmInput) {
        const outlet = yield* LlmOutlet.make(request.api, idempotencyKey !== null)
        const running = runningOf(caller, request, outlet)
        const work = Effect.onExit(execute(caller, running, idempotencyKey), (exit) =>
          finish(running, outlet, exit, caller.requestId)
        )
        const ran = yield* streams.run(work, outlet, { goesOn: idempotencyKey !== null })
        return ran._tag === "Whole" ? ran : { ...ran, outlet, attempts: running.run?.attempts ?? 1 }
      })

      const whole = (caller: InferenceCaller, { idempotencyKey, request }: LlmInput) =>
        Effect.map(
          execute(caller, runningOf(caller, request, null), idempotencyKey),
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
        const running = { request: runningOf(caller, request, null), model: String(request.body.model) }
        return yield* routes.answer(routeOf(request.api), caller, running, store)
      })

      return Llm.of({ run, answer })
    })
  )
}

const maxOutputTokensOf = ({ id, limits }: Models.Model): number => {
  if (limits.maxOutputTokens === null) throw new Error(`the language model ${id} has no max_output_tokens`)
  return limits.maxOutputTokens
}

const runningOf = ({ payer }: InferenceCaller, request: LlmRequest, outlet: LlmOutlet | null): Running => ({
  ...{ tenantId: payer.tenantId, request, outlet },
  ...{ run: null, kept: null }
})

export const passes = (refused: InferenceRefused | null): Effect.Effect<void, InferenceRefused> =>
  refused === null ? Effect.void : Effect.fail(refused)

const responseOf = ({ outlet, run }: Running): StoredResponse =>
  outlet === null ? storedJson(run?.body ?? {}) : storedText("text/event-stream", outlet.whole)

/** Ends a stream that has begun: with its end mark, or with the error by which it ended. */
const finish = (
  { request }: Running,
  outlet: LlmOutlet,
  exit: Exit.Exit<RouteResult, InferenceRefused | StorageError>,
  requestId: string
): Effect.Effect<void> => {
  if (!outlet.hasBegun) return Effect.void
  if (Exit.isSuccess(exit)) return Effect.andThen(outlet.writeEnd(), outlet.end)
  const failed = Option.getOrNull(Cause.findErrorOption(exit.cause))
  const events = errorEvents(request.api, failed, requestId, outlet.position)
  return Effect.andThen(outlet.write(events), outlet.end)
}
