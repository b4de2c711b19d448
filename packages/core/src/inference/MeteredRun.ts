/** One metered run of a model: reserve, run, settle or release, and one row of the usage log. Source: docs/metering.md#reserve, docs/metering.md#settle. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import {
  type BudgetExceeded,
  type ConcurrencySlot,
  type CreditsExceeded,
  KeyLimits,
  type MeteredRequest,
  Metering,
  type Payer,
  Prices,
  type QuotaExceeded,
  type UsageDetails
} from "../billing/index.ts"
import type { ClaimLost } from "../idempotency/index.ts"
import { type Ids, Instant } from "../kernel/index.ts"
import type { StorageError, Tx } from "../storage/index.ts"
import { codeless, inferenceCodes } from "./InferenceErrors.ts"
import type { Model } from "./Model.ts"
import { ModelCatalogue } from "./ModelCatalogue.ts"
import {
  type Answered,
  type Attempt,
  attemptOf,
  type Broken,
  type Candidate,
  NoUpstream,
  type RunFailed,
  tryCandidates,
  type Unanswered
} from "./RunAttempt.ts"
import { marginMs, runUpstream } from "./RunUpstream.ts"
import { type Capability, serviceOf, Upstreams, type UpstreamWhy } from "./Upstream.ts"

/** Who pays for a request, and how the usage log identifies it. */
export interface RunContext {
  readonly usageId: Ids.UsageId
  readonly payer: Payer
  /** The key's concurrency slot, which is released in the transaction of the bill; null for none. */
  readonly slot: ConcurrencySlot | null
  readonly requestId: string
  readonly sessionId: string | null
  readonly traceId: string | null
  readonly startedAt: Instant.Instant
}

export interface MeteredWork<C extends Capability, A> {
  readonly capability: C
  readonly context: RunContext
  /** In the order in which they are tried: the next one runs where an upstream failed and another may not. */
  readonly candidates: readonly [Candidate<C>, ...ReadonlyArray<Candidate<C>>]
  /** The status in the usage log of a run whose upstream failed. */
  readonly failureStatus: (why: UpstreamWhy) => number
  readonly encode: (answered: Answered<C>) => A
  /** Stores the encoded answer in the transaction of the bill. Where it fails nothing is charged. */
  readonly store: (encoded: A) => Effect.Effect<void, ClaimLost | StorageError, Tx>
}

export type SpendingError = QuotaExceeded | BudgetExceeded | CreditsExceeded
export type MeteredRunError = SpendingError | NoUpstream | RunFailed | ClaimLost | StorageError

export class MeteredRun extends Context.Service<
  MeteredRun,
  {
    /**
     * Reserves the maximum cost, runs the candidates until one answers, charges what it used and writes its row of the usage
     * log. Only the upstream's own work can be interrupted. Whatever ends a run early, its reservation is released, and an
     * answer that has arrived is billed. No transaction is open while a model runs.
     */
    readonly run: <C extends Capability, A>(work: MeteredWork<C, A>) => Effect.Effect<A, MeteredRunError>
    /** How long a run of these models holds its reservation at most, in milliseconds. */
    readonly leaseMs: (capability: Capability, models: ReadonlyArray<string>) => number
  }
>()("@trunkline/core/inference/MeteredRun") {
  static readonly layer = Layer.effect(
    MeteredRun,
    Effect.gen(function* () {
      const catalogue = yield* ModelCatalogue
      const limits = yield* KeyLimits
      const metering = yield* Metering
      const upstreams = yield* Upstreams

      const costOf = ({ price }: Model, amount: Prices.Amount) => catalogue.cost(price, amount)

      const leaseMs = (capability: Capability, models: ReadonlyArray<string>) =>
        models.reduce(
          (sum, model) => sum + (upstreams.route(capability, model)?.upstream.maxMs ?? noUpstreamMs),
          marginMs
        )

      const reservationOf = <C extends Capability, A>(work: MeteredWork<C, A>): MeteredRequest => ({
        id: work.context.usageId,
        payer: work.context.payer,
        service: serviceOf[work.capability],
        maxCost: maxOf(work.candidates.map(({ maxAmount, model }) => costOf(model, maxAmount))),
        leaseMs: leaseMs(
          work.capability,
          work.candidates.map(({ model }) => model.id)
        )
      })

      const attempt = <C extends Capability>(capability: C, candidate: Candidate<C>, interruptible: Interruptible) => {
        const route = upstreams.route(capability, candidate.model.id)
        if (route === null) return Effect.succeed<Attempt<C>>({ _tag: "NoUpstream", candidate })
        const work = route.run(candidate.work(route.model))
        return Effect.map(runUpstream({ work, maxMs: route.upstream.maxMs, interruptible }), (exit) =>
          attemptOf(candidate, route, exit)
        )
      }

      const release = (reserved: MeteredRequest, used: UsageDetails | null) =>
        logFailure(metering.release(reserved, used))

      const settle = Effect.fnUntraced(function* <C extends Capability, A>(
        work: MeteredWork<C, A>,
        reserved: MeteredRequest,
        answered: Answered<C>
      ) {
        const { amount, candidate } = answered
        const { context } = work
        const encoded = work.encode(answered)
        const details = (status: number, used: Prices.Amount) =>
          Effect.map(Instant.now, (at) => usageDetails({ context, model: candidate.model, status, amount: used, at }))
        const stored = work.store(encoded)
        yield* metering
          .settle(
            reserved,
            costOf(candidate.model, amount),
            yield* details(codeless.answered, amount),
            context.slot === null ? stored : Effect.andThen(stored, limits.release(context.slot))
          )
          .pipe(
            Effect.retry(settleRetry),
            // Another run has the key and pays; of this one only the log says something.
            Effect.tapErrorTag("ClaimLost", () =>
              Effect.flatMap(
                details(inferenceCodes.idempotency_in_progress.status, Prices.nothing(amount.unit)),
                (used) => release(reserved, used)
              )
            )
          )
        if (context.slot !== null) context.slot.isReleased = true
        return encoded
      })

      /** Ends a run that has no answer: its reservation is released, and its attempt fails. */
      const fail = Effect.fnUntraced(function* <C extends Capability, A>(
        work: MeteredWork<C, A>,
        reserved: MeteredRequest,
        unanswered: Unanswered<C>
      ) {
        const { candidate } = unanswered
        if (unanswered._tag === "NoUpstream") {
          yield* release(reserved, null)
          return yield* new NoUpstream({ model: candidate.model.id })
        }
        const status =
          unanswered._tag === "Failed" ? work.failureStatus(unanswered.error.why) : brokenStatus(unanswered)
        const amount = Prices.nothing(candidate.maxAmount.unit)
        const { context } = work
        yield* release(
          reserved,
          usageDetails({ context, model: candidate.model, status, amount, at: yield* Instant.now })
        )
        return yield* unanswered._tag === "Failed" ? Effect.fail(unanswered.error) : Effect.failCause(unanswered.cause)
      })

      const run = <C extends Capability, A>(work: MeteredWork<C, A>): Effect.Effect<A, MeteredRunError> =>
        Effect.uninterruptibleMask((interruptible) =>
          Effect.gen(function* () {
            const reserved = reservationOf(work)
            yield* metering.reserve(reserved)
            const ended = yield* tryCandidates(work.candidates, (candidate) =>
              attempt(work.capability, candidate, interruptible)
            )
            return yield* ended._tag === "Answered" ? settle(work, reserved, ended) : fail(work, reserved, ended)
          })
        )

      return MeteredRun.of({ run, leaseMs })
    })
  )
}

type Interruptible = <B>(effect: Effect.Effect<B>) => Effect.Effect<B>

/** Where no upstream is configured to run the model, and a request holds its reservation for a moment only. */
const noUpstreamMs = 60_000

/** An upstream that has answered has been paid: its bill is written, also when the storage fails for a moment. */
const settleRetry = {
  schedule: Schedule.exponential("50 millis"),
  times: 5,
  while: (error: { readonly _tag: string }) => error._tag === "StorageError"
}

/** A reservation that cannot be released now ends with its lease. */
const logFailure = (release: Effect.Effect<void, StorageError>): Effect.Effect<void> =>
  Effect.catchCause(release, (cause) => Effect.logError("what a request held is held until its lease ends", cause))

const brokenStatus = <C extends Capability>({ cause }: Broken<C>): number =>
  Cause.hasInterruptsOnly(cause) ? codeless.abandoned : codeless.failed

const maxOf = (costs: ReadonlyArray<bigint>): bigint => costs.reduce((max, cost) => (cost > max ? cost : max), 0n)

const usageDetails = ({
  amount,
  at,
  context: { requestId, sessionId, startedAt, traceId },
  model,
  status
}: {
  readonly context: RunContext
  readonly model: Model
  readonly status: number
  readonly amount: Prices.Amount
  readonly at: Instant.Instant
}): UsageDetails => ({
  ...{ requestId, model: model.id, httpStatus: status, sessionId, traceId, latencyMs: at - startedAt },
  ...Prices.figuresOf(amount)
})
