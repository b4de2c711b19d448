/** One metered search: reserve, search, settle or release, and one row of the usage log. Source: docs/reference/metering.md#reserve, docs/reference/search.md#price. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type MeteredRequest, Metering, Prices, type UsageDetails } from "../../platform/billing/index.ts"
import type { ClaimLost, KeptAnswer } from "../../platform/idempotency/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import { ModelCatalogue } from "../catalogue/ModelCatalogue.ts"
import { codeless, inferenceCodes } from "../errors/InferenceErrors.ts"
import { logFailure as logReleaseFailure, type RunContext, type SpendingError, settleRetry } from "../run/MeteredRun.ts"
import { runUpstream } from "../run/RunUpstream.ts"
import type { UpstreamFailed } from "../upstreams/Upstream.ts"
import type { FoundPage, SearchProvider } from "./SearchProvider.ts"
import { searchFailureCodes } from "./SearchRefusals.ts"
import type { SearchWork } from "./SearchRequest.ts"

interface MeteredSearch<A> {
  readonly context: RunContext
  readonly provider: SearchProvider
  readonly work: SearchWork
  readonly encode: (pages: ReadonlyArray<FoundPage>) => A
  /** The encoded answer under its Idempotency-Key, which is stored with the bill; null where it has none. */
  readonly keptAnswer: (encoded: A) => KeptAnswer<ClaimLost> | null
}

export type SearchRunError = SpendingError | UpstreamFailed | ClaimLost | StorageError

const oneQuery: Prices.Amount = { unit: "queries", queries: 1 }

export interface SearchRun {
  /**
   * Reserves the price of a query, asks the provider, charges the answer, and writes the row of the usage log. Only the
   * provider's own work can be interrupted. When a search ends early, its reservation is released, and an answer that has
   * arrived is billed. No transaction is open while the provider works.
   */
  readonly run: <A>(search: MeteredSearch<A>) => Effect.Effect<A, SearchRunError>
  /** Fails where a query could not be paid for. Nothing stays reserved. */
  readonly checkPayment: (context: RunContext) => Effect.Effect<void, SpendingError | StorageError>
}

export const makeSearchRun = Effect.gen(function* () {
  const catalogue = yield* ModelCatalogue
  const metering = yield* Metering

  const reservationOf = ({ payer, usageId }: RunContext): MeteredRequest => ({
    id: usageId,
    payer,
    service: "search",
    maxCost: catalogue.cost(catalogue.defaultPrice("search"), oneQuery)
  })

  const release = (reserved: MeteredRequest, used: UsageDetails | null) =>
    logReleaseFailure(metering.release(reserved, used))

  const settle = Effect.fnUntraced(function* <A>(
    search: MeteredSearch<A>,
    reserved: MeteredRequest,
    pages: ReadonlyArray<FoundPage>
  ) {
    const { slot } = search.context
    const encoded = search.encode(pages)
    const along = { answer: search.keptAnswer(encoded), slot }
    yield* metering.settle(reserved, reserved.maxCost, yield* usageOf(search, codeless.answered, oneQuery), along).pipe(
      Effect.retry(settleRetry),
      // Another run has the key and pays; this one is only in the log.
      Effect.tapErrorTag("ClaimLost", () =>
        Effect.flatMap(usageOf(search, inferenceCodes.idempotency_in_progress.status), (used) =>
          release(reserved, used)
        )
      )
    )
    if (slot !== null) slot.isReleased = true
    return encoded
  })

  const run = <A>(search: MeteredSearch<A>): Effect.Effect<A, SearchRunError> =>
    Effect.uninterruptibleMask((interruptible) =>
      Effect.gen(function* () {
        const { context, provider, work } = search
        const reserved = reservationOf(context)
        yield* metering.reserve(reserved)
        const exit = yield* runUpstream({ work: provider.search(work), maxMs: provider.maxMs, interruptible })
        if (Exit.isSuccess(exit)) return yield* settle(search, reserved, exit.value)
        yield* release(reserved, yield* usageOf(search, statusOf(exit.cause)))
        return yield* Effect.failCause(exit.cause)
      })
    )

  const checkPayment = (context: RunContext) => {
    const reserved = reservationOf(context)
    return Effect.uninterruptible(Effect.andThen(metering.reserve(reserved), release(reserved, null)))
  }

  return { run, checkPayment } satisfies SearchRun
})

/** The status in the usage log of a search without an answer. */
const statusOf = (cause: Cause.Cause<UpstreamFailed>): number => {
  const failed = Cause.findErrorOption(cause)
  if (failed._tag === "Some") return inferenceCodes[searchFailureCodes[failed.value.why]].status
  return Cause.hasInterruptsOnly(cause) ? codeless.abandoned : codeless.failed
}

const usageOf = <A>(
  { context: { requestId, sessionId, startedAt, traceId }, provider }: MeteredSearch<A>,
  httpStatus: number,
  amount: Prices.Amount = Prices.nothing("queries")
): Effect.Effect<UsageDetails> =>
  Effect.map(Instant.now, (at) => ({
    requestId,
    model: provider.name,
    httpStatus,
    sessionId,
    traceId,
    latencyMs: at - startedAt,
    ...Prices.figuresOf(amount)
  }))
