/** What upstreams of speech synthesis that have APIs of their own make of the fields of the public one. Pure. */
import type { FieldRefusal, SpeakRequest } from "@trunkline/core/provider"

/** OpenAI's voices. Its client libraries send one with every request, so that they stand for the default elsewhere. */
const openAiVoices = new Set("alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse".split(" "))

/** The voice that the caller has chosen; null for the upstream's default. */
export const chosenVoice = ({ voice }: Pick<SpeakRequest, "voice">): string | null =>
  voice === null || openAiVoices.has(voice.toLowerCase()) ? null : voice

const known = new Set(["model", "input", "voice", "response_format", "speed", "language"])

/** Whether what a refusal names is a field of the public API, and not one of the upstream's own. */
export const isSpeechField = ({ fields }: Pick<SpeakRequest, "fields">, param: string | null): boolean => {
  const name = param?.split(/[.[]/)[0] ?? ""
  return known.has(name) || name === "instructions" || name in fields
}

/** Refuses the first field that has no place in another API, such as `instructions`; null where there is none. */
export const fieldRefusal = ({ fields }: Pick<SpeakRequest, "fields">): FieldRefusal | null => {
  const param = Object.keys(fields).find((name) => !known.has(name))
  return param === undefined
    ? null
    : { param, message: `This model does not accept \`${param}\`. Remove it, or use another model.` }
}
