/** The contract of webhooks for platform events. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { AcceptsPortalTokens, NeedsManager, NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { BadRequest, Conflict, NotFound, RequestErrors } from "../../platform/http/PlatformErrors.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { DeliveryRecord } from "../deliveries/Delivery.ts"
import { logStatuses } from "../deliveries/DeliveryStore.ts"
import { retrySchedules, SubscriptionRecord } from "../subscriptions/Subscription.ts"

/** Bounds of the reference. Source: docs/reference/webhooks.md#limits. */
export const url = Fields.text(1, 2048)
const maxOverlapSeconds = 7 * 86_400

/** Names of a surface's events; the refusal of another lists them all. */
export const eventName = (names: ReadonlyArray<string>): Schema.Codec<string, string> =>
  Schema.String.check(
    Schema.makeFilter((name: string) => names.includes(name) || `Expected one of ${names.join(", ")}`, {
      representation: { id: "trunkline/event", payload: names },
      toJsonSchema: () => ({ enum: [...names] })
    })
  )

const SubscriptionBody = SubscriptionRecord.schema.annotate({ identifier: "Webhook" })

const DeliveryBody = DeliveryRecord.schema.annotate({ identifier: "WebhookDelivery" })
const DeliveryDetail = Schema.Struct({ ...DeliveryRecord.schema.fields, payload: Schema.Json }).annotate({
  identifier: "WebhookDeliveryDetail"
})

const extras = {
  retry_schedule: Fields.optional(Schema.Literals(retrySchedules)),
  pause_after_days: Fields.optional(Fields.integer(1, 30))
}

/** The bodies of requests, which name events of these names. */
const bodiesOf = (platformEvents: ReadonlyArray<string>) => {
  const events = Schema.Array(eventName(platformEvents)).check(Schema.isMaxLength(platformEvents.length))

  const NewWebhook = Schema.Struct({
    url,
    events: events.check(Schema.isMinLength(1)),
    bot_id: Fields.optional(Ids.schema<"Bot">()),
    ...extras
  }).annotate({ identifier: "NewWebhook" })

  const WebhookChange = Schema.Struct({
    url: Schema.optionalKey(url),
    events: Schema.optionalKey(events),
    is_active: Schema.optionalKey(Schema.Boolean),
    bot_id: Fields.optional(Ids.schema<"Bot">()),
    clear_bot_id: Schema.optionalKey(Schema.Boolean),
    retry_schedule: Schema.optionalKey(Schema.Literals(retrySchedules)),
    pause_after_days: extras.pause_after_days
  }).annotate({ identifier: "WebhookChange" })

  return { NewWebhook, WebhookChange, LogFilter: logFilterOf(platformEvents) }
}

export const overlapSeconds = Fields.integer(0, maxOverlapSeconds)

export const webhookPages = { limit: 200, standard: 50, offset: 1_000_000 }

const webhook = { webhook_id: Ids.schema<"Webhook">() }
const delivery = { ...webhook, delivery_id: Ids.schema<"Delivery">() }
const page = Fields.page(webhookPages)

/** Limits a log to deliveries of one status, or of one event. */
export const logFilterOf = (platformEvents: ReadonlyArray<string>) => ({
  status: Schema.optionalKey(Schema.Literals(logStatuses)),
  event: Schema.optionalKey(eventName(platformEvents))
})

const groupOf = ({ LogFilter, NewWebhook, WebhookChange }: ReturnType<typeof bodiesOf>) =>
  HttpApiGroup.make("webhooks")
    .add(
      HttpApiEndpoint.get("listEvents", "/events", {
        success: Schema.Array(
          Schema.Struct({
            event: Schema.String,
            category: Schema.String,
            fires: Schema.String,
            fired_by: Schema.Literals(["product", "host"])
          })
        )
      }).annotateMerge(
        OpenApi.annotations({
          summary: "List events",
          description: "Returns the events that a webhook can receive, and when each of them is emitted."
        })
      ),
      HttpApiEndpoint.get("list", "/", { query: page, success: Schema.Array(SubscriptionBody) }).annotateMerge(
        OpenApi.annotations({
          summary: "List webhooks",
          description: "Returns the account's webhooks, newest first, without their secrets."
        })
      ),
      HttpApiEndpoint.post("create", "/", {
        payload: NewWebhook,
        success: SubscriptionBody.pipe(HttpApiSchema.status(201)),
        error: [BadRequest, NotFound, Conflict]
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Create a webhook",
          description: "Creates a webhook and returns its secret, which is not shown again."
        })
      ),
      HttpApiEndpoint.get("get", "/:webhook_id", {
        params: webhook,
        success: SubscriptionBody,
        error: NotFound
      }).annotateMerge(
        OpenApi.annotations({ summary: "Get a webhook", description: "Returns one webhook without its secret." })
      ),
      HttpApiEndpoint.put("change", "/:webhook_id", {
        params: webhook,
        payload: WebhookChange,
        success: SubscriptionBody,
        error: [BadRequest, NotFound]
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Change a webhook",
          description: "Changes the fields that you send and keeps the others."
        })
      ),
      HttpApiEndpoint.delete("remove", "/:webhook_id", {
        params: webhook,
        success: HttpApiSchema.NoContent,
        error: NotFound
      }).annotateMerge(
        OpenApi.annotations({ summary: "Delete a webhook", description: "Deletes a webhook and its log." })
      ),
      HttpApiEndpoint.post("test", "/:webhook_id/test", {
        params: webhook,
        success: Schema.Struct({
          success: Schema.Boolean,
          status_code: Schema.NullOr(Schema.Int),
          latency_ms: Schema.Int,
          error: Schema.NullOr(Schema.String)
        }),
        error: [BadRequest, NotFound]
      })
        .annotate(ActsOutside, true)
        .annotateMerge(
          OpenApi.annotations({
            summary: "Test a webhook",
            description: "Sends a test event to the endpoint at once and returns what it answered."
          })
        ),
      HttpApiEndpoint.post("rotateSecret", "/:webhook_id/rotate-secret", {
        params: webhook,
        payload: Schema.Struct({ overlap_seconds: Fields.optional(overlapSeconds) }),
        success: SubscriptionBody,
        error: NotFound
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Rotate the secret of a webhook",
          description:
            "Creates a new secret and returns it this one time; the old secret signs deliveries as well until the overlap ends."
        })
      ),
      HttpApiEndpoint.post("recover", "/:webhook_id/recover", {
        params: webhook,
        payload: Schema.Struct({ since: Instant.AnyIso }),
        success: Schema.Struct({ queued: Schema.Int }).pipe(HttpApiSchema.status(202)),
        error: [BadRequest, NotFound]
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Send failed deliveries again",
          description: "Queues all deliveries again that have failed since an instant, oldest first."
        })
      ),
      HttpApiEndpoint.get("listDeliveries", "/:webhook_id/deliveries", {
        params: webhook,
        query: { ...page, ...LogFilter },
        success: Schema.Array(DeliveryBody),
        error: NotFound
      }).annotateMerge(
        OpenApi.annotations({
          summary: "List deliveries",
          description:
            "Returns the latest deliveries of a webhook, or those of one status or event, newest first, without their payloads."
        })
      ),
      HttpApiEndpoint.get("delivery", "/:webhook_id/deliveries/:delivery_id", {
        params: delivery,
        success: DeliveryDetail,
        error: NotFound
      }).annotateMerge(
        OpenApi.annotations({ summary: "Get a delivery", description: "Returns one delivery with its payload." })
      ),
      HttpApiEndpoint.post("replay", "/:webhook_id/deliveries/:delivery_id/replay", {
        params: delivery,
        success: Schema.Struct({ delivery_id: Ids.schema<"Delivery">(), status: Schema.Literal("queued") }).pipe(
          HttpApiSchema.status(202)
        ),
        error: [BadRequest, NotFound]
      }).annotateMerge(
        OpenApi.annotations({
          summary: "Send a delivery again",
          description: "Queues the payload of a delivery again, as a delivery of its own."
        })
      )
    )
    .prefix("/api/v1/webhooks")
    .middleware(RequestErrors)
    .middleware(PlatformAuth)
    .annotateEndpoints(NeedsScope, "webhooks:write")
    .annotateEndpoints(NeedsManager, "webhooks")
    .annotateEndpoints(AcceptsPortalTokens, true)
    .annotate(OpenApi.Description, "Endpoints that receive the platform's events, and the log of deliveries")
    .annotate(BodyExamples, {
      create: { url: "https://example.com/webhooks", events: ["call.completed", "message.received"] },
      change: { is_active: false },
      rotateSecret: { overlap_seconds: 3600 },
      recover: { since: "2026-11-21T09:30:00Z" }
    })
    .annotate(FieldTexts, {
      "query.status": "Returns only items with this status",
      "query.event": "Returns only deliveries of this event",
      event: "Name of the event",
      category: "Group of events",
      fires: "When the event is emitted",
      fired_by: "`product`: the product emits it; `host`: the provider publishes it",
      url: "URL of the endpoint; up to 2048 characters",
      secret: "Secret that signs deliveries; masked unless it is new",
      events: "Names of the events to send; empty for every event",
      is_active: "False while the webhook is paused",
      bot_id: "Agent whose events are sent; null for all",
      clear_bot_id: "True to send the events of all agents",
      retry_schedule: "`standard`: 5 attempts within a minute; `long`: 13 attempts in three days",
      pause_after_days: "Days of failures after which the webhook pauses itself; null for never",
      failing_since: "Time since which every delivery has failed; null when none has",
      previous_secret_until: "Time until which the old secret signs as well",
      success: "True when the endpoint answered with a status from 200 to 299",
      status_code: "Status of the endpoint's last answer; null when there was none",
      latency_ms: "Milliseconds until the answer",
      error: "Why it failed; null when it did not",
      overlap_seconds: "Seconds for which both secrets sign; default a day, at most 7 days",
      queued: "Number of deliveries that were queued",
      webhook_id: "Id of the webhook",
      status: "Status of the delivery",
      attempts: "Number of attempts so far",
      delivered_at: "Time at which the endpoint accepted it; null while it has not",
      next_attempt_at: "Time of the next attempt; null while one runs and when none follows",
      payload: "Body that is sent",
      delivery_id: "Id of the new delivery"
    })

/** The contract of webhooks in a product whose platform events have these names. */
export const webhooksApi = (platformEvents: ReadonlyArray<string>) => {
  const bodies = bodiesOf(platformEvents)
  return { ...bodies, group: groupOf(bodies) }
}
