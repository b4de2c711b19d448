/** Writes how deliveries ended: many in one transaction, and again until it succeeds, because what was sent must not be sent twice. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import { Instant } from "../../platform/kernel/index.ts"
import { lock, Storage } from "../../platform/storage/index.ts"
import { SubscriptionStore } from "../subscriptions/SubscriptionStore.ts"
import type { DeliveryPool } from "./DeliveryPool.ts"
import { type ClaimedDelivery, type DeliveryEnd, DeliveryStore } from "./DeliveryStore.ts"
import { healthChange } from "./EndpointHealth.ts"

/** Ends that are written in one transaction. */
const maxBatch = 64

/** Between two tries to write a batch. */
const retryMs = Instant.second

/** A delivery that this process claimed, and the end that is to be written. */
interface EndedDelivery {
  readonly row: ClaimedDelivery
  readonly end: DeliveryEnd
}

export interface DeliverySettlement {
  readonly add: (ended: EndedDelivery) => void
  /** Writes ends as they come, until it is interrupted. */
  readonly settle: Effect.Effect<never>
  /** Waits until the pool holds nothing. */
  readonly idle: Effect.Effect<void>
}

export const makeSettlement = Effect.fnUntraced(function* (pool: DeliveryPool) {
  const storage = yield* Storage
  const deliveries = yield* DeliveryStore
  const subscriptions = yield* SubscriptionStore
  const ends = yield* Queue.unbounded<EndedDelivery>()
  const released = yield* Latch.make()

  /** One order for all processes: each takes the subscription's lock. */
  const recordHealth = Effect.fnUntraced(function* (ended: ReadonlyArray<EndedDelivery>) {
    const now = yield* Instant.now
    const changes = ended.flatMap(({ end, row }) => {
      const change = healthChange(row, end.status, end.lastAttemptAt ?? now)
      return change === null ? [] : [{ webhook: { tenantId: row.tenantId, id: row.webhookId }, change }]
    })
    for (const { change, webhook } of changes.toSorted((a, b) => (a.webhook.id < b.webhook.id ? -1 : 1))) {
      yield* lock("webhook", webhook.id)
      yield* subscriptions.changeHealth(webhook, change)
    }
  })

  const write = Effect.fnUntraced(function* (batch: ReadonlyArray<EndedDelivery>) {
    const written = yield* deliveries.end(batch.map(({ end }) => end))
    const own = batch.filter(({ row }) => written.has(row.id))
    yield* recordHealth(own)
    return own
  }, storage.transact)

  const writeUntilDone = (batch: ReadonlyArray<EndedDelivery>): Effect.Effect<ReadonlyArray<EndedDelivery>> =>
    Effect.catchCause(write(batch), (cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.interrupt
        : Effect.logError("the ends of deliveries cannot be written yet", cause).pipe(
            Effect.andThen(Effect.sleep(retryMs)),
            Effect.andThen(Effect.suspend(() => writeUntilDone(batch)))
          )
    )

  const settleNext = Effect.gen(function* () {
    const batch = yield* Queue.takeBetween(ends, 1, maxBatch)
    for (const { end } of yield* writeUntilDone(batch)) pool.count(end.status)
    for (const { row } of batch) pool.release(row)
    if (pool.held === 0) yield* released.release
  })

  return {
    add: (ended) => void Queue.offerUnsafe(ends, ended),
    settle: Effect.forever(settleNext),
    idle: Effect.suspend(() => (pool.held === 0 ? Effect.void : Effect.asVoid(released.await)))
  } satisfies DeliverySettlement
})
