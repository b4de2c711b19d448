/**
 * Runs the batches of accounts: one process has an account at a time, under a claim that it renews, and so the limit of lines holds
 * over all processes. A process that lost its claim commits nothing. Source: docs/reference/batches.md#crash.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import { ClaimLost } from "../../platform/idempotency/index.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { Storage, type StorageError, type Tx } from "../../platform/storage/index.ts"
import { type Batch, stopOf } from "./Batch.ts"
import { type BatchClaim, BatchQueueStore } from "./BatchQueueStore.ts"
import { BatchRunner } from "./BatchRunner.ts"
import { BatchSettings } from "./BatchSettings.ts"
import { BatchStore } from "./BatchStore.ts"

/** Duration of a claim: after a crash another process goes on within a minute. */
const claimMs = 30 * Instant.second
const renewMs = 10 * Instant.second

/** How often a process looks for new and for cancelled batches of an account that it has claimed. */
const pollMs = Instant.second

/** Accounts whose batches a process runs at a time. */
const maxAccounts = 64

/** Lines that a stop cancels have this time for their rows. */
const cancelGraceMs = Instant.second

/** A claim of this process, as far as it knows: where it stood still, another one may have the account. */
interface AccountClaim extends BatchClaim {
  until: Instant.Instant
}

/** A batch that the process runs, and the way to stop its lines. */
interface Running {
  isStopped: boolean
  readonly stop: Deferred.Deferred<boolean>
}

export class BatchWorker extends Context.Service<
  BatchWorker,
  {
    /** Claims as many accounts as there is room for; returns how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next account is due; null while there is no room for it. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Lets lines begin again after a stop. */
    readonly begin: Effect.Effect<void>
    /** Begins no further line, and waits for those that run. */
    readonly idle: Effect.Effect<void>
    /** Ends the lines that still run: they have no result, and run again elsewhere. */
    readonly cancel: Effect.Effect<void>
  }
>()("@trunkline/core/gateway/batches/BatchWorker") {
  static readonly layer = Layer.effect(
    BatchWorker,
    Effect.gen(function* () {
      const queue = yield* BatchQueueStore
      const runner = yield* BatchRunner
      const { concurrency } = yield* BatchSettings
      const storage = yield* Storage
      const store = yield* BatchStore
      const accounts = yield* FiberSet.make()
      let accountCount = 0
      let isStopping = false

      const fenceOf = (claim: BatchClaim): Effect.Effect<void, ClaimLost | StorageError, Tx> =>
        Effect.gen(function* () {
          const isMine = yield* queue.renew(claim, Instant.plus(yield* Instant.now, claimMs))
          if (!isMine) return yield* new ClaimLost()
        })

      const claimRenewedOf = (claim: AccountClaim) =>
        Effect.gen(function* () {
          while ((yield* Instant.now) >= claim.until) yield* Effect.sleep(pollMs)
        })

      /** Removes an account without open batches from the queue; false where a batch has been made meanwhile. */
      const dequeue = (claim: BatchClaim) =>
        storage.transact(
          Effect.gen(function* () {
            yield* fenceOf(claim)
            const open = yield* store.open(claim.tenantId)
            if (open.length === 0) yield* queue.remove(claim)
            return open.length === 0
          })
        )

      /** Runs one batch in its own fiber. Where it fails, the next look starts it again. */
      const runBatch = (claim: AccountClaim, { id }: Batch, running: Running, slots: Semaphore.Semaphore) =>
        runner
          .run({
            tenantId: claim.tenantId,
            batchId: id,
            fence: fenceOf(claim),
            claimRenewed: claimRenewedOf(claim),
            slots,
            isStopped: () => running.isStopped || isStopping,
            stopped: Deferred.await(running.stop),
            isProcessStopping: () => isStopping
          })
          .pipe(
            Effect.tapCause((cause) =>
              isLost(cause) || Cause.hasInterruptsOnly(cause)
                ? Effect.void
                : Effect.logError("a batch failed", id, cause)
            )
          )

      /** `isFinal`: the batch ends; else the process does, and what has no result runs again elsewhere. */
      const stopAll = (running: Iterable<Running>, isFinal: boolean) =>
        Effect.forEach(running, (one) => {
          one.isStopped = true
          return Deferred.succeed(one.stop, isFinal)
        })

      /** Runs an account until it has no open batch, or another process has it. */
      const work = Effect.fnUntraced(function* (claim: AccountClaim) {
        const slots = yield* Semaphore.make(concurrency)
        const fibers = yield* FiberMap.make<string, void, ClaimLost | StorageError>()
        const known = new Map<string, Running>()
        // The process may have stood still since it claimed the account: the claim is renewed at once.
        for (let renewAt = Instant.plus(claim.until, renewMs - claimMs); ; yield* Effect.sleep(pollMs)) {
          const at = yield* Instant.now
          if (at >= renewAt) {
            yield* storage.transact(fenceOf(claim))
            renewAt = Instant.plus(at, renewMs)
            claim.until = Instant.plus(at, claimMs)
          }
          const open = yield* storage.read(store.open(claim.tenantId))
          if (isStopping) yield* stopAll(known.values(), false)
          if (isStopping && (yield* FiberMap.size(fibers)) === 0) return
          if (!isStopping && open.length === 0 && (yield* dequeue(claim))) return
          for (const batch of open) {
            const isRunning = FiberMap.hasUnsafe(fibers, batch.id)
            const running: Running = (isRunning ? known.get(batch.id) : undefined) ?? {
              isStopped: false,
              stop: yield* Deferred.make<boolean>()
            }
            known.set(batch.id, running)
            if (stopOf(batch, at) !== null) yield* stopAll([running], true)
            if (!isRunning && !isStopping) {
              yield* FiberMap.run(fibers, batch.id, runBatch(claim, batch, running, slots))
            }
          }
        }
      }, Effect.scoped)

      const release = (claim: BatchClaim) =>
        Effect.ignore(storage.transact(Effect.flatMap(Instant.now, (at) => queue.release(claim, at))))

      /** At every end the account is free again, at the latest when its claim runs out. */
      const runAccount = (claim: AccountClaim) =>
        work(claim).pipe(
          Effect.catchCause((cause) =>
            isLost(cause)
              ? Effect.logWarning("batches of an account are run by another process", claim.tenantId)
              : Effect.logError("batches of an account failed", claim.tenantId, cause)
          ),
          Effect.ensuring(release(claim)),
          Effect.ensuring(
            Effect.sync(() => {
              accountCount -= 1
            })
          )
        )

      const tick = Effect.gen(function* () {
        const free = maxAccounts - accountCount
        if (free <= 0 || isStopping) return 0
        const claim = yield* Ids.fresh()
        const at = yield* Instant.now
        const until = Instant.plus(at, claimMs)
        const claimed = yield* storage.transact(queue.claimDue({ at, until, claim, limit: free }))
        for (const tenantId of claimed) {
          accountCount += 1
          yield* FiberSet.run(accounts, runAccount({ tenantId, claim, until }))
        }
        return claimed.length
      })

      return BatchWorker.of({
        tick,
        nextDue: Effect.suspend(() =>
          accountCount < maxAccounts ? storage.read(queue.nextDue) : Effect.succeed(null)
        ),
        begin: Effect.sync(() => {
          isStopping = false
        }),
        idle: Effect.gen(function* () {
          isStopping = true
          while (accountCount > 0) yield* FiberSet.awaitEmpty(accounts)
        }),
        cancel: Effect.asVoid(Effect.timeoutOption(FiberSet.clear(accounts), cancelGraceMs))
      })
    })
  )
}

const isLost = (cause: Cause.Cause<unknown>): boolean =>
  Option.getOrNull(Cause.findErrorOption(cause)) instanceof ClaimLost
