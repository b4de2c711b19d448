/** The upstream `openai`: the port's verbs as requests to an OpenAI-compatible server. */

import type { ChatWork, Run, Segment, SpeakRequest, SpeechAnswer, SpeechWork, Upstream } from "@trunkline/core/provider"
import { type TypedUpstreamProvider, tracedFn, upstreamProvider } from "@trunkline/core/provider"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { jsonBody, makeBoundedHttp, multipart } from "../http/index.ts"
import { formFileOf } from "../upstream/AudioFile.ts"
import { apiHeaders, bodyOf, pathOf } from "../upstream/GenerateForms.ts"
import { makeGenerating } from "../upstream/Generating.ts"
import { Part, reading, readingEach, secondsOf } from "../upstream/Lenient.ts"
import { makeSpeaking } from "../upstream/Speaking.ts"
import { makeWire, type Wire } from "../upstream/UpstreamWire.ts"
import { chatAnswerOf, chatBody, messagesOf } from "./OpenAiChat.ts"
import { makeEmbedding } from "./OpenAiEmbeddings.ts"
import { makeImageGeneration } from "./OpenAiImages.ts"
import { openAiRequest } from "./OpenAiRequest.ts"
import { type OpenAiOptions, type OpenAiSettings, openAiSettings } from "./OpenAiSettings.ts"
import { type Turns, turnsAfter } from "./OpenAiTurns.ts"

const readAnswer = reading(Schema.Struct({ text: Schema.String, duration: Part, usage: Part, segments: Part }))
const readUsage = reading(Schema.Struct({ type: Schema.Literal("duration"), seconds: Part }))
const readSegments = readingEach(
  Schema.Struct({
    id: Schema.Union([Schema.String, Schema.Number]),
    speaker: Schema.String,
    start: Schema.Finite,
    end: Schema.Finite,
    text: Schema.String
  })
)

const speakers = (json: unknown): ReadonlyArray<Segment> =>
  readSegments(json).map(({ end, id, speaker, start, text }) => ({ id: String(id), speaker, start, end, text }))

/** The length itself comes before the figure in the usage, which may be rounded up. */
const answerOf =
  ({ diarize }: SpeechWork) =>
  (json: unknown): SpeechAnswer | undefined => {
    const answer = readAnswer(json)
    return answer === undefined
      ? undefined
      : {
          text: answer.text,
          seconds: secondsOf(answer.duration) ?? secondsOf(readUsage(answer.usage)?.seconds),
          segments: diarize ? speakers(answer.segments) : []
        }
  }

/** Models of one upstream whose turns are remembered, the latest ones. */
const maxLearned = 100

const transcribing = (wire: Wire, headers: Readonly<Record<string, string>>): Run<"transcribe"> =>
  tracedFn("OpenAi.transcribe")(function* (work: SpeechWork) {
    const { fields, path } = openAiRequest(work)
    return yield* wire.ask({ path, headers, body: multipart(fields, formFileOf(work.audio)) }, answerOf(work))
  })

/** Runs the chats of our own agents, in the turns that each model takes. */
const chatting = (wire: Wire, headers: Readonly<Record<string, string>>): Run<"chat"> => {
  /** Turns that a model has answered in after it had refused others; all models that are not here take plain ones. */
  const learned = new Map<string, Turns>()

  return tracedFn("OpenAi.chat")(function* (work: ChatWork) {
    const { model } = work
    const known = learned.get(model) ?? "plain"
    let turns = known
    const request = () => ({ path: "/chat/completions", headers, body: chatBody(work, turns) })
    const answer = yield* wire.ask(request(), chatAnswerOf, (refused) => {
      const next = turnsAfter(turns, messagesOf(work), refused)
      if (next === null) return null
      turns = next
      return request()
    })
    if (turns !== known) {
      learned.set(model, turns)
      const [oldest] = learned.keys()
      if (learned.size > maxLearned && oldest !== undefined) learned.delete(oldest)
    }
    return answer
  })
}

/** What the server can be asked for, in all of its uses. */
const runsOf = (settings: OpenAiSettings) => {
  const http = makeBoundedHttp()
  const wire = makeWire(settings, http)
  const { apiKey, streamUsage } = settings
  const headers: Readonly<Record<string, string>> =
    apiKey === null ? {} : { authorization: `Bearer ${Redacted.value(apiKey)}` }
  const generating = makeGenerating(
    settings,
    { path: pathOf, headers: (work) => ({ ...apiHeaders(work), ...headers }), body: bodyOf(streamUsage) },
    http
  )
  const spoken = ({ fields }: SpeakRequest) => ({ path: "/audio/speech", headers, body: jsonBody(fields) })
  return {
    wire,
    generating,
    embedding: makeEmbedding(settings, headers, http),
    images: makeImageGeneration(settings, headers, http),
    chat: chatting(wire, headers),
    transcribe: transcribing(wire, headers),
    speak: makeSpeaking(settings, spoken, http)
  }
}

const make =
  (settings: OpenAiSettings) =>
  (name: string): Upstream => {
    const { apis, serves } = settings
    const { chat, embedding, generating, images, speak, transcribe, wire } = runsOf(settings)
    return {
      name,
      provider: "openai",
      capabilities: {
        ...(serves.includes("stt") ? { transcribe } : {}),
        ...(serves.includes("llm") && apis.includes("chat_completions") ? { chat } : {}),
        ...(serves.includes("llm") ? { generate: generating.generate } : {}),
        ...(serves.includes("tts") ? { speak } : {}),
        ...(serves.includes("embedding") ? { embed: embedding.embed } : {}),
        ...(serves.includes("image") ? { generateImages: images.generateImages } : {})
      },
      ...(serves.includes("llm") ? { apis, openGenerate: generating.openGenerate } : {}),
      servedBy: null,
      maxMs: Math.max(
        wire.maxMs,
        serves.includes("llm") ? generating.maxMs : 0,
        serves.includes("embedding") ? embedding.maxMs : 0,
        serves.includes("image") ? images.maxMs : 0
      )
    }
  }

/**
 * OpenAI, or any server that speaks its routes for audio, language models, embeddings or images. Throws `InvalidProviderOptions`, which names every fault.
 *
 * @example
 * const speech = openai({ baseUrl: "https://api.openai.com/v1", apiKey })
 */
export const openai = (options: OpenAiOptions): TypedUpstreamProvider =>
  upstreamProvider(make(Result.getOrThrow(openAiSettings(options))))
