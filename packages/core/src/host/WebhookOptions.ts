/** What a host decides about webhooks, as the room knows it. Its options have passed OptionsCheck.ts. */
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Brand } from "../platform/kernel/index.ts"
import { AddressPolicy, OutboundSettings } from "../platform/outbound/index.ts"
import { standardLimits, WebhookSettings } from "../webhooks/index.ts"
import { languageOf, PortalPage } from "../webhooks/portal/index.ts"
import type { TrunklineOptions } from "./Options.ts"

/** What the portal's page is made with. Source: docs/reference/webhooks-portal.md#policy. */
export const portalPage = ({ webhooks = {} }: TrunklineOptions, { name, theme }: Brand) =>
  Layer.succeed(PortalPage, {
    frameAncestors: webhooks.portal?.frameAncestors ?? ["'self'"],
    theme: { ...theme, ...webhooks.portal?.theme },
    brandName: name,
    // OptionsCheck.ts has refused what is no tag.
    language: languageOf(webhooks.portal?.language ?? "en") ?? "en",
    words: webhooks.portal?.words ?? {},
    allowsHttp: (webhooks.allowNetworks ?? []).length > 0
  })

export const outboundSettings = ({ webhooks = {} }: TrunklineOptions, { headerPrefix }: Brand) =>
  Layer.succeed(OutboundSettings, {
    headerPrefix,
    // OptionsCheck.ts has refused invalid networks.
    exempt: Result.getOrElse(AddressPolicy.parseNetworks(webhooks.allowNetworks ?? []), () => [])
  })

export const webhookSettings = ({ webhooks = {} }: TrunklineOptions) => {
  const slots = webhooks.concurrency ?? standardLimits.slots
  return Layer.succeed(WebhookSettings, {
    teamChatHosts: webhooks.teamChatHosts ?? ["hooks.slack.com"],
    timeoutMs: webhooks.timeoutMs ?? 10_000,
    limits: {
      slots,
      reservedSlots: Math.floor(slots / 4),
      perEndpoint: webhooks.perEndpoint ?? standardLimits.perEndpoint
    }
  })
}
