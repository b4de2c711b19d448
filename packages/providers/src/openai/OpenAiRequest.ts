/** Which route a work goes to, and with which fields. Source: docs/reference/upstreams.md#openai. */
import type { SpeechWork } from "@trunkline/core/provider"
import type { Fields } from "../http/index.ts"

/** Whisper returns the length of the audio; what else there is may know no other format than plain JSON. */
const returnsLength = (model: string): boolean => /whisper/i.test(model) && !/^ink-/i.test(model)

/** Saaras has modes wherever it is served. */
const hasModeField = ({ model, requestedModel }: SpeechWork): boolean =>
  /^saaras\b/i.test(requestedModel) || /^saaras\b/i.test(model)

const translates = (work: SpeechWork): boolean =>
  work.task === "translate" || (work.mode === "translate" && !hasModeField(work))

const format = ({ diarize, model }: SpeechWork): Fields => [
  ["response_format", diarize ? "diarized_json" : returnsLength(model) ? "verbose_json" : "json"]
]

/** A model that separates speakers refuses more than 30 seconds, in any format, unless it may cut them into pieces. */
const pieces = ({ diarize, model }: SpeechWork): Fields =>
  diarize || /diarize/i.test(model) ? [["chunking_strategy", "auto"]] : []

export interface OpenAiRequest {
  readonly path: string
  readonly fields: Fields
}

/** A translation has no language, since the source is found out, and no mode, since it is one. */
export const openAiRequest = (work: SpeechWork): OpenAiRequest => {
  if (translates(work)) {
    return {
      path: "/audio/translations",
      fields: [["model", work.model], ...format({ ...work, diarize: false })]
    }
  }
  return {
    path: "/audio/transcriptions",
    fields: [
      ["model", work.model],
      ...(work.language === null ? [] : [["language", work.language] as const]),
      ...(work.mode === null || !hasModeField(work) ? [] : [["mode", work.mode] as const]),
      ...format(work),
      ...pieces(work),
      ...work.features
    ]
  }
}
