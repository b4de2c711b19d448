/** Deepgram's transcription of recordings and its speech synthesis as they are published, its two shapes of refusals included. */
import { isObject } from "@trunkline/core/provider"
import { spokenAudio } from "./FakeAudio.ts"
import type { FakeProviderOptions } from "./FakeOpenAi.ts"
import { type FakeUpstream, startFakeUpstream, type UpstreamCall, type UpstreamMood } from "./FakeUpstream.ts"

/** A refusal in the older of Deepgram's shapes. Its words are such as must never reach a caller. */
export const deepgramError = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {}
): UpstreamMood => ({
  does: "answer",
  status,
  headers,
  body: { err_code: code, err_msg: "leaky words about project 1234", request_id: "leaky-id" }
})

/** Starts a server that speaks it. */
export const startFakeDeepgram = (options: FakeProviderOptions = {}): Promise<FakeUpstream> =>
  startFakeUpstream({ answers: (call) => answer(call, options), tls: options.tls })

const answer = (call: UpstreamCall, { apiKey, seconds = 2.5, text = "hello" }: FakeProviderOptions): UpstreamMood => {
  const asked = (name: string) => call.query.find(([one]) => one === name)?.[1]
  if (apiKey !== undefined && call.headers.authorization !== `Token ${apiKey}`) {
    return deepgramError(401, "INVALID_AUTH")
  }
  if (call.path === "/v1/speak" && call.method === "POST") return speech(call.json, asked)
  if (call.path !== "/v1/listen" || call.method !== "POST") return deepgramError(404, "NOT_FOUND")
  if (call.file === null || call.file.type === "application/json") return deepgramError(400, "INVALID_URL")
  return { does: "answer", body: bodyOf(text, seconds, asked) }
}

const speechTypes: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg;codecs=opus",
  aac: "audio/aac",
  flac: "audio/flac",
  linear16: "audio/l16;rate=24000;channels=1"
}

/** A model is a voice here, too. */
const speech = (json: unknown, asked: (name: string) => string | undefined): UpstreamMood => {
  const type = speechTypes[asked("encoding") ?? "mp3"]
  if (!/^aura(-\d+)?-[a-z]+-[a-z]{2}$/.test(asked("model") ?? "")) return deepgramError(400, "INVALID_QUERY_PARAMETER")
  if (!isObject(json) || typeof json.text !== "string" || json.text.length > 2000 || type === undefined) {
    return deepgramError(400, "INVALID_REQUEST")
  }
  return spokenAudio(json.text, asked("container") === "wav" ? "audio/wav" : type)
}

/** Two speakers, who take turns word by word. */
const bodyOf = (text: string, seconds: number, asked: (name: string) => string | undefined): unknown => {
  const spoken = text.split(" ")
  const step = seconds / spoken.length
  const words = spoken.map((word, index) => ({
    word: word.toLowerCase().replace(/\W/g, ""),
    start: index * step,
    end: (index + 1) * step,
    confidence: 0.9,
    ...(asked("diarize") === "true" ? { speaker: index % 2 } : {}),
    ...(asked("punctuate") === "true" ? { punctuated_word: word } : {})
  }))
  const alternative = { transcript: text, confidence: 0.9, words }
  const channels = asked("multichannel") === "true" ? 2 : 1
  return {
    metadata: {
      request_id: "1",
      sha256: "0",
      created: "2026-01-01T00:00:00Z",
      duration: seconds,
      channels,
      models: ["1"]
    },
    results: {
      channels: Array.from({ length: channels }, () => ({ alternatives: [alternative] })),
      ...(asked("utterances") === "true"
        ? {
            utterances: words.map(({ end, speaker, start, word }) => ({
              start,
              end,
              transcript: word,
              channel: 0,
              speaker
            }))
          }
        : {})
    }
  }
}
