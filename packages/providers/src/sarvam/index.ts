/**
 * The upstream `sarvam`: speech in Indian languages, in five modes.
 *
 * Promises  SARV-1 a work is exactly one request, and nothing is sent twice.
 *           SARV-2 languages are named as Sarvam names them, and a missing one is detected.
 *           SARV-3 a translation is the mode `translate`, whatever the mode.
 *           SARV-4 every failure has its reason: a refused key or a spent quota is never the caller's.
 * Needs     nothing.                             Emits  nothing.
 * Not here  which languages a model takes (inference/ in the core), jobs for long files, time on the wire (../upstream).
 * Read      Sarvam.ts. Source: docs/upstreams.md#sarvam.
 */

export { InvalidUpstreamOptions } from "../upstream/UpstreamOptions.ts"
export { type SarvamOptions, sarvam } from "./Sarvam.ts"
