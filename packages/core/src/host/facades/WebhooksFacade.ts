/** Webhooks of platform events, for a host that uses promises. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { operator } from "../../platform/accounts/index.ts"
import type { PlatformEventName } from "../../platform/events/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { Ids, Instant, type Paged, Wire } from "../../platform/kernel/index.ts"
import {
  Deliveries,
  type Delivery,
  type DeliveryEntry,
  type TestResult,
  TestSend
} from "../../webhooks/deliveries/index.ts"
import * as WebhooksApi from "../../webhooks/routes/WebhooksApi.ts"
import * as WebhooksHttp from "../../webhooks/routes/WebhooksHttp.ts"
import {
  type CreatedSubscription,
  SecretRotation,
  type Subscription,
  Subscriptions
} from "../../webhooks/subscriptions/index.ts"
import * as Arguments from "../Arguments.ts"
import { type CallOptions, type Method, ofAccount, type PageOptions, shownPage } from "../Facade.ts"

/** Source: docs/reference/webhooks.md#routes. */
export interface NewWebhook {
  /** The URL of the endpoint; up to 2,048 characters. */
  readonly url: string
  /** Names of the events that are sent; empty for every event. */
  readonly events: ReadonlyArray<PlatformEventName>
  /** Limits it to events about one agent. */
  readonly botId?: string | null
  /** Default `standard`. */
  readonly retrySchedule?: Subscription["retrySchedule"] | null
  /** Pauses it after 1 to 30 days without a success. Null for never, the default. */
  readonly pauseAfterDays?: number | null
}

/** Absent fields keep their values; a `botId` of null ends the limit to one agent. Source: docs/reference/webhooks.md#routes. */
export interface WebhookChange {
  /** The URL of the endpoint; up to 2,048 characters. */
  readonly url?: string
  /** Empty for every event. */
  readonly events?: ReadonlyArray<PlatformEventName>
  /** False pauses the webhook. */
  readonly isActive?: boolean
  /** The agent whose events are sent; null for all. */
  readonly botId?: string | null
  /** `standard`: five attempts within a minute; `long`: 13 attempts in three days. */
  readonly retrySchedule?: Subscription["retrySchedule"]
  /** Days of failures after which the webhook pauses itself; null for never. */
  readonly pauseAfterDays?: number | null
}

/** A subscription without what signs its deliveries. */
export interface WebhookRecord
  extends Pick<
    Subscription,
    | "id"
    | "tenantId"
    | "url"
    | "events"
    | "isActive"
    | "botId"
    | "retrySchedule"
    | "pauseAfterDays"
    | "failingSince"
    | "createdAt"
    | "secretHint"
  > {
  /** While two secrets sign: until when the previous one does. */
  readonly previousSecretUntil: number | null
}

/** One event's way to one webhook. */
export interface DeliveryRecord
  extends Pick<
    DeliveryEntry,
    "id" | "webhookId" | "event" | "status" | "statusCode" | "attempts" | "error" | "createdAt" | "deliveredAt"
  > {
  /** Whether the endpoint has accepted the delivery. */
  readonly success: boolean
}

/** The arguments that name events, in a product whose platform events have these names. */
const bodiesOf = (platformEvents: ReadonlyArray<string>) => {
  const contract = WebhooksApi.webhooksApi(platformEvents)
  // A `botId` of null says what `clear_bot_id` says on the wire.
  const { clearBotId: _, ...changeable } = Wire.fromWire(contract.WebhookChange.fields)
  return {
    newWebhook: Arguments.given<NewWebhook>()(Schema.Struct(Wire.fromWire(contract.NewWebhook.fields))),
    webhookChange: Arguments.given<WebhookChange>()(Schema.Struct(changeable))
  }
}

/** A subscription and its secret, which is returned this once. */
export interface CreatedWebhook {
  /** The webhook. */
  readonly webhook: WebhookRecord
  /** The secret that signs deliveries. It is shown at this time alone. */
  readonly secret: string
}

export interface WebhooksFacade {
  /** Returns the secret, this once. */
  readonly create: (accountId: string, webhook: NewWebhook, options?: CallOptions) => Promise<CreatedWebhook>
  /** One webhook. Throws `webhook_not_found` where the account has no such webhook. */
  readonly get: (accountId: string, id: string, options?: CallOptions) => Promise<WebhookRecord>
  /** Newest first. */
  readonly list: (accountId: string, options?: PageOptions) => Promise<Paged<WebhookRecord>>
  /** Changes the fields that are there and leaves the others. */
  readonly change: (
    accountId: string,
    id: string,
    change: WebhookChange,
    options?: CallOptions
  ) => Promise<WebhookRecord>
  /** Deletes a webhook and its log. */
  readonly remove: (accountId: string, id: string, options?: CallOptions) => Promise<void>
  /** Replaces the secret, and returns the new one this once; the old one signs beside it for `overlapSeconds`, a day by default. */
  readonly rotateSecret: (
    accountId: string,
    id: string,
    overlapSeconds?: number,
    options?: CallOptions
  ) => Promise<CreatedWebhook>
  /** Sends a test event to the endpoint at once; the answer is the endpoint's own. */
  readonly test: (accountId: string, id: string, options?: CallOptions) => Promise<TestResult>
  /** Newest first. */
  readonly deliveries: (
    accountId: string,
    id: string,
    options?: PageOptions & {
      /** Only deliveries that are still tried, only those that have failed, or only those that the endpoint has accepted. */
      readonly status?: "pending" | "failed" | "delivered"
      /** Only deliveries of one event, by its name. */
      readonly event?: string
    }
  ) => Promise<Paged<DeliveryRecord>>
  /** With the body that is sent, as it was written. */
  readonly delivery: (
    accountId: string,
    id: string,
    deliveryId: string,
    options?: CallOptions
  ) => Promise<DeliveryRecord & { readonly payload: string }>
  /** Sends a payload again; answers the id of the new delivery. */
  readonly replay: (accountId: string, id: string, deliveryId: string, options?: CallOptions) => Promise<string>
  /** Replays what has failed since an instant; answers how many deliveries were queued. */
  readonly recover: (
    accountId: string,
    id: string,
    since: Date | number | string,
    options?: CallOptions
  ) => Promise<number>
}

const shownAt =
  (at: Instant.Instant) =>
  (subscription: Subscription): WebhookRecord => {
    const { secret: _, ...record } = Wire.fromWire(WebhooksHttp.record(subscription, "", at))
    return { ...record, secretHint: subscription.secretHint }
  }

/** Shows what a program answers, at the present moment. */
const showing = <A, B, E, R>(program: Effect.Effect<A, E, R>, show: (at: Instant.Instant) => (found: A) => B) =>
  Effect.flatMap(program, (found) => Effect.map(Instant.now, (at) => show(at)(found)))

const withSecret =
  (at: Instant.Instant) =>
  ({ secret, subscription }: CreatedSubscription): CreatedWebhook => ({ webhook: shownAt(at)(subscription), secret })

const shownDelivery = (entry: DeliveryEntry): DeliveryRecord => Wire.fromWire(WebhooksHttp.entry(entry))

const detail = (delivery: Delivery) => ({ ...shownDelivery(delivery), payload: delivery.payload })

const { accountId, argument, callOptions, paged, record } = Arguments
const id = argument("id", Ids.schema<"Webhook">())
const deliveryId = argument("deliveryId", Ids.schema<"Delivery">())
const overlap = argument("overlapSeconds", Schema.UndefinedOr(WebhooksApi.overlapSeconds))
const pages = paged(WebhooksApi.webhookPages)
const logPagesOf = (platformEvents: ReadonlyArray<string>) =>
  Arguments.listOptions(
    Schema.Struct({
      ...Fields.page(WebhooksApi.webhookPages),
      ...WebhooksApi.logFilterOf(platformEvents),
      ...Arguments.signal
    }),
    WebhooksApi.webhookPages
  )

export const webhooksFacade = (method: Method, platformEvents: ReadonlyArray<string>): WebhooksFacade => {
  const { newWebhook, webhookChange } = bodiesOf(platformEvents)
  return {
    create: method([accountId, record("webhook", newWebhook), callOptions], (tenantId, webhook) =>
      ofAccount(
        tenantId,
        showing(
          Subscriptions.use((w) => w.create(tenantId, Fields.withoutNulls(webhook))),
          withSecret
        )
      )
    ),
    get: method([accountId, id, callOptions], (tenantId, id) =>
      showing(
        Subscriptions.use((w) => w.get(tenantId, id)),
        shownAt
      )
    ),
    list: method([accountId, pages], (tenantId, page) =>
      showing(
        Subscriptions.use((w) => w.list(tenantId, page)),
        (at) => shownPage(shownAt(at))
      )
    ),
    change: method([accountId, id, record("change", webhookChange), callOptions], (tenantId, id, change) =>
      showing(
        Subscriptions.use((w) => w.change(tenantId, id, change)),
        shownAt
      )
    ),
    remove: method([accountId, id, callOptions], (tenantId, id) =>
      Subscriptions.use((w) => w.remove(tenantId, id, operator))
    ),
    rotateSecret: method(
      [accountId, id, overlap, callOptions],
      (tenantId, id, seconds = WebhooksHttp.standardOverlapSeconds) =>
        showing(
          SecretRotation.use((r) =>
            r.rotate({ tenantId, webhookId: id, overlapMs: seconds * Instant.second }, operator)
          ),
          withSecret
        )
    ),
    test: method([accountId, id, callOptions], (tenantId, id) => TestSend.use((t) => t.send(tenantId, id))),
    deliveries: method([accountId, id, logPagesOf(platformEvents)], (tenantId, id, { event, status, ...page }) =>
      Effect.map(
        Deliveries.use((d) => d.list({ tenantId, webhookId: id, status: status ?? null, event: event ?? null }, page)),
        shownPage(shownDelivery)
      )
    ),
    delivery: method([accountId, id, deliveryId, callOptions], (tenantId, id, deliveryId) =>
      Effect.map(
        Deliveries.use((d) => d.get({ tenantId, webhookId: id, deliveryId })),
        detail
      )
    ),
    replay: method([accountId, id, deliveryId, callOptions], (tenantId, id, deliveryId) =>
      Deliveries.use((d) => d.replay({ tenantId, webhookId: id, deliveryId }, operator))
    ),
    recover: method([accountId, id, argument("since", Instant.Given), callOptions], (tenantId, id, since) =>
      Deliveries.use((d) => d.recover({ tenantId, webhookId: id, since }, operator))
    )
  }
}
