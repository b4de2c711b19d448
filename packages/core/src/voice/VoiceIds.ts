/** Ids as voice names them: those of the floors below that it uses, and those of its records. Pure. */
import type { Id } from "../platform/PlatformIds.ts"

export type { TurnId } from "../agents/AgentsIds.ts"
export type { CallId, VoiceSessionId } from "../calling/CallingIds.ts"
export * from "../platform/PlatformIds.ts"

/** One thing that was said, or one function that was called, in a voice session. */
export type TranscriptEntryId = Id<"TranscriptEntry">
/** One analysis of a voice session: another run is another one. */
export type VoiceAnalysisId = Id<"VoiceAnalysis">
export type VoiceAlertId = Id<"VoiceAlert">
