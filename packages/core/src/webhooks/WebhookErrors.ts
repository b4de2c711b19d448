/** What can be wrong with a request about webhooks. */
import * as Schema from "effect/Schema"

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
