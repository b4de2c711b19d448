/** A transcript in the contracts of sessions and of calls. */
import * as Schema from "effect/Schema"
import * as Fields from "../../platform/http/Fields.ts"
import { TranscriptRecord } from "./Transcript.ts"

export const TranscriptBody = TranscriptRecord.schema.annotate({ identifier: "TranscriptEntry" })

/** Entries of a transcript that are left out at its beginning: it ends at 8 MiB, as every list. */
export const transcriptOffset = { offset: Schema.optionalKey(Fields.integer(0, 1_000_000)) }

/** What its fields mean. */
export const transcriptTexts = {
  "TranscriptEntry.index": "Place in the transcript, from 0",
  "TranscriptEntry.role": "Who said it; `tool` for a function that the agent called",
  "TranscriptEntry.text": "What was said, as it was heard; empty for a function",
  "TranscriptEntry.started_at": "Time at which it began",
  "TranscriptEntry.offset_ms": "Milliseconds from the beginning of the session",
  "TranscriptEntry.duration_ms": "How long it was heard; null where that was not measured",
  "TranscriptEntry.interrupted": "True where the caller did not let the agent finish",
  "TranscriptEntry.model": "Model that made the text",
  eou_ms: "Milliseconds from the end of speech to the decision that the turn is over",
  stt_ms: "Milliseconds that the speech-to-text model took",
  llm_ms: "Milliseconds to the first token of the language model",
  tts_ms: "Milliseconds to the first sound of the text-to-speech model",
  total_ms: "Milliseconds from the end of speech to the first sound of the reply",
  "TranscriptEntry.tool": "The function that was called; null for what was said",
  "TranscriptTool.name": "Name of the function",
  "TranscriptTool.arguments": "Arguments as a JSON text",
  "TranscriptTool.result": "What it returned; null while it runs"
}
