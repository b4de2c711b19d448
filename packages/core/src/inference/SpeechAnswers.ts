/** The formats of an answer about speech. Pure. Source: docs/gateway.md#formats. */
import type { SpeechFormat, SpeechRequest, SpeechTask } from "./SpeechRequest.ts"
import type { Segment, SpeechAnswer } from "./Upstream.ts"

export interface Written {
  readonly contentType: string
  readonly body: string
}

export const eventStream = "text/event-stream"

/** Writes what a model has heard. `seconds` are those that are billed. */
export const written = (
  { format: wanted, route, stream }: Pick<SpeechRequest, "format" | "route" | "stream">,
  { languageTold: language, taskTold: task }: SpeechTask,
  { segments: heard, text }: SpeechAnswer,
  seconds: number
): Written => {
  // Translations tell nobody apart.
  const format: SpeechFormat = route === "translations" && wanted === "diarized_json" ? "json" : wanted
  const segments = route === "translations" ? [] : heard
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

const json = (value: object): Written => ({ contentType: "application/json", body: JSON.stringify(value) })

/**
 * The events of the public API. An upstream answers with the whole text, so that there is one delta, and every failure
 * happens before the first byte.
 */
const events = (text: string, segments: ReadonlyArray<Segment>, seconds: number): Written => ({
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
