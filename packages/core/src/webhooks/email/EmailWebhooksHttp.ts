/** Handlers of webhooks for email events, and of the email suppression list. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { botErrors } from "../../agents/bots/index.ts"
import { accessErrors, actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import { RouteHandlers, withErrorCode } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering, UnprocessableReason } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { accountLimits, storageErrors } from "../../platform/storage/index.ts"
import { makeEmailDeliveries } from "../deliveries/Deliveries.ts"
import type { DeliveryEntry } from "../deliveries/DeliveryStore.ts"
import type { Subscription } from "../subscriptions/Subscription.ts"
import { makeEmailSubscriptions } from "../subscriptions/Subscriptions.ts"
import { webhookErrors } from "../WebhookErrors.ts"
import { EmailReports } from "./EmailReports.ts"
import { EmailSuppressionRecord } from "./EmailSuppressionStore.ts"
import { emailSuppressionsGroup, emailWebhooksGroup } from "./EmailWebhooksApi.ts"

const answer = answering({ ...accessErrors, ...botErrors, ...webhookErrors, ...storageErrors })

/** The list has no pages. */
const all = { limit: accountLimits.emailWebhooks.most, offset: 0 }

const api = contract.add(emailSuppressionsGroup, emailWebhooksGroup)

/** The word of the email routes stands in the body, the code of the promises in the header. */
const refuse = (reason: string, code: string) => (error: { readonly message: string }) =>
  Effect.andThen(
    withErrorCode(code),
    Effect.fail(new UnprocessableReason({ detail: { reason, error: error.message } }))
  )

const emailWebhooks = () =>
  RouteHandlers.group(
    api,
    "emailWebhooks",
    Effect.fnUntraced(function* (handlers) {
      const deliveries = yield* makeEmailDeliveries
      const subscriptions = yield* makeEmailSubscriptions
      return handlers.handleAll({
        list: Effect.fnUntraced(function* () {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(yield* answer(subscriptions.list(tenantId, all)), record)
        }),
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const made = subscriptions
            .create(tenantId, {
              url: payload.url,
              events: payload.events ?? [],
              description: payload.description ?? null
            })
            .pipe(
              Effect.catchTags({
                WebhookUrlRefused: refuse("webhook_url_forbidden", webhookErrors.WebhookUrlRefused.code),
                LimitReached: refuse("too_many_webhooks", storageErrors.LimitReached.code)
              })
            )
          const { secret, subscription } = yield* Effect.catchTag(made, "StorageError", (error) =>
            answer(Effect.fail(error))
          )
          return { webhook: record(subscription), secret }
        }),
        listDeliveries: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { webhook_id: webhookId = null, ...page } = query
          return yield* list(yield* answer(deliveries.list({ tenantId, webhookId }, pageOf(page, 50))), entry)
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const changed = subscriptions.change(tenantId, params.webhook_id, { isActive: payload.is_active })
          return record(yield* answer(changed))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(subscriptions.remove(tenantId, params.webhook_id, actorOf(caller)))
        })
      })
    })
  )

const emailSuppressions = () =>
  RouteHandlers.group(
    api,
    "emailSuppressions",
    Effect.fnUntraced(function* (handlers) {
      const reports = yield* EmailReports
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(yield* answer(reports.suppressed(tenantId, pageOf(query, 100))), suppression)
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(reports.unsuppress(tenantId, params.entry_id, actorOf(caller)))
        })
      })
    })
  )

export const layer = () => Layer.mergeAll(emailWebhooks(), emailSuppressions())

const record = (subscription: Subscription) => ({
  id: subscription.id,
  url: subscription.url,
  description: subscription.description,
  events: subscription.events.length === 0 ? null : subscription.events,
  secret_prefix: subscription.secretHint,
  is_active: subscription.isActive,
  created_at: subscription.createdAt
})

const entry = (delivery: DeliveryEntry) => ({
  id: delivery.id,
  webhook_id: delivery.webhookId,
  event: delivery.event,
  send_id: delivery.sendId,
  status: delivery.status,
  attempt_count: delivery.attempts,
  response_code: delivery.statusCode,
  error_detail: delivery.error,
  created_at: delivery.createdAt,
  last_attempt_at: delivery.lastAttemptAt,
  delivered_at: delivery.deliveredAt
})

const suppression = EmailSuppressionRecord.toWire
