/** Deepgram's answer as one text and, where speakers were asked for, as segments. Source: docs/reference/upstreams.md#deepgram-text. */
import type { Segment, SpeechAnswer, SpeechWork } from "@trunkline/core/provider"
import * as Schema from "effect/Schema"
import { Part, reading, readingEach, secondsOf } from "../upstream/Lenient.ts"
import { isAsked, needsSpeakers } from "./DeepgramRequest.ts"

const readAnswer = reading(
  Schema.Struct({
    metadata: Part,
    results: Schema.Struct({ channels: Schema.Array(Schema.Unknown), utterances: Part })
  })
)
const readMetadata = reading(Schema.Struct({ duration: Part }))
const readChannel = reading(Schema.Struct({ alternatives: Schema.Array(Schema.Unknown) }))
const readAlternative = reading(Schema.Struct({ transcript: Schema.String, words: Part, paragraphs: Part }))
const readParagraphs = reading(Schema.Struct({ transcript: Schema.String }))

const readWords = readingEach(
  Schema.Struct({
    word: Schema.String,
    punctuated_word: Schema.optionalKey(Schema.String),
    start: Schema.Finite,
    end: Schema.Finite,
    speaker: Schema.optionalKey(Schema.Int)
  })
)
const readUtterances = readingEach(
  Schema.Struct({
    transcript: Schema.String,
    start: Schema.Finite,
    end: Schema.Finite,
    channel: Schema.optionalKey(Schema.Int),
    speaker: Schema.optionalKey(Schema.Int)
  })
)

/** What one speaker says without a break. */
interface Turn {
  readonly speaker: number
  readonly start: number
  end: number
  text: string
}

/** Words without a speaker belong to the last one. */
const turnsOf = (words: unknown): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  for (const { end, punctuated_word, speaker, start, word } of readWords(words)) {
    const last = turns.at(-1)
    const text = punctuated_word ?? word
    if (last !== undefined && (speaker === undefined || speaker === last.speaker)) {
      last.end = end
      last.text += ` ${text}`
    } else if (speaker !== undefined) turns.push({ speaker, start, end, text })
  }
  return turns
}

interface Channel {
  readonly text: string
  readonly turns: ReadonlyArray<Turn>
}

const nameOf = ({ speaker }: Turn): string => `Speaker ${speaker}`

/** Speakers come before utterances, and those before paragraphs: each is the finer division. */
const channelOf = (work: SpeechWork, json: unknown, utterances: unknown, index: number): Channel | undefined => {
  const channel = readChannel(json)
  if (channel === undefined) return undefined
  // Nothing was said.
  if (channel.alternatives.length === 0) return { text: "", turns: [] }
  const best = readAlternative(channel.alternatives[0])
  if (best === undefined) return undefined
  const spoken = readUtterances(utterances).filter((one) => (one.channel ?? 0) === index)
  const turns = needsSpeakers(work)
    ? spoken.length > 0
      ? spoken.flatMap(({ end, speaker, start, transcript: text }) =>
          speaker === undefined ? [] : [{ speaker, start, end, text }]
        )
      : turnsOf(best.words)
    : []
  return { text: textOf(work, best, spoken, turns), turns }
}

const textOf = (
  work: SpeechWork,
  best: { readonly transcript: string; readonly paragraphs?: unknown },
  spoken: ReadonlyArray<{ readonly transcript: string }>,
  turns: ReadonlyArray<Turn>
): string => {
  if (isAsked(work, "diarize") && turns.length > 0) {
    return turns.map((turn) => `[${nameOf(turn)}] ${turn.text}`).join("\n")
  }
  if (spoken.length > 0) return spoken.map(({ transcript }) => transcript).join("\n")
  return readParagraphs(best.paragraphs)?.transcript.trim() ?? best.transcript
}

/** Undefined where it is not an answer about speech. Several channels stand one below the other, each with its number. */
export const deepgramAnswer = (work: SpeechWork, json: unknown): SpeechAnswer | undefined => {
  const answer = readAnswer(json)
  if (answer === undefined) return undefined
  const { channels: all, utterances } = answer.results
  const channels = all.flatMap((one, index) => channelOf(work, one, utterances, index) ?? [])
  if (channels.length === 0 || channels.length < all.length) return undefined
  const turns = channels.flatMap((channel) => channel.turns).sort((one, other) => one.start - other.start)
  return {
    text:
      channels.length === 1
        ? (channels[0]?.text ?? "")
        : channels.map(({ text }, index) => `[Channel ${index}] ${text}`).join("\n"),
    seconds: secondsOf(readMetadata(answer.metadata)?.duration),
    segments: turns.map((turn, index): Segment => {
      const { end, start, text } = turn
      return { id: String(index), speaker: nameOf(turn), start, end, text }
    })
  }
}
