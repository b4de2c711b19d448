/** Options of the upstream `anthropic`. */
import type { KindDefaults, UpstreamOptions } from "../upstream/UpstreamOptions.ts"

/** Settings as a host writes them. `baseUrl` is `https://api.anthropic.com` by default. Source: docs/reference/upstreams.md#settings. */
export interface AnthropicOptions extends UpstreamOptions {
  readonly apiKey: Exclude<UpstreamOptions["apiKey"], undefined>
}

export const defaults: KindDefaults = {
  provider: "anthropic",
  baseUrl: "https://api.anthropic.com",
  needsKey: true,
  serves: ["llm"]
}
