/** The area webhooks: made from the contract by ClientFiles.test.ts. */
import type { List } from "../List.ts"
import { type ClientArea, clientArea } from "../Operation.ts"
import type { KeyedRequestOptions, RequestOptions } from "../Request.ts"
import type {
  EmailSuppression,
  EmailWebhook,
  EmailWebhookDelivery,
  NewEmailWebhook,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryDetail
} from "./Records.ts"

export interface WebhooksMethods {
  /**
   * List events.
   *
   * Returns the events that a webhook can receive, and when each of them is emitted. An API key needs the scope `webhooks:write`.
   */
  listEvents(options?: RequestOptions): Promise<
    ReadonlyArray<{
      /** Name of the event. */
      readonly event: string
      /** Group of events. */
      readonly category: string
      /** When the event is emitted. */
      readonly fires: string
      /** `product`: the product emits it; `host`: the provider publishes it. */
      readonly fired_by: "product" | "host"
    }>
  >
  /**
   * List webhooks.
   *
   * Returns the account's webhooks, newest first, without their secrets. An API key needs the scope `webhooks:write`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 200. Default 50. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<Webhook>
  /**
   * Create a webhook.
   *
   * Creates a webhook and returns its secret, which is not shown again. An API key needs the scope `webhooks:write`.
   */
  create(body: NewWebhook, options?: KeyedRequestOptions): Promise<Webhook>
  /**
   * Get a webhook.
   *
   * Returns one webhook without its secret. An API key needs the scope `webhooks:write`.
   */
  get(webhookId: string, options?: RequestOptions): Promise<Webhook>
  /**
   * Change a webhook.
   *
   * Changes the fields that you send and keeps the others. An API key needs the scope `webhooks:write`.
   */
  change(webhookId: string, body: WebhookChange, options?: RequestOptions): Promise<Webhook>
  /**
   * Delete a webhook.
   *
   * Deletes a webhook and its log. An API key needs the scope `webhooks:write`.
   */
  remove(webhookId: string, options?: RequestOptions): Promise<void>
  /**
   * Test a webhook.
   *
   * Sends a test event to the endpoint at once and returns what it answered. An API key needs the scope `webhooks:write`.
   */
  test(
    webhookId: string,
    options?: KeyedRequestOptions
  ): Promise<{
    /** True when the endpoint answered with a status from 200 to 299. */
    readonly success: boolean
    /** Status of the endpoint's last answer; null when there was none. */
    readonly status_code: number | null
    /** Milliseconds until the answer. */
    readonly latency_ms: number
    /** Why it failed; null when it did not. */
    readonly error: string | null
  }>
  /**
   * Rotate the secret of a webhook.
   *
   * Creates a new secret and returns it this one time; the old secret signs deliveries as well until the overlap ends. An API key needs the scope `webhooks:write`.
   */
  rotateSecret(
    webhookId: string,
    body?: {
      /** Seconds for which both secrets sign; default a day, at most 7 days. */
      readonly overlap_seconds?: number | null | undefined
    },
    options?: KeyedRequestOptions
  ): Promise<Webhook>
  /**
   * Send failed deliveries again.
   *
   * Queues all deliveries again that have failed since an instant, oldest first. An API key needs the scope `webhooks:write`.
   */
  recover(
    webhookId: string,
    body: {
      /** An ISO 8601 instant such as 2026-11-21T09:30:00Z; without an offset it is UTC. */
      readonly since: string
    },
    options?: KeyedRequestOptions
  ): Promise<{
    /** Number of deliveries that were queued. */
    readonly queued: number
  }>
  /**
   * List deliveries.
   *
   * Returns the latest deliveries of a webhook, or those of one status or event, newest first, without their payloads. An API key needs the scope `webhooks:write`.
   */
  listDeliveries(
    webhookId: string,
    query?: {
      /** Maximum number of items to return. From 1 to 200. Default 50. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000. */
      readonly offset?: number | undefined
      /** Returns only items with this status. */
      readonly status?: "pending" | "failed" | "delivered" | undefined
      /** Returns only deliveries of this event. */
      readonly event?:
        | "conversation.started"
        | "conversation.ended"
        | "message.received"
        | "message.sent"
        | "message.status"
        | "number.status"
        | "template.status"
        | "contact.preference"
        | "voice_session.started"
        | "voice_session.ended"
        | "voice_session.failed"
        | "call.started"
        | "call.completed"
        | "call.failed"
        | "call.amd_detected"
        | "voice_analysis.completed"
        | "campaign.started"
        | "campaign.completed"
        | "campaign.failed"
        | "voice_alert.triggered"
        | "budget.alert"
        | "budget.exceeded"
        | "credits.low"
        | "api_key.expired"
        | "invoice.created"
        | "payment.succeeded"
        | "payment.failed"
        | "payment_request.partially_paid"
        | "payment_request.paid"
        | "payment_request.expired"
        | "payment_request.cancelled"
        | undefined
    },
    options?: RequestOptions
  ): List<WebhookDelivery>
  /**
   * Get a delivery.
   *
   * Returns one delivery with its payload. An API key needs the scope `webhooks:write`.
   */
  delivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDeliveryDetail>
  /**
   * Send a delivery again.
   *
   * Queues the payload of a delivery again, as a delivery of its own. An API key needs the scope `webhooks:write`.
   */
  replay(
    webhookId: string,
    deliveryId: string,
    options?: KeyedRequestOptions
  ): Promise<{
    /** Id of the new delivery. */
    readonly delivery_id: string
    /** Status of the delivery. */
    readonly status: "queued"
  }>
}

export interface EmailWebhooksMethods {
  /**
   * List email webhooks.
   *
   * Returns the account's email webhooks, newest first, without their secrets. An API key needs the scope `email:read`.
   */
  list(options?: RequestOptions): Promise<ReadonlyArray<EmailWebhook>>
  /**
   * Create an email webhook.
   *
   * Creates an email webhook and returns its secret, which is not shown again. An API key needs the scope `email:write`.
   */
  create(
    body: NewEmailWebhook,
    options?: KeyedRequestOptions
  ): Promise<{
    /** The new webhook. */
    readonly webhook: EmailWebhook
    /** Secret that signs deliveries. */
    readonly secret: string
  }>
  /**
   * List email deliveries.
   *
   * Returns the deliveries of all email webhooks, or of one, newest first. An API key needs the scope `email:read`.
   */
  listDeliveries(
    query?: {
      /** Returns only items of this webhook. */
      readonly webhook_id?: string | undefined
      /** Maximum number of items to return. From 1 to 200. Default 50. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<EmailWebhookDelivery>
  /**
   * Pause or resume an email webhook.
   *
   * Pauses an email webhook or resumes it. An API key needs the scope `email:write`.
   */
  change(
    webhookId: string,
    body: {
      /** False while the webhook is paused. */
      readonly is_active: boolean
    },
    options?: RequestOptions
  ): Promise<EmailWebhook>
  /**
   * Delete an email webhook.
   *
   * Deletes an email webhook and its log. An API key needs the scope `email:write`.
   */
  remove(webhookId: string, options?: RequestOptions): Promise<void>
}

export interface EmailSuppressionsMethods {
  /**
   * List suppressed email addresses.
   *
   * Returns the addresses that bounced or complained, newest first. An API key needs the scope `email:read`.
   */
  list(
    query?: {
      /** Maximum number of items to return. From 1 to 500. Default 100. */
      readonly limit?: number | undefined
      /** Number of items to skip. From 0 to 1000000000. */
      readonly offset?: number | undefined
    },
    options?: RequestOptions
  ): List<EmailSuppression>
  /**
   * Remove a suppressed email address.
   *
   * Removes one address from the list, so that it may be written to again. An API key needs the scope `email:write`.
   */
  remove(entryId: string, options?: RequestOptions): Promise<void>
}

/** The routes of the area webhooks. */
export interface WebhooksClient {
  readonly webhooks: WebhooksMethods
  readonly emailWebhooks: EmailWebhooksMethods
  readonly emailSuppressions: EmailSuppressionsMethods
}

/** For the `areas` of `createClient`. */
export const webhooks: ClientArea<WebhooksClient> = clientArea({
  webhooks: {
    listEvents: { method: "GET", path: "/api/v1/webhooks/events" },
    list: { method: "GET", path: "/api/v1/webhooks", takes: ["query"], pages: "offset" },
    create: { method: "POST", path: "/api/v1/webhooks", takes: ["json"], key: "always" },
    get: { method: "GET", path: "/api/v1/webhooks/{webhook_id}" },
    change: { method: "PUT", path: "/api/v1/webhooks/{webhook_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/webhooks/{webhook_id}" },
    test: { method: "POST", path: "/api/v1/webhooks/{webhook_id}/test", key: "always" },
    rotateSecret: {
      method: "POST",
      path: "/api/v1/webhooks/{webhook_id}/rotate-secret",
      takes: ["json"],
      key: "always"
    },
    recover: { method: "POST", path: "/api/v1/webhooks/{webhook_id}/recover", takes: ["json"], key: "always" },
    listDeliveries: {
      method: "GET",
      path: "/api/v1/webhooks/{webhook_id}/deliveries",
      takes: ["query"],
      pages: "offset"
    },
    delivery: { method: "GET", path: "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}" },
    replay: { method: "POST", path: "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay", key: "always" }
  },
  emailWebhooks: {
    list: { method: "GET", path: "/api/v1/email/webhooks" },
    create: { method: "POST", path: "/api/v1/email/webhooks", takes: ["json"], key: "always" },
    listDeliveries: { method: "GET", path: "/api/v1/email/webhooks/deliveries", takes: ["query"], pages: "offset" },
    change: { method: "PATCH", path: "/api/v1/email/webhooks/{webhook_id}", takes: ["json"] },
    remove: { method: "DELETE", path: "/api/v1/email/webhooks/{webhook_id}" }
  },
  emailSuppressions: {
    list: { method: "GET", path: "/api/v1/email/suppressions", takes: ["query"], pages: "offset" },
    remove: { method: "DELETE", path: "/api/v1/email/suppressions/{entry_id}" }
  }
})
