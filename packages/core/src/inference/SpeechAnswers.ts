/** The formats of an answer about speech. Pure. Source: docs/gateway.md#formats. */
import type { SpeechFormat, SpeechRequest, SpeechTask } from "./SpeechRequest.ts"
import type { Segment, SpeechAnswer } from "./Upstream.ts"

export interface Written {
  readonly contentType: string
  readonly body: string
}

/** Writes what a model has heard. `seconds` are those that are billed. */
export const written = (
  { format: wanted, route }: SpeechRequest,
  { languageTold: language, taskTold: task }: SpeechTask,
  { segments: heard, text }: SpeechAnswer,
  seconds: number
): Written => {
  // Translations tell nobody apart.
  const format: SpeechFormat = route === "translations" && wanted === "diarized_json" ? "json" : wanted
  const segments = route === "translations" ? [] : heard
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

const plain = ({ end, id, speaker, start, text }: Segment) => ({ id, speaker, start, end, text })

const typed = (segment: Segment) => ({ type: "transcript.text.segment", ...plain(segment) })
