/** Options of the upstream `deepgram`. */
import type { KindDefaults, UpstreamOptions } from "../upstream/UpstreamOptions.ts"

/** Settings as a host writes them. `baseUrl` is `https://api.deepgram.com` by default. Source: docs/reference/upstreams.md#settings. */
export interface DeepgramOptions extends UpstreamOptions {
  readonly apiKey: Exclude<UpstreamOptions["apiKey"], undefined>
}

export const defaults: KindDefaults = {
  provider: "deepgram",
  baseUrl: "https://api.deepgram.com",
  needsKey: true,
  serves: ["stt", "tts"]
}
