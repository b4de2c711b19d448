/**
 * The delivery worker. The log is the queue: rows are claimed, attempted outside any transaction, and their ends written
 * together. A claimed row without an end is due again when its claim expires, whichever process claimed it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { DeliverySignal } from "../DeliverySignal.ts"
import { WebhookSettings } from "../WebhookSettings.ts"
import { type EndedAttempt, makeAttempts } from "./Attempts.ts"
import { type Claim, isStale } from "./ClaimAhead.ts"
import { endOf, isLost, logFault, lostEnd, outcomeOf, unbegunEnd } from "./DeliveryAttempt.ts"
import { makeClaimDue, settleMs } from "./DeliveryClaim.ts"
import { DeliveryPool, type FinalStatus } from "./DeliveryPool.ts"
import { makeSettlement } from "./DeliverySettlement.ts"
import { type ClaimedDelivery, type DeliveryEnd, DeliveryStore } from "./DeliveryStore.ts"
import { WebhookSender } from "./WebhookSender.ts"

/** An older claim begins no attempt and is released: it may run out before the attempt's end is written. */
const maxClaimAgeMs = settleMs / 2

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
>()("@trunkline/core/webhooks/deliveries/Deliverer") {
  static readonly layer = Layer.effect(
    Deliverer,
    Effect.gen(function* () {
      const { limits, timeoutMs } = yield* WebhookSettings
      const sender = yield* WebhookSender
      const storage = yield* Storage
      const store = yield* DeliveryStore
      const { share, wakeHere } = yield* DeliverySignal
      const pool = new DeliveryPool(limits)
      const settlement = yield* makeSettlement(pool)
      const claimDue = yield* makeClaimDue(pool)
      /** True while the last claim may have left due rows behind. */
      let mayHaveMore = false

      /** Several slots share a claim, unless there was none. */
      const wakeForMore = Effect.suspend(() => {
        const { ahead, freeSlots } = pool
        const isTime = freeSlots === 1 || freeSlots >= limits.slots / 4 || ahead.isLow
        return mayHaveMore && isTime ? wakeHere : Effect.void
      })

      /** Ends a claim under which no attempt is made. */
      const endUnbegun = (row: ClaimedDelivery, end: DeliveryEnd): void => {
        pool.add(row)
        settlement.add({ row, end })
      }

      const release = ({ at, claim, row }: Claim): void => endUnbegun(row, unbegunEnd(row, claim, at))

      const ended = Effect.fnUntraced(function* (finished: ReadonlyArray<EndedAttempt>) {
        const at = yield* Instant.now
        for (const { claim, exit } of finished) {
          const { row } = claim
          const outcome = outcomeOf(exit)
          pool.finish(row, outcome)
          const end = endOf(row, { claim: claim.claim, outcome, at, chance: yield* Random.next })
          settlement.add({ row, end })
        }
        beginWaiting(at)
        yield* wakeForMore
        // The last, because the log is the host's: where it throws nothing is left undone.
        for (const { claim, exit } of finished) yield* logFault(claim.row.id, exit)
      })

      const attempts = yield* makeAttempts({ attempt: sender.attempt, timeoutMs, ended })

      const begin = (claim: Claim): void => {
        pool.begin(claim.row)
        attempts.begin(claim)
      }

      /** Begins deliveries that wait, in their order, while there are slots. */
      const beginWaiting = (now: Instant.Instant): void => {
        while (pool.freeSlots > 0) {
          const next = pool.ahead.take()
          if (next === undefined) return
          // An endpoint that does not answer any more has its own slots.
          if (isStale(next, now) || pool.isSuspect(next.row.webhookId)) release(next)
          else begin(next)
        }
      }

      /** What a claim is good for: an attempt, now or later; an end, where there is none left; or it is released. */
      const use = (claim: Claim): void => {
        if (claim.since > Instant.plus(claim.at, maxClaimAgeMs)) release(claim)
        else if (isLost(claim.row)) endUnbegun(claim.row, lostEnd(claim.row, claim.claim, claim.at))
        else if (pool.freeSlots > 0) begin(claim)
        else pool.ahead.add(claim)
      }

      const tick = Effect.gen(function* () {
        mayHaveMore = true
        const at = yield* Instant.now
        for (const claim of pool.ahead.takeStale(at)) release(claim)
        if (pool.freeSlots === 0 && !pool.ahead.isLow) {
          yield* share
          return 0
        }
        const claim = yield* Ids.fresh()
        const finished = pool.finished
        const interrupted = (row: ClaimedDelivery) => release({ row, claim, at, since: at })
        const { found, rows } = yield* claimDue({ claim, at }, interrupted)
        pool.ahead.adapt(pool.finished - finished)
        mayHaveMore = found > 0 || pool.fullEndpoints.length > 0
        const since = yield* Instant.now
        for (const row of rows) use({ row, claim, at, since })
        return rows.length
      })

      const idle = Effect.gen(function* () {
        for (const claim of pool.ahead.takeAll()) release(claim)
        yield* settlement.idle
      })

      return Deliverer.of({
        tick,
        nextDue: Effect.suspend(() =>
          pool.freeSlots === 0 ? Effect.succeed(null) : storage.read(store.nextDue(pool.fullEndpoints))
        ),
        settle: settlement.settle,
        idle,
        held: () => pool.held,
        running: () => pool.usedSlots,
        ended: () => pool.ended,
        cancel: attempts.cancel,
        sweep: storage.transact(store.sweep(maxSwept))
      })
    })
  )
}
