/** What Deepgram is asked with for speech: everything but the text stands in the query. Pure. Source: docs/reference/upstreams.md#deepgram-speech. */
import type { AudioFormat, SpeakRequest } from "@trunkline/core/provider"
import { chosenVoice } from "../upstream/SpeechFields.ts"

/** Our own mark of the vendor's line, which the vendor does not know. */
const prefix = /^deepgram-/

/** A line of models with its language, such as `aura-2-en`, and the voice where a name has one, such as `aura-2-thalia-en`. */
const lineName = /^(aura(?:-\d+)?)(?:-([a-z]+))?-([a-z]{2})$/i

const defaultVoice = (language: string): string => (/^es$/i.test(language) ? "celeste" : "thalia")

/** The name of a voice is part of the model's. A voice that begins with `aura` is the model itself. */
export const voicedModel = (request: Pick<SpeakRequest, "model" | "voice">): string => {
  const model = request.model.replace(prefix, "")
  const chosen = chosenVoice(request)
  if (chosen !== null && /^aura/i.test(chosen)) return chosen
  const [, line, own, language] = lineName.exec(model) ?? []
  return line === undefined || language === undefined
    ? model
    : `${line}-${chosen ?? own ?? defaultVoice(language)}-${language}`
}

const encodings: Readonly<Record<AudioFormat, Readonly<Record<string, string>>>> = {
  mp3: { encoding: "mp3" },
  opus: { encoding: "opus" },
  aac: { encoding: "aac" },
  flac: { encoding: "flac" },
  wav: { encoding: "linear16", container: "wav" },
  pcm: { encoding: "linear16", container: "none", sample_rate: "24000" }
}

export const speechQuery = (
  request: Pick<SpeakRequest, "format" | "model" | "speed" | "voice">
): Readonly<Record<string, string>> => ({
  model: voicedModel(request),
  ...encodings[request.format],
  ...(request.speed === null ? {} : { speed: String(request.speed) })
})
