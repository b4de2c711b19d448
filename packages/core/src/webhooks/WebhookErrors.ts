/** What can be wrong with a request about webhooks. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const webhookErrors = {
  DeliveryNotFound: { status: 404, code: "delivery_not_found" },
  EmailEntryNotFound: { status: 404, code: "email_entry_not_found" },
  EmailReportRefused: { status: 422, code: "email_report_refused" },
  WebhookNotFound: { status: 404, code: "webhook_not_found" },
  WebhookPaused: { status: 400, code: "webhook_paused" },
  WebhookUrlRefused: { status: 400, code: "webhook_url_refused" }
} as const satisfies ErrorTable

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", { id: Schema.String }) {
  override get message() {
    return "Webhook not found"
  }
}

export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Delivery not found"
  }
}

/** Nothing is replayed to a paused subscription. */
export class WebhookPaused extends Schema.TaggedError<WebhookPaused>()("WebhookPaused", {}) {
  override get message() {
    return "The webhook is paused: set is_active to true, then replay"
  }
}

/** `detail` is the sentence of the address policy. */
export class WebhookUrlRefused extends Schema.TaggedError<WebhookUrlRefused>()("WebhookUrlRefused", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export class EmailReportRefused extends Schema.TaggedError<EmailReportRefused>()("EmailReportRefused", {
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

export class EmailEntryNotFound extends Schema.TaggedError<EmailEntryNotFound>()("EmailEntryNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Entry not found"
  }
}
