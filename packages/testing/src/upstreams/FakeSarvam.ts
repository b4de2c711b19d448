/** Sarvam's speech-to-text as it is published, its refusals included. */
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
