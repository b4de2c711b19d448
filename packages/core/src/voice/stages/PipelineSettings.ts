/** Times of the stages. Source: docs/reference/voice-agent.md#pipeline. */
import * as Context from "effect/Context"
import { Instant } from "../../platform/kernel/index.ts"

export interface VoicePipelineSettings {
  /** From the end of an utterance to its transcript, in milliseconds. */
  readonly sttTimeoutMs: number
  /** To the first token, in milliseconds. */
  readonly llmTimeoutMs: number
  /** To the first sound, in milliseconds. */
  readonly ttsTimeoutMs: number
}

export const standardVoicePipelineSettings: VoicePipelineSettings = {
  sttTimeoutMs: 5 * Instant.second,
  llmTimeoutMs: 8 * Instant.second,
  ttsTimeoutMs: 5 * Instant.second
}

export const VoicePipelineSettings = Context.Reference<VoicePipelineSettings>(
  "@trunkline/core/voice/stages/VoicePipelineSettings",
  { defaultValue: () => standardVoicePipelineSettings }
)

/** Between two pieces of an answer that has begun. */
export const maxPauseMs = 10 * Instant.second

/** How long a model that has failed is passed over in a session. */
export const passedOverMs = 30 * Instant.second

/** Of a reply that is spoken; it bounds the reservation for one. */
export const maxReplyTokens = 4096

/** The reservation for an utterance whose end is not known yet. */
export const reservedSeconds = 30
