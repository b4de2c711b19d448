/** One Idempotency-Key, one run: the first response is stored for a day and replayed. Source: docs/reference/gateway.md#idempotency. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { Instant, renewing, tracedFn } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import {
  AccountLimits,
  AccountTotals,
  checkRoom,
  type LimitReached,
  Storage,
  type StorageError,
  type Tx
} from "../storage/index.ts"
import { ActingRun, CurrentRun } from "./ActingRun.ts"
import { IdempotencyStore } from "./IdempotencyStore.ts"
import {
  begunRun,
  type ClaimedRun,
  ClaimLost,
  type Executed,
  IdempotencyRefused,
  type IdempotentRequest,
  isSuccess,
  isUsableKey,
  type KeptAnswer,
  type Replayed,
  replayedUntil,
  resolveExisting,
  type StoredResponse,
  storable,
  type WrittenResponse
} from "./IdempotentRequest.ts"
import { KeyClaims } from "./KeyClaims.ts"

/**
 * Stores the response of a run, in the transaction of what it reports and charges. Fails with `ClaimLost`, and so ends that
 * transaction, when the claim is no longer current.
 */
export interface StoreResponse {
  (response: WrittenResponse): Effect.Effect<void, ClaimLost | StorageError, Tx>
  /** The run whose response it is: the ledger stores it with the bill. Absent for a response that is stored elsewhere. */
  readonly run?: ClaimedRun
}

/** The response of a run as the ledger stores it; null where it is stored elsewhere, or nowhere. */
export const keptAnswerOf = ({ run }: StoreResponse, response: WrittenResponse): KeptAnswer<ClaimLost> | null =>
  run === undefined ? null : { run, response, lost: new ClaimLost() }

/** A request, with the claim of its run where that has begun elsewhere. */
export interface RunRequest extends IdempotentRequest {
  readonly claim?: string | null
}

/** The request runs; `claim` proves its run. */
export interface Begun {
  readonly _tag: "Begun"
  readonly claim: string
}

/** Responses that are removed in one transaction: each may be of several megabytes. */
const sweepBatch = 100

export class Idempotency extends Context.Service<
  Idempotency,
  {
    /**
     * Begins a run, or replays the response of the first one. Fails with `key_reused` for another request, with `in_progress`
     * while the first one runs, and with `key_invalid` for a key of no or of more than 255 characters. An account whose responses
     * take as much room as they may begins no run: those that run by then may still store theirs.
     */
    readonly begin: (
      request: IdempotentRequest
    ) => Effect.Effect<Begun | Replayed, IdempotencyRefused | LimitReached | StorageError>
    /**
     * Ends a run: stores its response, or with null forgets the run, so that the key may carry any request again. A response
     * that is no success is forgotten too. A claim that is no longer current changes nothing.
     */
    readonly finish: (
      request: IdempotentRequest,
      claim: string,
      response: StoredResponse | null
    ) => Effect.Effect<void, StorageError>
    /** Stores the response in the caller's transaction, so that it is committed together with the bill or not at all. */
    readonly storing: (request: IdempotentRequest, claim: string) => StoreResponse
    /** Makes the lease of a run last for its time from now. A claim that is no longer current changes nothing. */
    readonly renew: (run: ClaimedRun, leaseMs: number) => Effect.Effect<void, StorageError>
    /**
     * Runs the work of a request, or replays the response of the first one. The ledger decides its claim, unless it has begun
     * elsewhere. Its lease is renewed while the work runs. The work stores its response by what it is given,
     * and leaves the key free when it fails or is interrupted. A run that lost its claim returns what the run that has it
     * answered. Fails as `begin` and as the work.
     */
    readonly run: <A, E, R>(
      request: RunRequest,
      work: (store: StoreResponse) => Effect.Effect<A, E | ClaimLost, R>
    ) => Effect.Effect<Executed<A> | Replayed, RunError<E>, R>
    /**
     * Runs work that itself changes or sends something, or replays the response of the first run. The first transaction that the work
     * commits notes that the run has acted. From then on the request is never run again: where it ends without an answer, the
     * same request fails with `outcome_unknown` until the key expires. Work that has not acted, or said by `leavesNothing` that
     * nothing stands, leaves its key free. It runs to its end also when its caller is gone. Fails as `begin`.
     */
    readonly perform: <A, E, R>(
      request: IdempotentRequest,
      work: Effect.Effect<A, E, R>,
      responseOf: (result: A) => Effect.Effect<StoredResponse>
    ) => Effect.Effect<Performed<A, E>, IdempotencyRefused | LimitReached | StorageError, R>
    /** Removes responses that have expired; returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/platform/idempotency/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* IdempotencyStore
      const totals = yield* AccountTotals
      const claims = yield* KeyClaims
      const { keptAnswerBytes: max } = yield* AccountLimits

      const checkTotal = Effect.fnUntraced(function* (tenantId: Ids.AccountId) {
        if (max === null) return
        const present = yield* totals.read(tenantId, "kept_answer_bytes")
        yield* checkRoom("keptAnswerBytes", max, { present, adding: 1 })
      })

      const begin = tracedFn("Idempotency.begin")(function* (request: IdempotentRequest) {
        const { key, tenantId } = request
        if (!isUsableKey(key)) return yield* new IdempotencyRefused({ reason: "key_invalid" })
        const at = yield* Instant.now
        const claim: string = yield* Ids.fresh()
        const existing = yield* storage.transact(
          Effect.gen(function* () {
            if (!(yield* store.claim(begunRun({ ...request, claim }, at), at))) return yield* store.find(tenantId, key)
            yield* checkTotal(tenantId)
            return null
          })
        )
        return existing === null
          ? ({ _tag: "Begun", claim } as const)
          : yield* Effect.fromResult(resolveExisting(existing, request, at))
      })

      /** The same, decided by the ledger. An answer is read after it, so that nobody waits for it. */
      const beginBy = ({ claim: decide }: KeyClaims) =>
        tracedFn("Idempotency.beginPaid")(function* (request: IdempotentRequest) {
          if (!isUsableKey(request.key)) return yield* new IdempotencyRefused({ reason: "key_invalid" })
          for (;;) {
            const claim: string = yield* Ids.fresh()
            const decided = yield* decide({ ...request, claim })
            if (decided.error !== null) return yield* decided.error
            if (!decided.isAnswered) return { _tag: "Begun", claim } as const
            const existing = yield* storage.read(store.find(request.tenantId, request.key))
            const at = yield* Instant.now
            // What has expired since is no answer.
            if (existing !== null && existing.answer !== null && existing.expiresAt > at)
              return yield* Effect.fromResult(resolveExisting(existing, request, at))
          }
        })

      const beginPaid = claims === null ? begin : beginBy(claims)

      const storing = ({ key, tenantId }: IdempotentRequest, claim: string): StoreResponse => {
        const run = { tenantId, key, claim }
        const stored = Effect.fnUntraced(function* (response: WrittenResponse) {
          if (!isSuccess(response)) return yield* store.forget(run)
          const isStored = yield* store.complete(run, storable(response), replayedUntil(yield* Instant.now))
          if (!isStored) return yield* new ClaimLost()
        })
        return Object.assign(stored, { run })
      }

      const finish = (request: IdempotentRequest, claim: string, response: StoredResponse | null) => {
        const { key, tenantId } = request
        const ending = response === null ? store.forget({ tenantId, key, claim }) : storing(request, claim)(response)
        return Effect.catchTag(storage.transact(ending), "ClaimLost", () => Effect.void)
      }

      /** The claim of a run that has stored its response is no longer current: then this changes nothing. */
      const forget = (request: IdempotentRequest, claim: string) =>
        Effect.catchCause(finish(request, claim, null), (cause) =>
          Effect.logError("an Idempotency-Key is taken until the lease of its run ends", cause)
        )

      /** The result of a run that lost its claim. A free key can be requested again, like one whose run is in progress. */
      const resolveLost = Effect.fnUntraced(function* (request: IdempotentRequest) {
        const existing = yield* storage.read(store.find(request.tenantId, request.key))
        const at = yield* Instant.now
        return existing === null || existing.expiresAt <= at
          ? yield* new IdempotencyRefused({ reason: "in_progress" })
          : yield* Effect.fromResult(resolveExisting(existing, request, at))
      })

      const renew: Idempotency["Service"]["renew"] = (run, leaseMs) =>
        Effect.flatMap(Instant.now, (now) => storage.transact(store.renew(run, Instant.plus(now, leaseMs))))

      const renewed = <A, E, R>(
        { key, leaseMs, tenantId }: IdempotentRequest,
        claim: string,
        work: Effect.Effect<A, E, R>
      ) => renewing(work, { leaseMs, renew: (until) => storage.transact(store.renew({ tenantId, key, claim }, until)) })

      const run = <A, E, R>(
        { claim = null, ...request }: RunRequest,
        work: (store: StoreResponse) => Effect.Effect<A, E | ClaimLost, R>
      ) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(
            claim === null ? beginPaid(request) : Effect.succeed<Begun>({ _tag: "Begun", claim }),
            (begun): Effect.Effect<Executed<A> | Replayed, RunError<E>, R> =>
              begun._tag === "Replayed"
                ? Effect.succeed(begun)
                : renewed(request, begun.claim, restore(work(storing(request, begun.claim)))).pipe(
                    Effect.tapCause(() => forget(request, begun.claim)),
                    Effect.map((result): Executed<A> | Replayed => ({ _tag: "Executed", result })),
                    Effect.catch(
                      (error): Effect.Effect<Executed<A> | Replayed, RunError<E>> =>
                        error instanceof ClaimLost ? resolveLost(request) : Effect.fail(error as Exclude<E, ClaimLost>)
                    )
                  )
          )
        )

      /** Ends a run that acts itself. Where its end cannot be stored, the lease ends by itself, and what it did is known by then. */
      const settle = (request: IdempotentRequest, run: ActingRun, response: StoredResponse | null) => {
        const ending = Effect.gen(function* () {
          if (response !== null) return yield* storing(request, run.claimed.claim)(response)
          if (run.hasLeftNothing) return yield* store.forget(run.claimed)
          return yield* store.abandon(run.claimed, yield* Instant.now)
        })
        return Effect.catchCause(storage.transact(ending), (cause) =>
          Effect.logError("the answer to a request under an Idempotency-Key could not be kept", cause)
        )
      }

      const perform = <A, E, R>(
        request: IdempotentRequest,
        work: Effect.Effect<A, E, R>,
        responseOf: (result: A) => Effect.Effect<StoredResponse>
      ) => {
        const performed = Effect.fnUntraced(function* (claim: string) {
          const run = new ActingRun({ tenantId: request.tenantId, key: request.key, claim })
          const fiber = yield* Effect.forkDetach(Effect.interruptible(Effect.provideService(work, CurrentRun, run)))
          const exit = yield* renewed(request, claim, Fiber.await(fiber))
          run.end()
          if (run.hasLostClaim) return yield* resolveLost(request)
          const response = Exit.isSuccess(exit) ? yield* responseOf(exit.value) : null
          yield* settle(request, run, response !== null && isSuccess(response) ? response : null)
          return { _tag: "Executed" as const, result: exit }
        })
        return Effect.uninterruptible(
          Effect.flatMap(
            begin(request),
            (begun): Effect.Effect<Performed<A, E>, IdempotencyRefused | LimitReached | StorageError, R> =>
              begun._tag === "Replayed" ? Effect.succeed(begun) : performed(begun.claim)
          )
        )
      }

      const sweep = Effect.gen(function* () {
        for (let removed = 0; ; ) {
          const some = yield* storage.transact(store.sweep(yield* Instant.now, sweepBatch))
          removed += some
          if (some < sweepBatch) return removed
        }
      })

      return Idempotency.of({ begin, finish, storing, renew, run, perform, sweep })
    })
  )
}

type Performed<A, E> = Executed<Exit.Exit<A, E>> | Replayed

type RunError<E> = Exclude<E, ClaimLost> | IdempotencyRefused | LimitReached | StorageError
