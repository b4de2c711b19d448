/** OpenAI's routes for audio, chat and speech as they are published: what each takes, what it answers, and how each refusal looks. */
/** OpenAI's routes for audio, chat, embeddings and images as they are published: what each takes, what it answers, and how each refusal looks. */
import { isObject } from "@trunkline/core/provider"
import type { TestCertificate } from "../webhooks/TestCertificate.ts"
import { spokenAudio } from "./FakeAudio.ts"
import { type FakeUpstream, startFakeUpstream, type UpstreamCall, type UpstreamMood } from "./FakeUpstream.ts"

export interface FakeProviderOptions {
  /** What is heard in every file, and said to every chat. */
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

export interface OpenAiChatAnswer {
  readonly text?: string | null
  /** Tools that it wants, each with its arguments: as an object, or as the text that the model wrote. */
  readonly calls?: ReadonlyArray<readonly [name: string, args: object | string]>
  /** Null: the answer has none. */
  readonly tokens?: { readonly input: number; readonly cached?: number; readonly output: number } | null
  readonly delayMs?: number
}

/** An answer of the chat route in OpenAI's shape. */
export const openAiChat = ({ calls = [], delayMs = 0, text = null, tokens }: OpenAiChatAnswer = {}): UpstreamMood => {
  const { cached = 0, input, output } = tokens ?? { input: 12, output: 7 }
  const tool_calls = calls.map(([name, args], nth) => ({
    id: `call_${name}_${nth}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) }
  }))
  const message = { role: "assistant", content: text, refusal: null, ...(calls.length === 0 ? {} : { tool_calls }) }
  const usage = {
    ...{ prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 }
  }
  return {
    does: "answer",
    delayMs,
    body: {
      ...{ id: "chatcmpl-fake", object: "chat.completion", created: 1_790_000_000, model: "fake" },
      choices: [{ index: 0, message, logprobs: null, finish_reason: calls.length === 0 ? "stop" : "tool_calls" }],
      ...(tokens === null ? {} : { usage })
    }
  }
}

/** The vector of an input: of length 1, and another one for each place in the list. */
export const openAiVector = (place: number, dimensions = 4): ReadonlyArray<number> => {
  const vector = Array.from({ length: dimensions }, (_, at) => (at === 0 ? 3 + place : 4))
  const length = Math.hypot(...vector)
  return vector.map((one) => one / length)
}

/** Vectors as the embeddings route writes them: 32-bit floats, little-endian, where they are wanted in Base64. */
export const openAiEmbeddings = (
  vectors: ReadonlyArray<ReadonlyArray<number>>,
  { format = "float", tokens = 8 }: { readonly format?: unknown; readonly tokens?: number | null } = {}
): UpstreamMood => ({
  does: "answer",
  body: {
    object: "list",
    data: vectors.map((vector, index) => ({
      ...{ object: "embedding", index },
      embedding: format === "base64" ? Buffer.from(new Float32Array(vector).buffer).toString("base64") : vector
    })),
    model: "model-there",
    ...(tokens === null ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } })
  }
})

const embeddings = (json: unknown): UpstreamMood => {
  if (!isObject(json)) return openAiError(400, "invalid_json")
  const { dimensions, encoding_format, input, model } = json
  const isInput = (typeof input === "string" || Array.isArray(input)) && input.length > 0
  if (typeof model !== "string" || !isInput) return openAiError(400, "missing_required_parameter")
  const each = Array.isArray(input) && typeof input[0] !== "number" ? input : [input]
  const size = typeof dimensions === "number" ? dimensions : 4
  return openAiEmbeddings(
    each.map((_, place) => openAiVector(place, size)),
    { format: encoding_format }
  )
}

/** The bytes of every image: those that a PNG begins with. */
export const imageBytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Images as the images route answers them. */
export const openAiImages = (data: ReadonlyArray<object>): UpstreamMood => ({
  does: "answer",
  body: { created: 1_790_000_000, data }
})

/** Models of this line answer with data alone, and refuse `response_format`. */
const images = ({ headers, json }: UpstreamCall): UpstreamMood => {
  if (!isObject(json)) return openAiError(400, "invalid_json")
  const { model, n, prompt, response_format } = json
  if (typeof model !== "string" || typeof prompt !== "string") return openAiError(400, "missing_required_parameter")
  const isOfDataAlone = model.startsWith("gpt-image")
  if (isOfDataAlone && response_format !== undefined) return openAiError(400, "unknown_parameter")
  const image =
    isOfDataAlone || response_format === "b64_json"
      ? { b64_json: Buffer.from(imageBytes).toString("base64"), revised_prompt: `${prompt}, in oil` }
      : { url: `http://${headers.host}/images/1.png`, revised_prompt: `${prompt}, in oil` }
  return openAiImages(Array.from({ length: typeof n === "number" ? n : 1 }, () => image))
}

const imageFile: UpstreamMood = { does: "stream", headers: { "content-type": "image/png" }, pieces: [imageBytes] }

const answer = (call: UpstreamCall, options: FakeProviderOptions): UpstreamMood => {
  const { apiKey, seconds = 2.5, text = "hello" } = options
  const field = (name: string) => call.fields.find(([one]) => one === name)?.[1]
  if (apiKey !== undefined && call.headers.authorization !== `Bearer ${apiKey}`) {
    return openAiError(401, "invalid_api_key")
  }
  if (call.path === "/v1/chat/completions" && call.method === "POST") {
    const fault = chatFault(call.json)
    return fault === null ? openAiChat({ text }) : openAiError(400, fault)
  }
  if (call.path === "/v1/audio/speech" && call.method === "POST") return speech(call.json)
  if (call.path === "/v1/embeddings" && call.method === "POST") return embeddings(call.json)
  if (call.path === "/v1/images/generations" && call.method === "POST") return images(call)
  if (call.path === "/images/1.png" && call.method === "GET") return imageFile
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

type Json = Readonly<Record<string, unknown>>

const speechTypes: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/opus",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm"
}

const speech = (json: unknown): UpstreamMood => {
  if (!isObject(json)) return openAiError(400, "invalid_json")
  const { input, model, response_format = "mp3", speed = 1, voice } = json
  const isKnown = typeof model === "string" && typeof input === "string" && voice !== undefined
  if (!isKnown) return openAiError(400, "missing_required_parameter")
  const type = speechTypes[String(response_format)]
  if (type === undefined || Number(speed) < 0.25 || Number(speed) > 4) return openAiError(400, "invalid_value")
  return spokenAudio(input, type)
}

/** Those that a program of ours has a use for. */
const chatFields = ["model", "messages", "tools", "tool_choice", "max_tokens", "max_completion_tokens"]
const thinks = /^(o\d|gpt-5)/

/** The code with which a chat is refused; null for one that is answered. */
const chatFault = (json: unknown): string | null => {
  if (!isObject(json)) return "invalid_json"
  const { max_tokens, messages, model, tool_choice, tools } = json
  if (Object.keys(json).some((key) => !chatFields.includes(key))) return "unknown_parameter"
  if (typeof model !== "string" || !Array.isArray(messages)) return "missing_required_parameter"
  if (max_tokens !== undefined && thinks.test(model)) return "unsupported_parameter"
  if (tools !== undefined && !(Array.isArray(tools) && tools.length > 0 && tools.every(isTool))) return "invalid_type"
  if (tool_choice !== undefined && tools === undefined) return "invalid_value"
  return messages.length > 0 && messages.every(isMessage) && areCallsAnswered(messages) ? null : "invalid_value"
}

const isTool = (tool: unknown): boolean =>
  isObject(tool) && tool.type === "function" && isObject(tool.function) && typeof tool.function.name === "string"

const isMessage = (message: unknown): message is Json => {
  if (!isObject(message)) return false
  const { content, role, tool_calls, tool_call_id } = message
  if (role === "tool") return typeof tool_call_id === "string" && typeof content === "string"
  if (role === "assistant") return typeof content === "string" || (content === null && Array.isArray(tool_calls))
  if (role === "system") return typeof content === "string"
  return role === "user" && (typeof content === "string" || (Array.isArray(content) && content.every(isPart)))
}

const isPart = (part: unknown): boolean => {
  if (!isObject(part)) return false
  if (part.type === "text") return typeof part.text === "string"
  const { image_url } = part
  return part.type === "image_url" && isObject(image_url) && /^(data:image\/|https:)/.test(String(image_url.url))
}

/** Each call of a tool has its result right after the message that made it, and no result is without a call. */
const areCallsAnswered = (messages: ReadonlyArray<Json>): boolean => {
  let open = new Set<unknown>()
  for (const { role, tool_call_id, tool_calls } of messages) {
    if (role === "tool") {
      if (!open.delete(tool_call_id)) return false
      continue
    }
    if (open.size > 0) return false
    open = new Set(Array.isArray(tool_calls) ? tool_calls.map((call) => (isObject(call) ? call.id : undefined)) : [])
  }
  return open.size === 0
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
