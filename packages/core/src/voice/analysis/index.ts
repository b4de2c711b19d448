/**
 * Decides which voice sessions a model analyses after their end, what it is asked, and what of its answer counts.
 *
 * Promises  VANA-1 a session that ends with a turn of its caller has its analysis in the same transaction, where its agent enables it.
 *           VANA-2 an analysis is run by one process at a time, and after a crash by another one.
 *           VANA-3 of an answer only what was asked for comes through, each value of its type; all else is null or dropped.
 *           VANA-4 nothing that is said in a session changes what the model is asked, or which keys its answer has.
 *           VANA-5 an unreadable answer is asked for once more; a failing upstream three times over ten minutes; then it has failed.
 *           VANA-6 a completed analysis reports voice_analysis.completed once, in one transaction with its result.
 *           VANA-7 each answer is a row of usage with the session's id, and errors have no words of an upstream.
 * Needs     AnalysisStore, SpokenSessions, Bots, ChatModel, Accounts, Outbox.
 * Emits     voice_analysis.completed.
 * Not here  sessions and what was said in them (voice/sessions); the model (gateway/run).
 * Read      Analysis.ts, AnalysisReader.ts, then AnalysisWorker.ts. Source: docs/reference/voice-agent.md#analysis.
 */
export { type Analysis, analysisEntity } from "./Analysis.ts"
export { type AnalysisClaim, AnalysisStore } from "./AnalysisStore.ts"
export { AnalysisWorker } from "./AnalysisWorker.ts"
export { VoiceAnalyses } from "./VoiceAnalyses.ts"
