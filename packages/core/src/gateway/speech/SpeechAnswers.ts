/** The formats of an answer about speech. Pure. Source: docs/reference/gateway.md#formats. */

import type { Segment, SpeechAnswer } from "../upstreams/SpeechWork.ts"
import type { SpeechFormat, SpeechRequest, SpeechTask } from "./SpeechRequest.ts"

interface EncodedBody {
  readonly contentType: string
  readonly body: string
}

const eventStream = "text/event-stream"

export interface Transcript {
  readonly request: Pick<SpeechRequest, "format" | "route" | "stream">
  readonly task: Pick<SpeechTask, "reportedLanguage" | "reportedTask">
  readonly answer: SpeechAnswer
  /** Billed seconds. */
  readonly seconds: number
}

/** Encodes a transcript in the requested format. */
export const encodeTranscript = ({
  answer: { segments: all, text },
  request: { format: requested, route, stream },
  seconds,
  task: { reportedLanguage: language, reportedTask: task }
}: Transcript): EncodedBody => {
  // Translations have no speakers.
  const format: SpeechFormat = route === "translations" && requested === "diarized_json" ? "json" : requested
  const segments = route === "translations" ? [] : all
  if (stream) return events(text, segments, seconds)
  switch (format) {
    case "text":
      return { contentType: "text/plain; charset=utf-8", body: text }
    case "verbose_json":
      return json({ task, language, duration: seconds, text, segments: segments.map(plain), words: [] })
    case "diarized_json":
      return json({ task, duration: seconds, text, segments: segments.map(typed) })
    case "json":
      return json({ text })
  }
}

const json = (value: object): EncodedBody => ({ contentType: "application/json", body: JSON.stringify(value) })

/** The events of the public API. An upstream returns the whole text: so there is one delta, and failures come before it. */
const events = (text: string, segments: ReadonlyArray<Segment>, seconds: number): EncodedBody => ({
  contentType: eventStream,
  body: [
    { type: "transcript.text.delta", delta: text },
    ...segments.map(typed),
    { type: "transcript.text.done", text, usage: { type: "duration", seconds } }
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join("")
})

const plain = ({ end, id, speaker, start, text }: Segment) => ({ id, speaker, start, end, text })

const typed = (segment: Segment) => ({ type: "transcript.text.segment", ...plain(segment) })
