/** What Deepgram is asked with: everything but the file stands in the query. Source: docs/reference/upstreams.md#deepgram. */
import type { SpeechWork } from "@trunkline/core/provider"
import type { Fields } from "../http/index.ts"

/** Our own mark of the vendor's line, which the vendor does not know. */
const prefix = /^deepgram-/

export const isAsked = ({ features }: SpeechWork, feature: string): boolean =>
  features.some(([name, value]) => name === feature && /^(true|1)$/i.test(value))

/** Whether the answer says who speaks: for segments, or in the text. */
export const needsSpeakers = (work: SpeechWork): boolean => work.diarize || isAsked(work, "diarize")

/**
 * The query. A missing language is detected, unless the features say how. Punctuation is on, as it is with all
 * other upstreams, and dictation needs it; the wider formatting is not, since it would turn on features that were not
 * asked for, such as numerals.
 */
export const deepgramQuery = (work: SpeechWork): Fields => {
  const { features, language, model } = work
  const has = (name: string) => features.some(([one]) => one === name)
  return [
    ["model", model.replace(prefix, "")],
    ...(language === null ? [] : [["language", language] as const]),
    ...(language === null && !has("detect_language") ? [["detect_language", "true"] as const] : []),
    ["punctuate", "true"],
    ...(work.diarize && !has("diarize") ? [["diarize", "true"] as const] : []),
    ...features
  ]
}
