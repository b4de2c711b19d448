/**
 * The upstream `sarvam`: speech in Indian languages, in five modes, and texts in them as speech.
 *
 * Promises  SARV-1 a work is exactly one request, and nothing is sent twice.
 *           SARV-2 languages are named as Sarvam names them, and a missing one is detected.
 *           SARV-3 a translation is the mode `translate`, whatever the mode.
 *           SARV-4 every failure has its reason: a refused key or a spent quota is never the caller's.
 *           SARV-5 speech is in the language that the caller names, else in that of the text's script.
 *           SARV-6 a field that Sarvam lacks is refused before anything is sent.
 * Needs     nothing.                             Emits  nothing.
 * Not here  which languages a model takes (inference/ in the core), jobs for long files, time on the wire (../upstream).
 * Read      Sarvam.ts and SarvamSpeech.ts; in a file SarvamKind.ts. Source: docs/reference/upstreams.md#sarvam.
 */

export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { sarvam } from "./Sarvam.ts"
export type { SarvamOptions } from "./SarvamOptions.ts"
