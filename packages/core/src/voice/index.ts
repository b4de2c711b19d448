/**
 * Decides how a voice session begins and how exactly one ending wins.
 *
 * Promises  VOIC-1 a session ends once: the first signal decides reason and duration, later ones change nothing.
 *           VOIC-2 exactly one of voice_session.ended and voice_session.failed is reported, after the end is saved.
 *           VOIC-3 a session that never connects, or runs past its time, is ended by itself.
 *           VOIC-4 a session's token is returned while it can be used, is stored encrypted, and is in no event, log or stored response.
 *           VOIC-5 one Idempotency-Key creates one session, also in flight, across processes and after a crash.
 * Needs     VoiceStore, Bots, ConversationQuota, ModelCatalogue, Idempotency, Outbox, Vault.
 * Emits     voice_session.started, voice_session.ended, voice_session.failed.
 * Not here  audio: the host's media layer calls `connected` and `end`.
 * Read      VoiceSession.ts, then VoiceSessions.ts. Source: docs/voice.md.
 */
export { SessionWatcher } from "./SessionWatcher.ts"
export { type SpokenLine, type SpokenSession, SpokenSessions } from "./SpokenSessions.ts"
export {
  AnalysisRecord,
  SessionAnalyses,
  type SessionAnalysis,
  sessionAnalysisFields
} from "./VoicePorts.ts"
export { Room } from "./VoiceRoom.ts"
export {
  type EndStatus as VoiceEndStatus,
  maxSeconds as maxVoiceSeconds,
  SessionRecord,
  type VoiceSession,
  type VoiceStatus,
  voiceSessionEntity
} from "./VoiceSession.ts"
export { type CreatedOnce, type NewVoiceSession, type VoiceCaller, VoiceSessions } from "./VoiceSessions.ts"
export { VoiceStore } from "./VoiceStore.ts"
