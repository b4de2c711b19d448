/** The contract of webhooks for email events, and of the addresses that mail must not be sent to. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { NotFound, RequestErrors, UnprocessableReason } from "../../platform/http/PlatformErrors.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { deliveryStatuses } from "../deliveries/Delivery.ts"
import { eventName, url } from "../routes/WebhooksApi.ts"
import { emailEvents } from "./EmailEventEntries.ts"
import { EmailSuppressionRecord } from "./EmailSuppressionStore.ts"

const names = emailEvents.map(({ name }) => name)

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
  status: Schema.Literals(deliveryStatuses),
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
    HttpApiEndpoint.get("list", "/", { success: Schema.Array(WebhookOut) })
      .annotate(NeedsScope, "email:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List email webhooks",
          description: "Returns the account's email webhooks, newest first, without their secrets."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({
        url,
        description: Fields.optional(Fields.text(0, 255)),
        events: Fields.optional(Schema.Array(eventName(names)).check(Schema.isMaxLength(names.length)))
      }).annotate({ identifier: "NewEmailWebhook" }),
      success: Schema.Struct({ webhook: WebhookOut, secret: Schema.String }).pipe(HttpApiSchema.status(201)),
      error: UnprocessableReason
    })
      .annotate(NeedsScope, "email:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an email webhook",
          description: "Creates an email webhook and returns its secret, which is not shown again."
        })
      ),
    HttpApiEndpoint.get("listDeliveries", "/deliveries", {
      query: {
        webhook_id: Schema.optionalKey(Ids.schema<"Webhook">()),
        ...Fields.page({ limit: 200, standard: 50, offset: 1_000_000_000 })
      },
      success: Schema.Array(WebhookDeliveryOut),
      error: NotFound
    })
      .annotate(NeedsScope, "email:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List email deliveries",
          description: "Returns the deliveries of all email webhooks, or of one, newest first."
        })
      ),
    HttpApiEndpoint.patch("change", "/:webhook_id", {
      params: webhook,
      payload: Schema.Struct({ is_active: Schema.Boolean }),
      success: WebhookOut,
      error: NotFound
    })
      .annotate(NeedsScope, "email:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Pause or resume an email webhook",
          description: "Pauses an email webhook or resumes it."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:webhook_id", {
      params: webhook,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(NeedsScope, "email:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete an email webhook",
          description: "Deletes an email webhook and its log."
        })
      )
  )
  .prefix("/api/v1/email/webhooks")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Endpoints that receive bounces and complaints of email, and the log of deliveries")
  .annotate(BodyExamples, {
    create: { url: "https://example.com/emails", events: ["email.bounced"] },
    change: { is_active: false }
  })
  .annotate(FieldTexts, {
    "query.webhook_id": "Returns only items of this webhook",
    url: "URL of the endpoint; up to 2048 characters",
    description: "What the webhook is for; up to 255 characters",
    events: "Names of the events to send; null or empty for every event",
    secret_prefix: "First characters of the secret",
    is_active: "False while the webhook is paused",
    webhook: "The new webhook",
    secret: "Secret that signs deliveries",
    webhook_id: "Id of the webhook",
    event: "Name of the event",
    send_id: "The sender's id of the email",
    status: "Status of the delivery",
    attempt_count: "Number of attempts so far",
    response_code: "Status of the endpoint's last answer; null when there was none",
    error_detail: "Why it failed; null when it did not",
    last_attempt_at: "Time of the last attempt",
    delivered_at: "Time at which the endpoint accepted it; null while it has not"
  })

const Suppression = EmailSuppressionRecord.schema.annotate({ identifier: "EmailSuppression" })

export const emailSuppressionsGroup = HttpApiGroup.make("emailSuppressions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: Fields.page({ limit: 500, standard: 100, offset: 1_000_000_000 }),
      success: Schema.Array(Suppression)
    })
      .annotate(NeedsScope, "email:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List suppressed email addresses",
          description: "Returns the addresses that bounced or complained, newest first."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:entry_id", {
      params: { entry_id: Ids.schema<"EmailSuppression">() },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(NeedsScope, "email:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Remove a suppressed email address",
          description: "Removes one address from the list, so that it may be written to again."
        })
      )
  )
  .prefix("/api/v1/email/suppressions")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Email addresses that must not be written to")
  .annotate(FieldTexts, {
    email: "Email address",
    reason: "Why the address is on the list",
    detail: "What the mail service reported"
  })
