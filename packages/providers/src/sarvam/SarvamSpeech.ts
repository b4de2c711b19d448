/** What Sarvam is asked with for speech. Pure. Source: docs/reference/upstreams.md#sarvam-speech. */
import type { SpeakRequest } from "@trunkline/core/provider"
import { chosenVoice } from "../upstream/SpeechFields.ts"

/** Odia has one code by the standard and another one here. */
export const languageCode = (language: string): string => (/^or-in$/i.test(language) ? "od-IN" : language)

/** Scripts, each with the language that is written in it most. */
const scripts = [
  { characters: /\p{Script=Devanagari}/u, language: "hi-IN" },
  { characters: /\p{Script=Bengali}/u, language: "bn-IN" },
  { characters: /\p{Script=Gujarati}/u, language: "gu-IN" },
  { characters: /\p{Script=Gurmukhi}/u, language: "pa-IN" },
  { characters: /\p{Script=Kannada}/u, language: "kn-IN" },
  { characters: /\p{Script=Malayalam}/u, language: "ml-IN" },
  { characters: /\p{Script=Oriya}/u, language: "od-IN" },
  { characters: /\p{Script=Tamil}/u, language: "ta-IN" },
  { characters: /\p{Script=Telugu}/u, language: "te-IN" }
] as const

const alphabetic = /\p{L}/gu

/** The language of the first character of a word that is of one of the scripts; English where there is none. */
export const languageOf = (text: string): string => {
  for (const [found] of text.matchAll(alphabetic)) {
    const script = scripts.find((one) => one.characters.test(found))
    if (script !== undefined) return script.language
  }
  return "en-IN"
}

export const speechBody = (request: Omit<SpeakRequest, "fields">): Readonly<Record<string, unknown>> => {
  const { format, input, language, model, speed } = request
  const speaker = chosenVoice(request)
  return {
    text: input,
    model,
    target_language_code: language === null ? languageOf(input) : languageCode(language),
    ...(speaker === null ? {} : { speaker }),
    ...(speed === null ? {} : { pace: speed }),
    ...(format === "pcm"
      ? { output_audio_codec: "linear16", speech_sample_rate: 24_000 }
      : { output_audio_codec: format })
  }
}
