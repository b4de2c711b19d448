/** Handlers of webhooks for platform events. */
import * as Effect from "effect/Effect"
import { botErrors } from "../../agents/bots/index.ts"
import { accessErrors, actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import { type Catalogue, EventCatalogue } from "../../platform/events/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { DeliveryRecord, nextAttemptAt } from "../deliveries/Delivery.ts"
import type { DeliveryEntry } from "../deliveries/DeliveryStore.ts"
import { TestSend } from "../deliveries/TestSend.ts"
import { SecretRotation } from "../subscriptions/SecretRotation.ts"
import { type Subscription, SubscriptionRecord, signingSecrets } from "../subscriptions/Subscription.ts"
import { type SubscriptionChange, Subscriptions } from "../subscriptions/Subscriptions.ts"
import { webhookErrors } from "../WebhookErrors.ts"
import { webhookPages, webhooksApi } from "./WebhooksApi.ts"

const answer = answering({ ...accessErrors, ...botErrors, ...webhookErrors, ...storageErrors })

const platformEntries = ({ entries }: Catalogue) => {
  const items = entries.filter(({ surface }) => surface === "platform")
  return { items, total: items.length }
}

/** How long both secrets sign after a rotation, unless the request says otherwise. */
export const standardOverlapSeconds = 86_400

export const layer = (platformEvents: ReadonlyArray<string>) =>
  RouteHandlers.group(
    contract.add(webhooksApi(platformEvents).group),
    "webhooks",
    Effect.fnUntraced(function* (handlers) {
      const catalogue = yield* EventCatalogue
      const deliveries = yield* Deliveries
      const rotation = yield* SecretRotation
      const subscriptions = yield* Subscriptions
      const testing = yield* TestSend
      return handlers.handleAll({
        listEvents: () =>
          list(platformEntries(catalogue), ({ category, fires, name, source }) => ({
            event: name,
            category,
            fires,
            fired_by: source === "host" ? ("host" as const) : ("product" as const)
          })),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(
            yield* answer(subscriptions.list(tenantId, pageOf(query, webhookPages.standard))),
            masked(yield* Instant.now)
          )
        }),
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const { secret, subscription } = yield* answer(
            subscriptions.create(tenantId, {
              url: payload.url,
              events: payload.events,
              botId: payload.bot_id ?? null,
              retrySchedule: payload.retry_schedule ?? "standard",
              pauseAfterDays: payload.pause_after_days ?? null
            })
          )
          return record(subscription, secret, yield* Instant.now)
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return masked(yield* Instant.now)(yield* answer(subscriptions.get(tenantId, params.webhook_id)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const { bot_id, clear_bot_id = false, is_active, pause_after_days, retry_schedule, ...same } = payload
          const change: SubscriptionChange = {
            ...same,
            ...(is_active === undefined ? {} : { isActive: is_active }),
            ...(clear_bot_id ? { botId: null } : bot_id === undefined || bot_id === null ? {} : { botId: bot_id }),
            ...(retry_schedule === undefined ? {} : { retrySchedule: retry_schedule }),
            ...(pause_after_days === undefined ? {} : { pauseAfterDays: pause_after_days })
          }
          return masked(yield* Instant.now)(yield* answer(subscriptions.change(tenantId, params.webhook_id, change)))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(subscriptions.remove(tenantId, params.webhook_id, actorOf(caller)))
        }),
        test: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          const { error, latencyMs, statusCode, success } = yield* answer(testing.send(tenantId, params.webhook_id))
          return { success, status_code: statusCode, latency_ms: Math.round(latencyMs), error }
        }),
        rotateSecret: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const overlapMs = (payload.overlap_seconds ?? standardOverlapSeconds) * Instant.second
          const { secret, subscription } = yield* answer(
            rotation.rotate({ tenantId, webhookId: params.webhook_id, overlapMs }, actorOf(caller))
          )
          return record(subscription, secret, yield* Instant.now)
        }),
        recover: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const recovery = { tenantId, webhookId: params.webhook_id, since: payload.since }
          return { queued: yield* answer(deliveries.recover(recovery, actorOf(caller))) }
        }),
        listDeliveries: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const log = {
            tenantId,
            webhookId: params.webhook_id,
            status: query.status ?? null,
            event: query.event ?? null
          }
          return yield* list(yield* answer(deliveries.list(log, pageOf(query, webhookPages.standard))), entry)
        }),
        delivery: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          const { delivery_id: deliveryId, webhook_id: webhookId } = params
          const found = yield* answer(deliveries.get({ tenantId, webhookId, deliveryId }))
          return { ...entry(found), payload: JSON.parse(found.payload) }
        }),
        replay: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const { delivery_id: deliveryId, webhook_id: webhookId } = params
          const id = yield* answer(deliveries.replay({ tenantId, webhookId, deliveryId }, actorOf(caller)))
          return { delivery_id: id, status: "queued" as const }
        })
      })
    })
  )

export const record = (subscription: Subscription, secret: string, at: Instant.Instant) =>
  SubscriptionRecord.toWire({
    ...subscription,
    secret,
    previousSecretUntil: signingSecrets(subscription, at).length > 1 ? subscription.previousUntil : null
  })

/** A secret is shown in full only in the response that created it. */
const masked = (at: Instant.Instant) => (subscription: Subscription) =>
  record(subscription, subscription.secretHint, at)

export const entry = (delivery: DeliveryEntry) =>
  DeliveryRecord.toWire({
    ...delivery,
    success: delivery.status === "delivered",
    nextAttemptAt: nextAttemptAt(delivery)
  })
