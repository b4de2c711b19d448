/**
 * The one writer of what requests reserve and are charged. One flush takes all requests that wait, as one transaction: it reads
 * the counters that they name, decides one after the other, and writes each counter once. Ends come first, because what they
 * release is free for those that ask. Source: docs/reference/metering.md#flush.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { type AskedRun, type ClaimDecided, KeyClaims } from "../idempotency/index.ts"
import { guarded, Ids, Instant } from "../kernel/index.ts"
import type { AccountId } from "../PlatformIds.ts"
import { Storage, StorageError } from "../storage/index.ts"
import type {
  AccessChanged,
  Allowance,
  ConcurrencySlot,
  KeyLimitRequest,
  RateLimited,
  TooManyAtOnce
} from "./KeyLimitRequest.ts"
import type { Acquired, LedgerAdmission, LedgerAdmitted } from "./LedgerDecision.ts"
import { type Answer, Lost, makeFlush, renewalMs } from "./LedgerFlush.ts"
import { type LedgerEnd, mustLast, type Operation, tenantOf } from "./LedgerOperation.ts"
import { LedgerQueue, type WaitingFor } from "./LedgerQueue.ts"
import { LedgerStore } from "./LedgerStore.ts"
import type { MeteredRequest, SpendingRefused } from "./MeteredRequest.ts"
import type { Nano } from "./Money.ts"
import { processLeaseMs, RunningRequests } from "./RunningRequests.ts"

/** What became of the end of a request: what was charged, null where it had ended already, and events that are still to be published. */
export type LedgerEnded = Answer<Nano | null>

type Waiting = WaitingFor<Operation, Answer>

/** Accounts of which what has lapsed is released in a row, before others are looked for. */
const lapsingBatch = 100

/** Accounts among which one is looked for that was refused something. Mostly no account has anything that lapses. */
const maxLapsing = 10_000

export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Acquires one request of the key's minute and one of its slots, or neither. Null where there is no limit a minute. A remembered
     * key or account that has changed is refused before anything else.
     */
    readonly acquire: (
      request: KeyLimitRequest
    ) => Effect.Effect<Allowance | null, AccessChanged | RateLimited | TooManyAtOnce | StorageError>
    /** Claims an Idempotency-Key for a request that reserves later. A power cut may undo it. */
    readonly claim: (run: AskedRun) => Effect.Effect<ClaimDecided, StorageError>
    /** Reserves everything or nothing. */
    readonly reserve: (request: MeteredRequest) => Effect.Effect<void, SpendingRefused | StorageError>
    /**
     * Ends a request, once: null where it has ended already, else what was charged. Succeeds when a power cut cannot undo it,
     * unless the request says that its bill is relaxed. Where `along` fails, or the run of `answer` has lost its
     * claim, nothing is changed. The events are still to be published.
     */
    readonly end: <E = never>(end: LedgerEnd<E>) => Effect.Effect<LedgerEnded, E | StorageError>
    readonly releaseSlot: (slot: ConcurrencySlot) => Effect.Effect<void, StorageError>
    /** Renews the lease of this process, where it runs requests. What it holds lapses 20 seconds after the last renewal. */
    readonly renew: Effect.Effect<void, StorageError>
    /** Completes while this process has a lease to renew. */
    readonly busy: Effect.Effect<void>
    /**
     * Releases what processes hold that have not renewed their lease. Returns how many requests and slots held it. It is called more often
     * than a lease lasts: where this process has not reached the storage for that time, others have not either, and are given the time
     * of a lease to renew theirs.
     */
    readonly sweep: Effect.Effect<number, StorageError>
    /**
     * The same as `acquire` with `reserve` after it, and as `end`, for callers without a fiber. `done` is called once, after the call
     * has returned.
     */
    readonly withoutFiber: {
      /**
       * The function that it returns takes back an admission that no flush has taken yet, of which `done` is not called then. It
       * returns whether it has taken it back.
       */
      readonly admit: (
        admission: LedgerAdmission,
        done: (exit: Exit.Exit<LedgerAdmitted, StorageError>) => void
      ) => () => boolean
      readonly end: <E = never>(
        end: LedgerEnd<E>,
        done: (exit: Exit.Exit<LedgerEnded, E | StorageError>) => void
      ) => void
    }
  }
>()("@trunkline/core/platform/billing/Ledger") {
  /** `graceMs`: how long others are given to renew their leases when this process has reached the storage again. */
  static readonly layerOf = ({ graceMs }: { readonly graceMs: number }) =>
    Layer.effect(
      Ledger,
      Effect.gen(function* () {
        const storage = yield* Storage
        const store = yield* LedgerStore
        const processId = yield* Ids.fresh<"Process">()
        const running = new RunningRequests()
        const busy = yield* Latch.make()
        const flushes = yield* makeFlush(processId, running)
        const run = Effect.runForkWith(yield* Effect.context<never>())
        const relaxed = storage.transactWith({ durability: "relaxed" })

        const answer = (group: ReadonlyArray<Waiting>, exit: Exit.Exit<ReadonlyArray<Answer>, unknown>) => {
          for (const [nth, { settle }] of group.entries()) settle(Exit.map(exit, (answers) => answers[nth]!))
        }

        /** Those that must last wait for a turn of the disk, which they share; the next flush does not. */
        const committed = (group: ReadonlyArray<Waiting>, answers: ReadonlyArray<Answer>) => {
          const part = (which: boolean) => {
            const has = (_: unknown, nth: number) => mustLast(group[nth]!.operation) === which
            return [group.filter(has), answers.filter(has)] as const
          }
          const [quick, quickAnswers] = part(false)
          answer(quick, Exit.succeed(quickAnswers))
          const [lasting, lastingAnswers] = part(true)
          if (lasting.length === 0) return
          run(
            Effect.map(Effect.exit(storage.durable), (exit) =>
              answer(
                lasting,
                Exit.map(exit, () => lastingAnswers)
              )
            )
          )
        }

        /** Runs operations as one transaction. The list of running requests changes before anything else is decided by it. */
        const attempt = (group: ReadonlyArray<Waiting>, transact: Storage["Service"]["transact"]) => {
          const operations = group.map(({ operation }) => operation)
          return Effect.matchCauseEffect(transact(flushes.flush(operations)), {
            onSuccess: ({ answers, apply }) => {
              apply()
              return running.isIdle ? Effect.succeed(answers) : Effect.as(busy.open, answers)
            },
            onFailure: (cause) =>
              Effect.andThen(Effect.andThen(flushes.failed(operations), busy.open), Effect.failCause(cause))
          })
        }

        /** Runs the operations, and succeeds with what answers them. */
        const flush = (group: ReadonlyArray<Waiting>): Effect.Effect<() => void> => {
          const [first] = group
          // An operation that is alone waits for no other, and its commit is its turn of the disk.
          if (group.length === 1)
            return Effect.map(
              Effect.exit(attempt(group, mustLast(first!.operation) ? storage.transact : relaxed)),
              (exit) => () => answer(group, exit)
            )
          return Effect.matchCauseEffect(attempt(group, relaxed), {
            onSuccess: (answers) => Effect.succeed(() => committed(group, answers)),
            onFailure: (cause) =>
              isOfAll(cause)
                ? Effect.succeed(() => answer(group, Exit.failCause(cause)))
                : // One of them cannot be written, or may not be: alone it takes nobody else with it.
                  Effect.map(
                    Effect.forEach(group, (one) => flush([one])),
                    (answers) => () => {
                      for (const one of answers) one()
                    }
                  )
          })
        }

        const queue: LedgerQueue<Waiting> = new LedgerQueue(
          (turn) => run(Effect.andThen(Effect.yieldNow, Effect.sync(turn))),
          (group) =>
            run(
              Effect.matchCause(flush(group), {
                // The flush has ended before its callers go on: what they ask for next need not wait for it.
                onSuccess: (answered) => {
                  queue.end(group)
                  answered()
                },
                onFailure: (cause) => {
                  queue.end(group)
                  answer(group, Exit.failCause(cause))
                }
              })
            )
        )

        /** Adds an operation, and returns the function that removes it while it waits. */
        const add = <A, E>(operation: Operation, settle: (exit: Exit.Exit<Answer<A>, E | StorageError>) => void) => {
          const waiting: Waiting = {
            tenantId: tenantOf(operation),
            operation,
            settle: settle as Waiting["settle"]
          }
          queue.add(waiting)
          return () => queue.remove(waiting)
        }

        const ask = <A, E>(operation: Operation) =>
          Effect.callback<Answer<A>, E | StorageError>((resume) => {
            const remove = add<A, E>(operation, resume)
            return Effect.sync(remove)
          })

        /** Not before `add` has returned: what comes alone is answered within it where the storage answers at once. */
        const later = <A>(done: (answer: A) => void) => {
          const call = guarded(done, (fault) => {
            run(Effect.logError("A function failed that the ledger called with an answer", Cause.die(fault)))
          })
          return (answer: A) => queueMicrotask(() => call(answer))
        }

        const acquire = (request: KeyLimitRequest) =>
          Effect.flatMap(ask<Acquired, never>({ _tag: "Acquire", request }), ({ value }) =>
            value.error === null ? Effect.succeed(value.allowance) : Effect.fail(value.error)
          )

        const claim = (run: AskedRun) =>
          Effect.map(ask<ClaimDecided, never>({ _tag: "Claim", run }), ({ value }) => value)

        const reserve = (request: MeteredRequest) =>
          Effect.flatMap(ask<SpendingRefused | null, never>({ _tag: "Reserve", request }), ({ value }) =>
            value === null ? Effect.void : Effect.fail(value)
          )

        const recover = (tenantId: AccountId) =>
          Effect.map(ask<number, never>({ _tag: "Recover", tenantId }), ({ value }) => value)

        const reached = { at: Number.NEGATIVE_INFINITY, since: Number.NEGATIVE_INFINITY }

        const lapsing = (at: Instant.Instant, limit: number) =>
          Effect.map(storage.read(store.lapsing({ processId, at, limit })), (found) => {
            if (Math.abs(at - reached.at) > processLeaseMs) reached.since = at
            reached.at = at
            return at - reached.since < graceMs ? [] : found
          })

        /** Asks once more where a process that has died holds something of the account. */
        const orRecovered = <A, E>(
          asked: Effect.Effect<A, E | StorageError>,
          isRefusal: (error: E | StorageError) => boolean,
          tenantId: AccountId
        ) =>
          Effect.catchIf(asked, isRefusal, (refused) =>
            Effect.flatMap(Instant.now, (at) =>
              Effect.flatMap(lapsing(at, maxLapsing), (found) =>
                found.includes(tenantId) ? Effect.andThen(recover(tenantId), asked) : Effect.fail(refused)
              )
            )
          )

        const renew = Effect.gen(function* () {
          const at = yield* Instant.now
          if (running.isBusy) yield* Effect.map(relaxed(store.renew(flushes.leaseAt(at))), () => flushes.renewed(at))
          for (const tenantId of running.forget(at)) yield* recover(tenantId)
          yield* busy.close
          // What a flush has begun in the meantime is seen here, and what it begins later opens the latch again.
          if (!running.isIdle) yield* busy.open
        })

        const sweep = Effect.gen(function* () {
          for (let sum = 0; ; ) {
            const at = yield* Instant.now
            const found = yield* lapsing(at, lapsingBatch)
            for (const tenantId of found) sum += yield* recover(tenantId)
            if (found.length === lapsingBatch) continue
            if (found.length > 0) yield* relaxed(store.removeLeases(at))
            return sum
          }
        })

        return Ledger.of({
          claim,
          acquire: (request) => orRecovered(acquire(request), ({ _tag }) => _tag === "TooManyAtOnce", request.tenantId),
          reserve: (request) =>
            orRecovered(reserve(request), ({ _tag }) => _tag !== "StorageError", request.payer.tenantId),
          renew,
          busy: busy.await,
          sweep,
          end: <E>(end: LedgerEnd<E>) => Effect.flatMap(ask<Ended<E>, E>({ _tag: "End", end }), endedOf),
          releaseSlot: (slot) => Effect.asVoid(ask<null, never>({ _tag: "Release slot", slot })),
          withoutFiber: {
            admit: (admission, done) =>
              add<LedgerAdmitted, never>(
                { _tag: "Admit", admission },
                later((exit) => done(Exit.map(exit, ({ value }) => value)))
              ),
            end: <E>(end: LedgerEnd<E>, done: (exit: Exit.Exit<LedgerEnded, E | StorageError>) => void) =>
              void add<Ended<E>, E>(
                { _tag: "End", end },
                later((exit) => done(Exit.isSuccess(exit) ? endedOf(exit.value) : Exit.failCause(exit.cause)))
              )
          }
        })
      })
    )

  /** The claims of Idempotency-Keys, by the ledger. */
  static readonly claims = Layer.effect(
    KeyClaims,
    Effect.map(Ledger, ({ claim }) => ({ claim }))
  )

  static readonly layer = Ledger.layerOf({ graceMs: processLeaseMs })

  /** Renews the lease of this process while it lasts. */
  static readonly renewing = Layer.effectDiscard(
    Effect.flatMap(Ledger, ({ busy, renew }) => {
      const renewNext = Effect.andThen(
        Effect.andThen(busy, Effect.sleep(renewalMs)),
        Effect.catchCause(renew, (cause) =>
          Effect.logWarning("The lease of what running requests hold could not be renewed", cause)
        )
      )
      return Effect.forkScoped(Effect.forever(renewNext))
    })
  )
}

/** What was charged for a request that has ended, null where it had ended before; or what it fails with that has lost its claim. */
type Ended<E> = Nano | null | Lost<E>

const endedOf = <E>({ events, value }: Answer<Ended<E>>): Exit.Exit<LedgerEnded, E> =>
  value instanceof Lost ? Exit.fail(value.error) : Exit.succeed({ value, events })

/** Each operation would fail alone too: the storage is not there, is full, or does not answer in time. */
const isOfAll = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.findErrorOption(cause)
  return error._tag === "Some" && error.value instanceof StorageError && error.value.reason !== "defect"
}
