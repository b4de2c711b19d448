/** What an installation decides about webhooks. */
import * as Context from "effect/Context"

export interface DeliveryLimits {
  /** Concurrent attempts in this process. */
  readonly slots: number
  /** How many of the slots are reserved for first attempts to endpoints that answer. */
  readonly reservedSlots: number
  /** Concurrent attempts to one endpoint. */
  readonly perEndpoint: number
}

export class WebhookSettings extends Context.Service<
  WebhookSettings,
  {
    /** Hosts that are sent chat messages instead of the JSON body. */
    readonly teamChatHosts: ReadonlyArray<string>
    /** Deadline of one attempt: resolving, connecting, TLS and the head of the response together. */
    readonly timeoutMs: number
    readonly limits: DeliveryLimits
  }
>()("@trunkline/core/webhooks/WebhookSettings") {}

export const standardLimits: DeliveryLimits = { slots: 64, reservedSlots: 16, perEndpoint: 16 }
