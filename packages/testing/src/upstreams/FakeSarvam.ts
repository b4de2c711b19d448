/** Sarvam's speech-to-text and text-to-speech as they are published, their refusals included. */
import { isObject } from "@trunkline/core/provider"
import { spokenAudio } from "./FakeAudio.ts"
import type { FakeProviderOptions } from "./FakeOpenAi.ts"
import { type FakeUpstream, startFakeUpstream, type UpstreamCall, type UpstreamMood } from "./FakeUpstream.ts"

/** A refusal in Sarvam's shape. Its words are such as must never reach a caller. */
export const sarvamError = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {}
): UpstreamMood => ({
  does: "answer",
  status,
  headers,
  body: { error: { message: "leaky words about subscription 1234", code, request_id: "20260101_leaky" } }
})

/** Starts a server that speaks it. */
export const startFakeSarvam = (options: FakeProviderOptions = {}): Promise<FakeUpstream> =>
  startFakeUpstream({ answers: (call) => answer(call, options), tls: options.tls })

const languages = "hi bn kn ml mr od pa ta te en gu as ur ne kok ks sd sa sat mni brx mai doi".split(" ")
const modes = ["transcribe", "translate", "verbatim", "translit", "codemix"]

const answer = (call: UpstreamCall, { apiKey, seconds = 2.5, text = "hello" }: FakeProviderOptions): UpstreamMood => {
  const field = (name: string) => call.fields.find(([one]) => one === name)?.[1]
  if (apiKey !== undefined && call.headers["api-subscription-key"] !== apiKey) {
    return sarvamError(403, "invalid_api_key_error")
  }
  if (call.path === "/text-to-speech/stream" && call.method === "POST") return speech(call.json)
  if (call.path !== "/speech-to-text" || call.method !== "POST") return sarvamError(404, "not_found_error")
  const language = field("language_code") ?? "unknown"
  const isKnown = language === "unknown" || languages.some((one) => language === `${one}-IN`)
  if (call.file === null || !modes.includes(field("mode") ?? "transcribe") || !isKnown) {
    return sarvamError(422, "unprocessable_entity_error")
  }
  if (seconds > 30) return sarvamError(400, "invalid_request_error")
  return {
    does: "answer",
    body: {
      request_id: "20260101_1",
      transcript: text,
      timestamps: null,
      language_code: language === "unknown" ? "hi-IN" : language,
      language_probability: language === "unknown" ? 0.98 : null
    }
  }
}

const spoken = "hi bn kn ml mr od pa ta te en gu".split(" ").map((one) => `${one}-IN`)
const codecs = ["mp3", "linear16", "mulaw", "alaw", "opus", "flac", "aac", "wav"]

const speech = (json: unknown): UpstreamMood => {
  if (!isObject(json)) return sarvamError(400, "invalid_request_error")
  const { output_audio_codec = "mp3", pace = 1, target_language_code, text } = json
  const isKnown = spoken.includes(String(target_language_code)) && codecs.includes(String(output_audio_codec))
  if (typeof text !== "string" || !isKnown || Number(pace) < 0.5 || Number(pace) > 2) {
    return sarvamError(422, "unprocessable_entity_error")
  }
  return spokenAudio(text, `audio/${output_audio_codec === "mp3" ? "mpeg" : String(output_audio_codec)}`)
}
