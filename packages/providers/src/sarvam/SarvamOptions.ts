/** Options of the upstream `sarvam`. */
import type { KindDefaults, UpstreamOptions } from "../upstream/UpstreamOptions.ts"

/** Settings as a host writes them. `baseUrl` is `https://api.sarvam.ai` by default. Source: docs/reference/upstreams.md#settings. */
export interface SarvamOptions extends UpstreamOptions {
  readonly apiKey: Exclude<UpstreamOptions["apiKey"], undefined>
}

export const defaults: KindDefaults = {
  provider: "sarvam",
  baseUrl: "https://api.sarvam.ai",
  needsKey: true,
  serves: ["stt", "tts"]
}
