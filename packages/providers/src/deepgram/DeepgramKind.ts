/** The kind `deepgram` of upstreams, without its client. */
import { upstreamKind } from "../upstream/UpstreamKinds.ts"
import { type DeepgramOptions, defaults } from "./DeepgramOptions.ts"

export const deepgramKind = upstreamKind<DeepgramOptions>(
  defaults,
  async () => (await import("./Deepgram.ts")).deepgram
)
