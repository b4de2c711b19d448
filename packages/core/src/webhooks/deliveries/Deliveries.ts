/** The delivery log: reading it, and sending its deliveries again. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Accounts, type Actor } from "../../platform/accounts/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import { DeliverySignal } from "../DeliverySignal.ts"
import { findLocked, findOwned } from "../subscriptions/OwnedSubscription.ts"
import { SubscriptionStore } from "../subscriptions/SubscriptionStore.ts"
import { DeliveryNotFound, type WebhookNotFound, WebhookPaused } from "../WebhookErrors.ts"
import * as Ids from "../WebhooksIds.ts"
import type { Delivery } from "./Delivery.ts"
import { type DeliveryEntry, DeliveryStore, type LogFilter, type LogStatus } from "./DeliveryStore.ts"
import { newDelivery } from "./NewDelivery.ts"

/** Failed deliveries that one recovery queues at most. Source: docs/reference/webhooks.md#limits. */
const maxRecovered = 10_000
const recoveryBatch = 200

/** A delivery of an account's subscription. */
export interface DeliveryKey {
  readonly tenantId: Ids.AccountId
  readonly webhookId: Ids.WebhookId
  readonly deliveryId: Ids.DeliveryId
}

export interface Recovery {
  readonly tenantId: Ids.AccountId
  readonly webhookId: Ids.WebhookId
  /** Deliveries that were created then or later. */
  readonly since: Instant.Instant
}

/** The same payload as a row of its own. */
const copyOf = Effect.fnUntraced(function* ({ createdAt: _, ...row }: Delivery, at: Instant.Instant) {
  return newDelivery({ ...row, id: yield* Ids.fresh<"Delivery">() }, at)
})

const paged = (store: DeliveryStore["Service"], log: LogFilter, page: Page) =>
  Effect.all({ items: store.list(log, page), total: store.count(log) })

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** The log of a subscription, or its rows of one status or event, newest first. */
    readonly list: (
      log: {
        readonly tenantId: Ids.AccountId
        readonly webhookId: Ids.WebhookId
        readonly status?: LogStatus | null
        readonly event?: string | null
      },
      page: Page
    ) => Effect.Effect<Paged<DeliveryEntry>, WebhookNotFound | StorageError>
    readonly get: (key: DeliveryKey) => Effect.Effect<Delivery, WebhookNotFound | DeliveryNotFound | StorageError>
    /** Queues a delivery's payload again, as a row of its own; returns the id of the new row. */
    readonly replay: (
      key: DeliveryKey,
      actor: Actor
    ) => Effect.Effect<Ids.DeliveryId, WebhookNotFound | DeliveryNotFound | WebhookPaused | StorageError>
    /** Replays everything that has failed since an instant, oldest first; returns how many rows were queued. */
    readonly recover: (
      recovery: Recovery,
      actor: Actor
    ) => Effect.Effect<number, WebhookNotFound | WebhookPaused | StorageError>
  }
>()("@trunkline/core/webhooks/deliveries/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const storage = yield* Storage
      const store = yield* DeliveryStore
      const subscriptions = yield* SubscriptionStore
      const { wake } = yield* DeliverySignal

      const keyOf = ({ tenantId, webhookId: id }: Omit<DeliveryKey, "deliveryId">) =>
        ({ tenantId, surface: "platform", id }) as const

      const found = Effect.fnUntraced(function* ({ deliveryId, tenantId, webhookId }: DeliveryKey) {
        return (
          (yield* store.find({ tenantId, webhookId, id: deliveryId })) ??
          (yield* new DeliveryNotFound({ id: deliveryId }))
        )
      })

      const addReplay = Effect.fnUntraced(function* (key: DeliveryKey, actor: Actor) {
        const { isActive } = yield* findLocked(subscriptions, keyOf(key))
        const delivery = yield* found(key)
        if (!isActive) return yield* new WebhookPaused()
        const copy = yield* copyOf(delivery, yield* Instant.now)
        yield* store.add([copy])
        yield* accounts.record(key.tenantId, actor, "webhook.delivery.replay", key.deliveryId)
        return copy.id
      }, storage.transact)

      /** Queues the next failed rows after a row. Rows that this recovery has queued and that failed already are not queued again. */
      const recoverBatch = Effect.fnUntraced(function* (
        { since, until, ...key }: Recovery & { readonly until: Instant.Instant },
        after: Ids.DeliveryId | null
      ) {
        const { isActive } = yield* findLocked(subscriptions, keyOf(key))
        if (!isActive) return yield* new WebhookPaused()
        const { tenantId, webhookId } = key
        const rows = yield* store.failedSince({ tenantId, webhookId, since, after, limit: recoveryBatch })
        const failed = rows.filter(({ createdAt }) => createdAt <= until)
        const at = yield* Instant.now
        yield* store.add(yield* Effect.forEach(failed, (delivery) => copyOf(delivery, at)))
        return { queued: failed.length, last: failed.at(-1)?.id ?? null }
      }, storage.transact)

      const recover = tracedFn("Deliveries.recover")(function* (recovery: Recovery, actor: Actor) {
        const range = { ...recovery, until: yield* Instant.now }
        let [queued, after]: [number, Ids.DeliveryId | null] = [0, null]
        while (queued < maxRecovered) {
          const batch: { readonly queued: number; readonly last: Ids.DeliveryId | null } = yield* recoverBatch(
            range,
            after
          )
          queued += batch.queued
          after = batch.last
          if (batch.queued < recoveryBatch) break
        }
        yield* storage.transact(accounts.record(recovery.tenantId, actor, "webhook.recover", recovery.webhookId))
        yield* wake
        return queued
      })

      return Deliveries.of({
        list: ({ event = null, status = null, ...log }, page) =>
          storage.read(
            Effect.andThen(
              findOwned(subscriptions, keyOf(log)),
              paged(store, { tenantId: log.tenantId, webhookId: log.webhookId, status, event }, page)
            )
          ),
        get: (key) => storage.read(Effect.andThen(findOwned(subscriptions, keyOf(key)), found(key))),
        replay: (key, actor) => Effect.tap(addReplay(key, actor), wake),
        recover
      })
    })
  )
}

export interface EmailDeliveries {
  /** The log of an account's email subscriptions, or of one of them, newest first. */
  readonly list: (
    log: { readonly tenantId: Ids.AccountId; readonly webhookId: Ids.WebhookId | null },
    page: Page
  ) => Effect.Effect<Paged<DeliveryEntry>, WebhookNotFound | StorageError>
}

export const makeEmailDeliveries = Effect.gen(function* () {
  const storage = yield* Storage
  const subscriptions = yield* SubscriptionStore
  const store = yield* DeliveryStore
  return {
    list: ({ tenantId, webhookId }, page) =>
      storage.read(
        webhookId === null
          ? paged(store, { tenantId, surface: "email" }, page)
          : Effect.andThen(
              findOwned(subscriptions, { tenantId, surface: "email", id: webhookId }),
              paged(store, { tenantId, webhookId, status: null, event: null }, page)
            )
      )
  } satisfies EmailDeliveries
})
