/** The contract of webhooks for email events, and of the addresses that mail must not be sent to. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { emailEvents } from "../events/index.ts"
import * as Fields from "../http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { NotFound, RequestErrors, UnprocessableReason } from "../http/PlatformErrors.ts"
import { IsCollection } from "../http/RouteTable.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { eventName, url } from "./WebhooksApi.ts"

const WebhookOut = Schema.Struct({
  id: Ids.schema<"Webhook">(),
  url: Schema.String,
  description: Schema.NullOr(Schema.String),
  events: Schema.NullOr(Schema.Array(Schema.String)),
  secret_prefix: Schema.String,
  is_active: Schema.Boolean,
  created_at: Instant.Iso
}).annotate({ identifier: "EmailWebhook" })

const WebhookDeliveryOut = Schema.Struct({
  id: Ids.schema<"Delivery">(),
  webhook_id: Ids.schema<"Webhook">(),
  event: Schema.String,
  send_id: Schema.NullOr(Schema.String),
  status: Schema.Literals(["pending", "delivered", "failed", "blocked"]),
  attempt_count: Schema.Int,
  response_code: Schema.NullOr(Schema.Int),
  error_detail: Schema.NullOr(Schema.String),
  created_at: Instant.Iso,
  last_attempt_at: Schema.NullOr(Instant.Iso),
  delivered_at: Schema.NullOr(Instant.Iso)
}).annotate({ identifier: "EmailWebhookDelivery" })

const webhook = { webhook_id: Ids.schema<"Webhook">() }

export const emailWebhooksGroup = HttpApiGroup.make("emailWebhooks")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(WebhookOut) }).annotate(NeedsScope, "email:read"),
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({
        url,
        description: Fields.optional(Fields.text(0, 255)),
        events: Fields.optional(Schema.Array(eventName(emailEvents)))
      }).annotate({ identifier: "NewEmailWebhook" }),
      success: Schema.Struct({ webhook: WebhookOut, secret: Schema.String }).pipe(HttpApiSchema.status(201)),
      error: UnprocessableReason
    }).annotate(NeedsScope, "email:write"),
    HttpApiEndpoint.get("listDeliveries", "/deliveries", {
      query: {
        webhook_id: Schema.optionalKey(Ids.schema<"Webhook">()),
        ...Fields.page({ limit: 200, standard: 50, offset: 1_000_000_000 })
      },
      success: Schema.Array(WebhookDeliveryOut),
      error: NotFound
    })
      .annotate(NeedsScope, "email:read")
      .annotate(IsCollection, true),
    HttpApiEndpoint.patch("change", "/:webhook_id", {
      params: webhook,
      payload: Schema.Struct({ is_active: Schema.Boolean }),
      success: WebhookOut,
      error: NotFound
    }).annotate(NeedsScope, "email:write"),
    HttpApiEndpoint.delete("remove", "/:webhook_id", {
      params: webhook,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(NeedsScope, "email:write")
  )
  .prefix("/api/v1/email/webhooks")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)

const Suppression = Schema.Struct({
  id: Ids.schema<"EmailSuppression">(),
  email: Schema.String,
  reason: Schema.Literals(["bounced", "complained"]),
  detail: Schema.NullOr(Schema.String),
  created_at: Instant.Iso
}).annotate({ identifier: "EmailSuppression" })

export const emailSuppressionsGroup = HttpApiGroup.make("emailSuppressions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: Fields.page({ limit: 500, standard: 100, offset: 1_000_000_000 }),
      success: Schema.Array(Suppression)
    }).annotate(NeedsScope, "email:read"),
    HttpApiEndpoint.delete("remove", "/:entry_id", {
      params: { entry_id: Ids.schema<"EmailSuppression">() },
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(NeedsScope, "email:write")
  )
  .prefix("/api/v1/email/suppressions")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
