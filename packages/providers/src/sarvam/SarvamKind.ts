/** The kind `sarvam` of upstreams, without its client. */
import { upstreamKind } from "../upstream/UpstreamKinds.ts"
import { defaults, type SarvamOptions } from "./SarvamOptions.ts"

export const sarvamKind = upstreamKind<SarvamOptions>(defaults, async () => (await import("./Sarvam.ts")).sarvam)
