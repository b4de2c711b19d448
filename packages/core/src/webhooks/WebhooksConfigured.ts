/** What a host decides about webhooks, as the rooms know it. Its options have been checked. */
import * as Layer from "effect/Layer"
import type { Brand } from "../platform/brand/index.ts"
import type { PlatformOptions } from "../platform/PlatformOptions.ts"
import { effective } from "../platform/settings/index.ts"
import { languageOf, PortalPage } from "./portal/index.ts"
import { WebhookSettings } from "./WebhookSettings.ts"
import { settings, type WebhooksOptions } from "./WebhooksOptions.ts"

export const configured = (options: WebhooksOptions & PlatformOptions, { name, theme }: Brand) => {
  const { concurrency, perEndpoint, portal, teamChatHosts, timeoutMs } = effective(settings, options).webhooks
  return Layer.merge(
    // What the portal's page is made with. Source: docs/reference/webhooks-portal.md#policy.
    Layer.succeed(PortalPage, {
      frameAncestors: portal.frameAncestors,
      theme: { ...theme, ...options.webhooks?.portal?.theme },
      brandName: name,
      language: languageOf(portal.language) ?? "en",
      words: portal.words ?? {},
      allowsHttp: (options.webhooks?.allowNetworks ?? []).length > 0
    }),
    Layer.succeed(WebhookSettings, {
      teamChatHosts,
      timeoutMs,
      limits: { slots: concurrency, reservedSlots: Math.floor(concurrency / 4), perEndpoint }
    })
  )
}
