/** What Sarvam is asked with for speech. Pure. Source: docs/upstreams.md#sarvam-speech. */
import type { SpeakRequest } from "@trunkline/core/effect"
import { chosenVoice } from "../upstream/SpeechFields.ts"

/** Odia has one code by the standard and another one here. */
export const languageCode = (language: string): string => (/^or-in$/i.test(language) ? "od-IN" : language)

/** Scripts that are written in one of the languages above all. */
const scripts = [
  { letters: /\p{Script=Devanagari}/u, language: "hi-IN" },
  { letters: /\p{Script=Bengali}/u, language: "bn-IN" },
  { letters: /\p{Script=Gujarati}/u, language: "gu-IN" },
  { letters: /\p{Script=Gurmukhi}/u, language: "pa-IN" },
  { letters: /\p{Script=Kannada}/u, language: "kn-IN" },
  { letters: /\p{Script=Malayalam}/u, language: "ml-IN" },
  { letters: /\p{Script=Oriya}/u, language: "od-IN" },
  { letters: /\p{Script=Tamil}/u, language: "ta-IN" },
  { letters: /\p{Script=Telugu}/u, language: "te-IN" }
] as const

const letters = /\p{L}/gu

/** The language of the first letter that is of one of the scripts; English where there is none. */
export const languageOf = (text: string): string => {
  for (const [letter] of text.matchAll(letters)) {
    const script = scripts.find((one) => one.letters.test(letter))
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
