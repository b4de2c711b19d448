/** The kind `anthropic` of upstreams, without its client. */
import { upstreamKind } from "../upstream/UpstreamKinds.ts"
import { type AnthropicOptions, defaults } from "./AnthropicOptions.ts"

export const anthropicKind = upstreamKind<AnthropicOptions>(
  defaults,
  async () => (await import("./Anthropic.ts")).anthropic
)
