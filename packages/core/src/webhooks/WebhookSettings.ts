/** What an installation decides about webhooks. */
import * as Context from "effect/Context"
import type { Network } from "./AddressPolicy.ts"
import type { Limits } from "./Lanes.ts"

export class WebhookSettings extends Context.Service<
  WebhookSettings,
  {
    /** Before `Event`, `Delivery` and `Signature` in the names of headers. */
    readonly headerPrefix: string
    /** Networks that may be called although they are not public. */
    readonly exempt: ReadonlyArray<Network>
    /** Hosts that are sent chat messages instead of the JSON body. */
    readonly teamChatHosts: ReadonlyArray<string>
    /** Of one attempt: resolving, connecting, TLS and the head of the answer together. */
    readonly timeoutMs: number
    readonly limits: Limits
  }
>()("@trunkline/core/webhooks/WebhookSettings") {}

export const standardLimits: Limits = { places: 64, firstOnly: 16, perEndpoint: 16 }
