/** OpenAI's audio routes as they are published: which format each model answers, and how each refusal looks. */
import type { TestCertificate } from "../webhooks/TestCertificate.ts"
import { type FakeUpstream, startFakeUpstream, type UpstreamCall, type UpstreamMood } from "./FakeUpstream.ts"

export interface FakeProviderOptions {
  /** What is heard in every file. */
  readonly text?: string
  /** How long every file is, in seconds. */
  readonly seconds?: number
  /** The only key that is let in. */
  readonly apiKey?: string | undefined
  readonly tls?: TestCertificate | undefined
}

/** A refusal in OpenAI's shape. Its words are such as must never reach a caller. */
export const openAiError = (
  status: number,
  code: string | null,
  type = "invalid_request_error",
  headers: Readonly<Record<string, string>> = {}
): UpstreamMood => ({
  does: "answer",
  status,
  headers,
  body: { error: { message: "leaky words of org-1234 at https://inner.example", type, param: null, code } }
})

/** Starts a server that speaks them below `/v1`. */
export const startFakeOpenAi = (options: FakeProviderOptions = {}): Promise<FakeUpstream> =>
  startFakeUpstream({ answers: (call) => answer(call, options), tls: options.tls })

const answer = (call: UpstreamCall, { apiKey, seconds = 2.5, text = "hello" }: FakeProviderOptions): UpstreamMood => {
  const field = (name: string) => call.fields.find(([one]) => one === name)?.[1]
  if (apiKey !== undefined && call.headers.authorization !== `Bearer ${apiKey}`) {
    return openAiError(401, "invalid_api_key")
  }
  const route = /^\/v1\/audio\/(transcriptions|translations)$/.exec(call.path)?.[1]
  if (route === undefined || call.method !== "POST") return openAiError(404, null)
  if (call.file === null || field("model") === undefined) return openAiError(400, "missing_required_parameter")
  const model = field("model") ?? ""
  const format = field("response_format") ?? "json"
  if (!formatsOf(model).includes(format)) return openAiError(400, "unsupported_value")
  if (/transcribe-diarize/.test(model) && seconds > 30 && field("chunking_strategy") === undefined) {
    return openAiError(400, "chunking_strategy_required")
  }
  return { does: "answer", body: bodyOf(format, { route, seconds, text }) }
}

const formatsOf = (model: string): ReadonlyArray<string> => {
  if (/transcribe-diarize/.test(model)) return ["json", "text", "diarized_json"]
  if (/^gpt-4o/.test(model)) return ["json"]
  return ["json", "text", "srt", "verbose_json", "vtt"]
}

const bodyOf = (
  format: string,
  { route, seconds, text }: { readonly route: string; readonly seconds: number; readonly text: string }
): unknown => {
  const usage = { type: "duration", seconds: Math.ceil(seconds) }
  if (format === "text") return text
  if (format === "verbose_json") {
    const segment = { id: 0, seek: 0, start: 0, end: seconds, text, tokens: [1], temperature: 0, avg_logprob: -0.2 }
    return {
      task: route === "translations" ? "translate" : "transcribe",
      language: "english",
      duration: seconds,
      text,
      segments: [segment],
      usage
    }
  }
  if (format === "diarized_json") {
    const type = "transcript.text.segment"
    const half = seconds / 2
    return {
      task: "transcribe",
      duration: seconds,
      text,
      segments: [
        { type, id: "seg_1", speaker: "A", start: 0, end: half, text },
        { type, id: "seg_2", speaker: "B", start: half, end: seconds, text }
      ],
      usage
    }
  }
  return { text, logprobs: null, usage }
}
