/** The contract of webhooks for platform events. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { platformEvents } from "../events/index.ts"
import * as Fields from "../http/Fields.ts"
import { NeedsManager, NeedsScope, PlatformAuth, TakesPortalTokens } from "../http/PlatformAuth.ts"
import { BadRequest, NotFound, RequestErrors } from "../http/PlatformErrors.ts"
import { IsCollection } from "../http/RouteTable.ts"
import { Ids, Instant } from "../kernel/index.ts"

/** Bounds of the reference. Source: docs/webhooks.md#limits. */
export const url = Fields.text(1, 2048)
const mostEvents = platformEvents.length
const longestOverlapSeconds = 7 * 86_400

/** Names of a surface's events; the refusal of another lists them all. */
export const eventName = (names: ReadonlyArray<string>): Schema.Codec<string, string> =>
  Schema.String.check(
    Schema.makeFilter((name: string) => names.includes(name) || `Expected one of ${names.join(", ")}`, {
      representation: { id: "trunkline/event", payload: names },
      toJsonSchema: () => ({ enum: [...names] })
    })
  )

const events = Schema.Array(eventName(platformEvents)).check(Schema.isMaxLength(mostEvents))

const SubscriptionRecord = Schema.Struct({
  id: Ids.schema<"Webhook">(),
  tenant_id: Ids.schema<"Account">(),
  url: Schema.String,
  secret: Schema.String,
  events: Schema.Array(Schema.String),
  is_active: Schema.Boolean,
  bot_id: Schema.NullOr(Ids.schema<"Bot">()),
  retry_schedule: Schema.Literals(["standard", "long"]),
  pause_after_days: Schema.NullOr(Schema.Int),
  failing_since: Schema.NullOr(Instant.Iso),
  previous_secret_until: Schema.NullOr(Instant.Iso),
  created_at: Instant.Iso
}).annotate({ identifier: "Webhook" })

const deliveryFields = {
  id: Ids.schema<"Delivery">(),
  webhook_id: Ids.schema<"Webhook">(),
  event: Schema.String,
  status: Schema.Literals(["pending", "delivered", "failed", "blocked"]),
  status_code: Schema.NullOr(Schema.Int),
  attempts: Schema.Int,
  success: Schema.Boolean,
  error: Schema.NullOr(Schema.String),
  created_at: Instant.Iso,
  delivered_at: Schema.NullOr(Instant.Iso),
  next_attempt_at: Schema.NullOr(Instant.Iso)
}

const DeliveryRecord = Schema.Struct(deliveryFields).annotate({ identifier: "WebhookDelivery" })
const DeliveryDetail = Schema.Struct({ ...deliveryFields, payload: Schema.Json }).annotate({
  identifier: "WebhookDeliveryDetail"
})

const extras = {
  retry_schedule: Fields.optional(Schema.Literals(["standard", "long"])),
  pause_after_days: Fields.optional(Fields.integer(1, 30))
}

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
  retry_schedule: Schema.optionalKey(Schema.Literals(["standard", "long"])),
  pause_after_days: extras.pause_after_days
}).annotate({ identifier: "WebhookChange" })

const webhook = { webhook_id: Ids.schema<"Webhook">() }
const delivery = { ...webhook, delivery_id: Ids.schema<"Delivery">() }
const limit = { limit: Schema.optionalKey(Fields.integer(1, 200).annotate({ default: 50 } as never)) }

export const webhooksGroup = HttpApiGroup.make("webhooks")
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
    }).annotate(IsCollection, true),
    HttpApiEndpoint.get("list", "/", { query: limit, success: Schema.Array(SubscriptionRecord) }),
    HttpApiEndpoint.post("create", "/", {
      payload: NewWebhook,
      success: SubscriptionRecord.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound]
    }),
    HttpApiEndpoint.get("get", "/:webhook_id", { params: webhook, success: SubscriptionRecord, error: NotFound }),
    HttpApiEndpoint.put("change", "/:webhook_id", {
      params: webhook,
      payload: WebhookChange,
      success: SubscriptionRecord,
      error: [BadRequest, NotFound]
    }),
    HttpApiEndpoint.delete("remove", "/:webhook_id", {
      params: webhook,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }),
    HttpApiEndpoint.post("test", "/:webhook_id/test", {
      params: webhook,
      success: Schema.Struct({
        success: Schema.Boolean,
        status_code: Schema.NullOr(Schema.Int),
        latency_ms: Schema.Int,
        error: Schema.NullOr(Schema.String)
      }),
      error: [BadRequest, NotFound]
    }),
    HttpApiEndpoint.post("rotateSecret", "/:webhook_id/rotate-secret", {
      params: webhook,
      payload: Schema.Struct({ overlap_seconds: Fields.optional(Fields.integer(0, longestOverlapSeconds)) }),
      success: SubscriptionRecord,
      error: NotFound
    }),
    HttpApiEndpoint.post("recover", "/:webhook_id/recover", {
      params: webhook,
      payload: Schema.Struct({ since: Instant.AnyIso }),
      success: Schema.Struct({ queued: Schema.Int }).pipe(HttpApiSchema.status(202)),
      error: [BadRequest, NotFound]
    }),
    HttpApiEndpoint.get("listDeliveries", "/:webhook_id/deliveries", {
      params: webhook,
      query: { ...limit, status: Schema.optionalKey(Schema.Literals(["pending", "failed"])) },
      success: Schema.Array(DeliveryRecord),
      error: NotFound
    }),
    HttpApiEndpoint.get("delivery", "/:webhook_id/deliveries/:delivery_id", {
      params: delivery,
      success: DeliveryDetail,
      error: NotFound
    }),
    HttpApiEndpoint.post("replay", "/:webhook_id/deliveries/:delivery_id/replay", {
      params: delivery,
      success: Schema.Struct({ delivery_id: Ids.schema<"Delivery">(), status: Schema.Literal("queued") }).pipe(
        HttpApiSchema.status(202)
      ),
      error: [BadRequest, NotFound]
    })
  )
  .prefix("/api/v1/webhooks")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotateEndpoints(NeedsScope, "webhooks:write")
  .annotateEndpoints(NeedsManager, true)
  .annotateEndpoints(TakesPortalTokens, true)
