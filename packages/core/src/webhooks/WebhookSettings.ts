/** What an installation decides about webhooks. */
import * as Context from "effect/Context"
import type { Network } from "./AddressPolicy.ts"
import type { DeliveryLimits } from "./FairScheduler.ts"

export class WebhookSettings extends Context.Service<
  WebhookSettings,
  {
    /** Before `Event`, `Delivery` and `Signature` in the names of headers. */
    readonly headerPrefix: string
    /** Networks that may be called although they are not public. */
    readonly exempt: ReadonlyArray<Network>
    /** Hosts that are sent chat messages instead of the JSON body. */
    readonly teamChatHosts: ReadonlyArray<string>
    /** Deadline of one attempt: resolving, connecting, TLS and the head of the response together. */
    readonly timeoutMs: number
    readonly limits: DeliveryLimits
  }
>()("@trunkline/core/webhooks/WebhookSettings") {}

export const standardLimits: DeliveryLimits = { slots: 64, reservedSlots: 16, perEndpoint: 16 }
