/**
 * The delivery worker. The log is the queue: rows are claimed, attempted outside any transaction, and their ends written
 * together. A claimed row without an end is due again when its claim expires, whichever process claimed it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Ids, Instant } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { endOf, isLost, lostEnd, outcomeOf, unbegunEnd } from "./DeliveryAttempt.ts"
import { DeliveryPool, type FinalStatus } from "./DeliveryPool.ts"
import { makeSettlement } from "./DeliverySettlement.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { type ClaimedDelivery, type DeliveryEnd, DeliveryStore } from "./DeliveryStore.ts"
import { selectDeliveries } from "./FairScheduler.ts"
import { Sender } from "./Sender.ts"
import { WebhookSettings } from "./WebhookSettings.ts"

/** How much longer than the deadline of an attempt a claim lasts: the end must be written within it. */
const settleMs = 20 * Instant.second

/** An older claim begins no attempt and is given back: what is left of it may not last until the attempt's end is written. */
const maxClaimAgeMs = settleMs / 2

/** Candidates that are read for each free slot, because most endpoints may have one attempt only. */
const candidatesPerSlot = 4

/** Rows that one sweep removes. */
const maxSwept = 1000

export class Deliverer extends Context.Service<
  Deliverer,
  {
    /** Begins as many due attempts as there are free slots; returns how many. */
    readonly tick: Effect.Effect<number, StorageError>
    /** When the next delivery of an endpoint with a free slot is due, or null. */
    readonly nextDue: Effect.Effect<Instant.Instant | null, StorageError>
    /** Writes the ends of deliveries as they come, until it is interrupted. */
    readonly settle: Effect.Effect<never>
    /** Waits until every attempt that has begun is ended and written. */
    readonly idle: Effect.Effect<void>
    /** Deliveries of this process: attempts under way, and ends that are not written yet. */
    readonly held: () => number
    /** Attempts under way in this process. */
    readonly running: () => number
    /** Deliveries that this process has ended, by status. */
    readonly ended: () => Readonly<Record<FinalStatus, number>>
    /** Cancels the attempts that still run: they count, and are retried after their wait. */
    readonly cancel: Effect.Effect<void>
    /** Removes some rows of the logs of removed subscriptions; returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/webhooks/Deliverer") {
  static readonly layer = Layer.effect(
    Deliverer,
    Effect.gen(function* () {
      const { limits, timeoutMs } = yield* WebhookSettings
      const sender = yield* Sender
      const storage = yield* Storage
      const store = yield* DeliveryStore
      const { share, wake } = yield* DeliverySignal
      const running = yield* FiberSet.make()
      const pool = new DeliveryPool(limits)
      const settlement = yield* makeSettlement(pool)
      /** True while the last claim may have left due rows behind. */
      let mayHaveMore = false

      const attempt = (row: ClaimedDelivery, claim: string) =>
        Effect.uninterruptibleMask(
          Effect.fnUntraced(function* (restore) {
            const outcome = yield* outcomeOf(row.id, yield* Effect.exit(restore(sender.send(row))))
            pool.finish(row, outcome)
            const end = endOf(row, { claim, outcome, at: yield* Instant.now, chance: yield* Random.next })
            yield* settlement.add({ row, end })
            if (mayHaveMore && pool.freeSlots >= limits.slots / 4) yield* wake
          })
        )

      /** Ends a claim under which no attempt is made. */
      const endUnbegun = (row: ClaimedDelivery, end: DeliveryEnd) => {
        pool.add(row)
        return settlement.add({ row, end })
      }

      const begin = Effect.fnUntraced(function* (row: ClaimedDelivery, claim: string, at: Instant.Instant) {
        if (isLost(row)) {
          yield* endUnbegun(row, lostEnd(row, claim, at))
        } else {
          pool.begin(row)
          yield* FiberSet.run(running, attempt(row, claim), { startImmediately: true })
        }
      })

      const claimDue = Effect.fnUntraced(
        function* (claim: string, at: Instant.Instant) {
          const candidates = yield* store.due({
            at,
            perEndpoint: limits.perEndpoint,
            limit: pool.freeSlots * candidatesPerSlot,
            full: pool.fullEndpoints,
            suspect: pool.suspectEndpoints
          })
          const ids = selectDeliveries(candidates, limits, pool).map(({ id }) => id)
          const until = Instant.plus(at, timeoutMs + settleMs)
          const claimed = ids.length === 0 ? [] : yield* store.claim({ ids, claim, at, until })
          return { claimed, found: candidates.length }
          // A power cut that loses a claim loses the end of its attempt too: both ways the attempt is made again.
        },
        storage.transactWith({ durability: "relaxed" })
      )

      const tick = Effect.gen(function* () {
        mayHaveMore = true
        if (pool.freeSlots === 0) {
          yield* share
          return 0
        }
        const at = yield* Instant.now
        const claim = yield* Ids.fresh()
        const { claimed, found } = yield* claimDue(claim, at)
        mayHaveMore = found > 0 || pool.fullEndpoints.length > 0
        if ((yield* Instant.now) > Instant.plus(at, maxClaimAgeMs)) {
          for (const row of claimed) yield* endUnbegun(row, unbegunEnd(row, claim, at))
          return 0
        }
        for (const row of claimed) yield* begin(row, claim, at)
        return claimed.length
      })

      return Deliverer.of({
        tick,
        nextDue: Effect.suspend(() => storage.read(store.nextDue(pool.fullEndpoints))),
        settle: settlement.settle,
        idle: settlement.idle,
        held: () => pool.held,
        running: () => pool.usedSlots,
        ended: () => pool.ended,
        cancel: FiberSet.clear(running),
        sweep: storage.transact(store.sweep(maxSwept))
      })
    })
  )
}
