/** What a host decides about webhooks, as the room knows it. Its options have passed OptionsCheck.ts. */
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Brand } from "../http/index.ts"
import { AddressPolicy, standardLimits, WebhookSettings } from "../webhooks/index.ts"
import type { TrunklineOptions } from "./Options.ts"

/** Which pages may frame the portal. Source: docs/webhooks-portal.md#policy. */
export const frameAncestors = ({ webhooks }: TrunklineOptions): ReadonlyArray<string> =>
  webhooks?.portal?.frameAncestors ?? ["'self'"]

export const webhookSettings = ({ webhooks = {} }: TrunklineOptions, { headerPrefix }: Brand) => {
  const places = webhooks.concurrency ?? standardLimits.places
  return Layer.succeed(WebhookSettings, {
    headerPrefix,
    // OptionsCheck.ts has refused invalid networks.
    exempt: Result.getOrElse(AddressPolicy.parseNetworks(webhooks.allowNetworks ?? []), () => []),
    teamChatHosts: webhooks.teamChatHosts ?? ["hooks.slack.com"],
    timeoutMs: webhooks.timeoutMs ?? 10_000,
    limits: {
      places,
      firstOnly: Math.floor(places / 4),
      perEndpoint: webhooks.perEndpoint ?? standardLimits.perEndpoint
    }
  })
}
