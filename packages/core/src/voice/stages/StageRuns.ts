/** Runs the requests of a session's stages: metered, and answered as soon as the upstream has. Source: docs/reference/voice-agent.md#pipeline. */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { ModelCatalogue, type Models } from "../../gateway/catalogue/index.ts"
import { inferenceCodes } from "../../gateway/errors/index.ts"
import {
  type Candidate,
  languageModelFailureCodes,
  MeteredRun,
  type MeteredRunError,
  speechFailureCodes
} from "../../gateway/run/index.ts"
import { type Capability, serviceOf } from "../../gateway/upstreams/index.ts"
import { Authentication } from "../../platform/accounts/index.ts"
import type { Payer } from "../../platform/billing/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import * as Ids from "../VoiceIds.ts"
import { StageFailed } from "./Pipeline.ts"

/** A request whose upstream answers with an `Answer`, and the stage with an `A`. */
interface StageRequest<C extends Capability, Answer, A> {
  readonly capability: C
  readonly turnId: Ids.TurnId
  /** Its id in the catalogue. */
  readonly model: string
  readonly candidate: (model: Models.Model) => Effect.Effect<Candidate<C, Answer>>
  /** The answer, once the upstream has given it. */
  readonly answer: (answered: Answer) => A
}

export interface SessionRuns {
  /**
   * Succeeds once the upstream has answered; the bill is written beside that. An interruption ends the request upstream, and
   * does not wait for the bill either.
   */
  readonly run: <C extends Capability, Answer, A>(request: StageRequest<C, Answer, A>) => Effect.Effect<A, StageFailed>
}

export interface StageRuns {
  /** The runs of a session. The scope ends once every request has its bill. */
  readonly open: (session: {
    readonly sessionId: Ids.VoiceSessionId
    readonly payer: Payer
  }) => Effect.Effect<SessionRuns, never, Scope.Scope>
}

export const makeStageRuns = Effect.gen(function* () {
  const authentication = yield* Authentication
  const catalogue = yield* ModelCatalogue
  const metered = yield* MeteredRun

  const modelFor = (capability: Capability, id: string) => {
    const model = catalogue.get(id)
    return model?.status === "active" && model.category === serviceOf[capability]
      ? Effect.succeed(model)
      : Effect.fail(new StageFailed({ reason: "unavailable", detail: `the model ${id} is not in service` }))
  }

  /** The session's key may have expired, or been revoked, since the session began. */
  const checkKey = ({ key }: Payer) =>
    key === null
      ? Effect.void
      : Effect.mapError(authentication.identifyKey(key.id), (error) =>
          error._tag === "StorageError"
            ? unreachable(error)
            : new StageFailed({ reason: "budget", detail: "the session's key has expired or was revoked" })
        )

  const open: StageRuns["open"] = Effect.fnUntraced(function* ({ payer, sessionId }) {
    const fibers = new Set<Fiber.Fiber<void>>()
    yield* Effect.addFinalizer(() => Effect.suspend(() => Fiber.interruptAll([...fibers])))

    const start = Effect.fnUntraced(function* <C extends Capability, Answer, A>(
      { answer, candidate, capability, model: id, turnId }: StageRequest<C, Answer, A>,
      answered: Deferred.Deferred<A, StageFailed>
    ) {
      const startedAt = yield* Instant.now
      const model = yield* modelFor(capability, id)
      yield* checkKey(payer)
      const usageId = yield* Ids.fresh<"Usage">()
      const codes = serviceOf[capability] === "llm" ? languageModelFailureCodes : speechFailureCodes
      yield* metered.run({
        capability,
        calls: 0,
        // Each turn's transcript is durable, and with it all that was written before.
        durability: "relaxed",
        context: { usageId, requestId: usageId, payer, slot: null, sessionId, traceId: turnId, startedAt },
        candidate: yield* candidate(model),
        failureStatus: (why) => inferenceCodes[codes[why]].status,
        // Called before the bill is written: the caller must not wait for the database.
        encode: (ran) => void Deferred.doneUnsafe(answered, Effect.succeed(answer(ran.answer))),
        store: () => Effect.void
      })
    })

    /** Says to the operator why a stage has no result. */
    const logged = ({ capability, model }: Named, reason: string, startedAt: Instant.Instant) =>
      Effect.flatMap(Instant.now, (at) =>
        Effect.logWarning(
          `the voice session ${sessionId}: ${verbs[capability]} by ${model} failed after ${at - startedAt} ms: ${reason}`
        )
      )

    const run: SessionRuns["run"] = (request) =>
      Effect.flatMap(Instant.now, (startedAt) => {
        type A = ReturnType<typeof request.answer>
        const answered = Deferred.makeUnsafe<A, StageFailed>()
        const work = Effect.matchCauseEffect(start(request, answered), {
          onSuccess: () => Effect.void,
          onFailure: (cause) => {
            const failed = stageFailure(cause)
            const isFirst = Deferred.doneUnsafe(answered, Effect.fail(failed))
            if (Cause.hasInterruptsOnly(cause)) return Effect.void
            if (!isFirst) return Effect.logError("the bill of a stage could not be written", cause)
            const isCustomers = failed.reason === "credits" || failed.reason === "budget"
            return isCustomers ? Effect.void : logged(request, operatorsReason(cause, failed), startedAt)
          }
        })
        return Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(Effect.forkDetach(Effect.interruptible(work)), (fiber) => {
            fibers.add(fiber)
            fiber.addObserver(() => fibers.delete(fiber))
            return Effect.onInterrupt(restore(Deferred.await(answered)), () =>
              Effect.sync(() => fiber.interruptUnsafe())
            )
          })
        )
      })

    return { run }
  })

  return { open } satisfies StageRuns
})

type Named = Pick<StageRequest<Capability, unknown, unknown>, "capability" | "model">

const verbs: Readonly<Partial<Record<Capability, string>>> = {
  transcribe: "listening",
  generate: "thinking",
  speak: "speaking"
}

const unreachable = ({ reason }: StorageError): StageFailed =>
  new StageFailed({ reason: "failed", detail: `the storage cannot be reached: ${reason}` })

/** For the log, which alone names the upstream and what it said. */
const operatorsReason = (cause: Cause.Cause<MeteredRunError | StageFailed>, { detail }: StageFailed): string => {
  const found = Cause.findErrorOption(cause)
  return found._tag === "Some" && found.value._tag === "RunFailed" ? found.value.message : detail
}

/** What ended a stage's request, in our own words. Pure. */
const stageFailure = (cause: Cause.Cause<MeteredRunError | StageFailed>): StageFailed => {
  const found = Cause.findErrorOption(cause)
  if (found._tag === "None") return new StageFailed({ reason: "failed", detail: "a fault of ours, or an interruption" })
  const error = found.value
  switch (error._tag) {
    case "StageFailed":
      return error
    case "CreditsExceeded":
      return new StageFailed({ reason: "credits", detail: "the balance does not cover the request" })
    case "BudgetExceeded":
      return new StageFailed({ reason: "budget", detail: "the key's budget does not cover the request" })
    case "QuotaExceeded":
      return new StageFailed({ reason: "budget", detail: error.message })
    case "NoUpstream":
      return new StageFailed({ reason: "unavailable", detail: error.message })
    case "RunFailed":
      return new StageFailed({ reason: "failed", detail: `the upstream failed: ${error.why}` })
    case "InferenceRefused":
      return new StageFailed({ reason: "failed", detail: "the model cannot take the request" })
    case "ClaimLost":
      return new StageFailed({ reason: "failed", detail: "another run has answered" })
    case "StorageError":
      return unreachable(error)
  }
}
