/** The upstream `openai`: the port's verbs as requests to an OpenAI-compatible server. */
import type { ChatWork, Segment, SpeechAnswer, SpeechWork, Upstream } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Part, reading, readingEach, secondsOf } from "../upstream/Lenient.ts"
import { multipart } from "../upstream/Multipart.ts"
import {
  type KindDefaults,
  type UpstreamOptions,
  type UpstreamPlug,
  type UpstreamSettings,
  upstreamSettings
} from "../upstream/UpstreamOptions.ts"
import { makeWire } from "../upstream/UpstreamWire.ts"
import { chatAnswerOf, chatBody } from "./OpenAiChat.ts"
import { openAiRequest } from "./OpenAiRequest.ts"

/** Settings as a host writes them. Source: docs/upstreams.md#settings. */
export interface OpenAiOptions extends UpstreamOptions {
  /** `https://api.openai.com/v1`, or wherever a compatible server has its routes. */
  readonly baseUrl: string
}

const defaults: KindDefaults = { kind: "openai", baseUrl: null, needsKey: false, serves: ["stt", "llm"] }

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

const make =
  (settings: UpstreamSettings) =>
  (name: string): Upstream => {
    const wire = makeWire(settings)
    const { apiKey, serves } = settings
    const headers: Readonly<Record<string, string>> =
      apiKey === null ? {} : { authorization: `Bearer ${Redacted.value(apiKey)}` }

    const transcribe = Effect.fn("OpenAi.transcribe")(function* (work: SpeechWork) {
      const { fields, path } = openAiRequest(work)
      return yield* wire.ask({ path, headers, body: multipart(fields, work.audio) }, answerOf(work))
    })

    const chat = Effect.fn("OpenAi.chat")((work: ChatWork) =>
      wire.ask({ path: "/chat/completions", headers, body: chatBody(work) }, chatAnswerOf)
    )

    return {
      name,
      kind: "openai",
      transcribe: serves.includes("stt") ? transcribe : null,
      chat: serves.includes("llm") ? chat : null,
      servedBy: null,
      longestMs: wire.longestMs
    }
  }

/**
 * OpenAI, or any server that speaks its routes for audio and chat. Throws `InvalidUpstreamOptions`, which names every fault.
 *
 * @example
 * const speech = openai({ baseUrl: "https://api.openai.com/v1", apiKey })
 */
export const openai = (options: OpenAiOptions): UpstreamPlug => ({
  kind: "upstream",
  make: make(Result.getOrThrow(upstreamSettings(defaults, options)))
})
