/** One metered run of a model: reserve, run, settle or release, and one row of the usage log. Source: docs/reference/metering.md#reserve, docs/reference/metering.md#settle. */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import {
  type BudgetExceeded,
  type ConcurrencySlot,
  type CreditsExceeded,
  type MeteredRequest,
  Metering,
  type Money,
  type Payer,
  Prices,
  type QuotaExceeded,
  type UsageDetails,
  type Used
} from "../../platform/billing/index.ts"
import type { ClaimLost, KeptAnswer } from "../../platform/idempotency/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { StorageError, Tx } from "../../platform/storage/index.ts"
import type { FailedAttempt } from "../admission/HandedOver.ts"
import type { Model } from "../catalogue/Model.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { codeless, type InferenceRefused, inferenceCodes } from "../errors/InferenceErrors.ts"
import * as Ids from "../GatewayIds.ts"
import { type Capability, type RoutePlan, serviceOf, Upstreams, type UpstreamWhy } from "../upstreams/Upstream.ts"
import { CircuitBreakers } from "./CircuitBreakers.ts"
import {
  type Answered,
  type Attempt,
  type Broken,
  type Candidate,
  type Failed,
  NoUpstream,
  type RunFailed,
  type Unanswered
} from "./RunAttempt.ts"
import { runAttempts, Turns } from "./RunAttempts.ts"

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
  /** The first attempt, where it has been made and has failed: everything is reserved for it. Null or absent for none. */
  readonly attempt?: FailedAttempt | null
}

/** A run whose answer is an `Answer`, and is stored as an `A`. */
export interface MeteredWork<C extends Capability, Answer, A> {
  readonly capability: C
  readonly context: RunContext
  /** 0: it takes none of the plan's calls. Absent: as many as its amount is. */
  readonly calls?: 0
  /** Of its bill: relaxed where the caller soon commits something that is durable, which makes all before it so. */
  readonly durability?: "relaxed"
  readonly candidate: Candidate<C, Answer>
  /** The status in the usage log of an attempt that failed. */
  readonly failureStatus: (why: UpstreamWhy) => number
  readonly encode: (answered: Answered<C, Answer>) => A
  /** The encoded answer under its Idempotency-Key, which is stored with the bill; null or absent where it has none. */
  readonly keptAnswer?: (encoded: A) => KeptAnswer<ClaimLost> | null
  /** Stores what outlives the encoded answer in the transaction of the bill. Where it fails nothing is charged. */
  readonly store: (encoded: A, answer: Answer) => Effect.Effect<void, ClaimLost | StorageError, Tx>
}

export type SpendingError = QuotaExceeded | BudgetExceeded | CreditsExceeded
/** `InferenceRefused`: the first entry of the model's route cannot carry the request. */
export type MeteredRunError = SpendingError | InferenceRefused | NoUpstream | RunFailed | ClaimLost | StorageError

export class MeteredRun extends Context.Service<
  MeteredRun,
  {
    /**
     * Reserves the maximum cost, asks the entries of the model's route until one answers, charges what it used and writes its
     * row of the usage log, as for each attempt that failed. Only the upstream's own work and the waits between attempts can be
     * interrupted. When a run ends early, its reservation is released, and an answer that has arrived is billed. No
     * transaction is open while a model runs.
     */
    readonly run: <C extends Capability, Answer, A>(
      work: MeteredWork<C, Answer, A>
    ) => Effect.Effect<A, MeteredRunError>
    /** The entries of a model's route that can run the work; null for none. */
    readonly planOf: <C extends Capability, Answer, A>(work: MeteredWork<C, Answer, A>) => RoutePlan<C> | null
    /** The amount that is reserved for the work. */
    readonly reservationOf: <C extends Capability, Answer, A>(work: MeteredWork<C, Answer, A>) => MeteredRequest
    /** The amount that is charged for the work, and its row of the usage log. */
    readonly billOf: <C extends Capability, Answer, A>(
      work: MeteredWork<C, Answer, A>,
      used: UsedBy
    ) => { readonly due: Money.Nano; readonly used: Used }
    /** The last part of `run`, for an attempt that was made elsewhere: charges or releases the reservation. */
    readonly conclude: <C extends Capability, Answer, A>(
      work: MeteredWork<C, Answer, A>,
      reserved: MeteredRequest,
      attempt: Attempt<C, Answer>
    ) => Effect.Effect<A, MeteredRunError>
  }
>()("@trunkline/core/gateway/run/MeteredRun") {
  static readonly layer = Layer.effect(
    MeteredRun,
    Effect.gen(function* () {
      const breakers = yield* CircuitBreakers
      const catalogue = yield* ModelCatalogue
      const metering = yield* Metering
      const upstreams = yield* Upstreams

      const costOf = ({ price }: Model, amount: Prices.Amount) => catalogue.cost(price, amount)

      const planOf = <C extends Capability, Answer, A>({ candidate, capability }: MeteredWork<C, Answer, A>) =>
        servingPlan(upstreams.route(capability, candidate.model.id), candidate)

      const billOf: MeteredRun["Service"]["billOf"] = (work, used) => ({
        due: costOf(work.candidate.model, used.amount),
        used: { ...usageDetails(work, used), calls: work.calls ?? Prices.callsOf(used.amount) }
      })

      const reservationOf = <C extends Capability, Answer, A>({
        calls,
        candidate: { maxAmount, model },
        capability,
        context: { payer, usageId },
        durability
      }: MeteredWork<C, Answer, A>): MeteredRequest => ({
        id: usageId,
        payer,
        service: serviceOf[capability],
        maxCost: costOf(model, maxAmount),
        calls: calls ?? Prices.callsOf(maxAmount),
        ...(durability === undefined ? {} : { durability })
      })

      const release = (reserved: MeteredRequest, used: UsageDetails | null) =>
        logFailure(metering.release(reserved, used))

      const settle = Effect.fnUntraced(function* <C extends Capability, Answer, A>(
        work: MeteredWork<C, Answer, A>,
        reserved: MeteredRequest,
        answered: Answered<C, Answer>
      ) {
        const { amount } = answered
        const { context } = work
        const encoded = work.encode(answered)
        const { due, used } = billOf(work, { status: codeless.answered, amount, at: yield* Instant.now })
        const answer = work.keptAnswer?.(encoded) ?? null
        yield* metering
          .settle(reserved, due, used, { answer, store: work.store(encoded, answered.answer), slot: context.slot })
          .pipe(
            Effect.retry(settleRetry),
            // Another run has the key and pays; of this one only the log says something.
            Effect.tapErrorTag("ClaimLost", () =>
              Effect.flatMap(Instant.now, (at) =>
                release(reserved, unused(work, inferenceCodes.idempotency_in_progress.status, at))
              )
            )
          )
        if (context.slot !== null) context.slot.isReleased = true
        return encoded
      })

      /** Writes the row of an attempt that failed, where another one follows. */
      const record = Effect.fnUntraced(function* <C extends Capability, Answer, A>(
        work: MeteredWork<C, Answer, A>,
        reserved: MeteredRequest,
        { endedAt, error }: Failed
      ) {
        yield* Effect.logWarning(`${error.message}; another attempt follows`)
        const used = unused(work, work.failureStatus(error.why), endedAt)
        yield* Effect.catchCause(metering.logAttempt(reserved, { id: yield* Ids.fresh<"Usage">(), used }), (cause) =>
          Effect.logError("the row of an attempt that failed could not be written", cause)
        )
      })

      /** Bills what a client has got that left in the middle of its answer. */
      const settleAbandoned = Effect.fnUntraced(function* <C extends Capability, Answer, A>(
        work: MeteredWork<C, Answer, A>,
        reserved: MeteredRequest,
        amount: Prices.Amount
      ) {
        const { due, used } = billOf(work, { status: codeless.abandoned, amount, at: yield* Instant.now })
        const settled = metering.settle(reserved, due, used)
        yield* logFailure(Effect.asVoid(Effect.retry(settled, settleRetry)))
      })

      /** Ends a run that has no answer: its reservation is released, and its attempt fails. */
      const fail = Effect.fnUntraced(function* <C extends Capability, Answer, A>(
        work: MeteredWork<C, Answer, A>,
        reserved: MeteredRequest,
        unanswered: Unanswered
      ) {
        const status =
          unanswered._tag === "Failed" ? work.failureStatus(unanswered.error.why) : brokenStatus(unanswered)
        const amount = status === codeless.abandoned ? (work.candidate.amountSoFar?.() ?? null) : null
        yield* amount === null
          ? release(reserved, unused(work, status, yield* Instant.now))
          : settleAbandoned(work, reserved, amount)
        return yield* unanswered._tag === "Failed" ? Effect.fail(unanswered.error) : Effect.failCause(unanswered.cause)
      })

      const conclude = <C extends Capability, Answer, A>(
        work: MeteredWork<C, Answer, A>,
        reserved: MeteredRequest,
        attempt: Attempt<C, Answer>
      ): Effect.Effect<A, MeteredRunError> =>
        Effect.uninterruptible(
          Effect.suspend(
            (): Effect.Effect<A, MeteredRunError> =>
              attempt._tag === "Answered" ? settle(work, reserved, attempt) : fail(work, reserved, attempt)
          )
        )

      const run = <C extends Capability, Answer, A>(
        work: MeteredWork<C, Answer, A>
      ): Effect.Effect<A, MeteredRunError> =>
        Effect.uninterruptibleMask((interruptible) =>
          Effect.gen(function* () {
            const { candidate, context } = work
            const plan = planOf(work)
            const turns = plan === null ? null : new Turns(candidate, plan, breakers)
            if (turns !== null) yield* Effect.fromResult(turns.carried)
            const reserved = reservationOf(work)
            const first = context.attempt ?? null
            if (first === null) yield* metering.reserve(reserved)
            else first.isTaken = true
            if (turns === null) {
              yield* release(reserved, null)
              return yield* new NoUpstream({ model: candidate.model.id })
            }
            const recordFailed = (failed: Failed) => record(work, reserved, failed)
            const attempts = runAttempts(turns, { interruptible, record: recordFailed, first })
            return yield* conclude(work, reserved, yield* attempts)
          })
        )

      return MeteredRun.of({ run, planOf, reservationOf, billOf, conclude })
    })
  )
}

/** The entries of a plan that can run the work; null for none. */
const servingPlan = <C extends Capability>(
  plan: RoutePlan<C> | null,
  { isServedBy = () => true }: Pick<Candidate<C>, "isServedBy">
): RoutePlan<C> | null => {
  const [first, ...others] = plan?.entries.filter((entry) => isServedBy(entry)) ?? []
  return plan === null || first === undefined ? null : { ...plan, entries: [first, ...others] }
}

/** An upstream that has answered has been paid: its bill is written, also when the storage fails for a moment. */
export const settleRetry = {
  schedule: Schedule.exponential("50 millis"),
  times: 5,
  while: (error: { readonly _tag: string }) => error._tag === "StorageError"
}

/** A reservation that cannot be released now is released later, by the ledger or when the process's lease is over. */
export const logFailure = (release: Effect.Effect<void, StorageError>): Effect.Effect<void> =>
  Effect.catchCause(release, (cause) =>
    Effect.logError("what a request held could not be released, and is held for another 20 seconds", cause)
  )

const brokenStatus = ({ cause }: Broken): number =>
  Cause.hasInterruptsOnly(cause) ? codeless.abandoned : codeless.failed

/** What a run has used, and as what it has ended. */
export interface UsedBy {
  readonly status: number
  readonly amount: Prices.Amount
  readonly at: Instant.Instant
}

/** The row of a run that has used nothing. */
export const unused = <C extends Capability, Answer, A>(
  work: MeteredWork<C, Answer, A>,
  status: number,
  at: Instant.Instant
): UsageDetails => usageDetails(work, { status, amount: Prices.nothing(work.candidate.maxAmount.unit), at })

const usageDetails = <C extends Capability, Answer, A>(
  { candidate: { model }, context: { requestId, sessionId, startedAt, traceId } }: MeteredWork<C, Answer, A>,
  { amount, at, status }: UsedBy
): UsageDetails => ({
  requestId,
  model: model.id,
  httpStatus: status,
  sessionId,
  traceId,
  latencyMs: at - startedAt,
  ...Prices.figuresOf(amount)
})
