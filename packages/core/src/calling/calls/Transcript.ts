/**
 * What was said in a voice session, as the sessions and the calls of an account show it. It stands here, below voice, because a call
 * has the transcript of its session. Pure. Source: docs/reference/voice.md#transcript.
 */
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant } from "../../platform/kernel/index.ts"

/** Who said something in a voice session; `tool` for a function that was called. */
export const TranscriptRole = Schema.Literals(["user", "assistant", "tool"])
export type TranscriptRole = typeof TranscriptRole.Type

/** A function that was called. `result` is null while it runs, and where nothing has come of it. */
const ToolCallRecord = Schema.Struct({
  name: Schema.String,
  arguments: Schema.String,
  result: Schema.NullOr(Schema.String)
}).annotate({ identifier: "TranscriptTool" })
export interface ToolCallRecord extends Schema.Struct.Type<typeof ToolCallRecord.fields> {}

const milliseconds = Schema.NullOr(Schema.Int)

/** What was not measured is null. */
export const transcriptEntryFields = {
  id: Ids.schema<"TranscriptEntry">(),
  /** From 0, in the order in which it was said. */
  index: Schema.Int,
  role: TranscriptRole,
  /** As it was heard; empty for a function. */
  text: Schema.String,
  startedAt: Instant.Iso,
  /** Since the session began. */
  offsetMs: Schema.Int,
  durationMs: milliseconds,
  /** The caller did not let the agent finish: `text` ends with the last word that was heard. */
  interrupted: Schema.Boolean,
  model: Schema.NullOr(Schema.String),
  eouMs: milliseconds,
  sttMs: milliseconds,
  llmMs: milliseconds,
  ttsMs: milliseconds,
  totalMs: milliseconds,
  tool: Schema.NullOr(ToolCallRecord)
}

const entity = Schema.Struct(transcriptEntryFields)
export interface TranscriptEntry extends Schema.Struct.Type<typeof transcriptEntryFields> {}

/** How an entry is shown. */
export const TranscriptRecord = Entity.recordOf(
  entity,
  Object.keys(transcriptEntryFields) as Array<keyof typeof transcriptEntryFields>
)
