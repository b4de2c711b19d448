/**
 * Decides how a voice session begins, who runs it, how exactly one ending wins, and what it leaves behind.
 *
 * Promises  VOIC-1 a session ends once: the first signal decides reason and duration, later ones change nothing.
 *           VOIC-2 exactly one of voice_session.ended and voice_session.failed is reported, after the end is saved.
 *           VOIC-3 a session that never connects, or runs past its time, is ended by itself.
 *           VOIC-4 a session's token is returned while it can be used, is stored encrypted, and is in no event, log or stored response.
 *           VOIC-5 one Idempotency-Key creates one session, also in flight, across processes and after a crash.
 *           VOIC-6 a session's token finds it over all accounts, is used once, and leads to no other session.
 *           VOIC-7 of connections side by side, in any processes, exactly as many sessions run as the account's plan allows.
 *           VOIC-8 what was said is stored before the next turn begins, and belongs to one process at a time.
 *           VOIC-9 a session whose process is gone ends once, dated to its last sign of life; a telephone's is kept while its call is up.
 *           VOIC-10 a session's cost equals its rows of the usage log and what its account was charged.
 *           VOIC-11 a recording is found by its session alone, and is gone when its account or its age says so.
 * Needs     VoiceStore, LiveSessionStore, TranscriptStore, RecordingFiles, LiveCalls, CallCosts, SessionAnalyses, UsageLog, Bots, ConversationQuota, ModelCatalogue, Idempotency, Outbox, Vault.
 * Emits     voice_session.started, voice_session.ended, voice_session.failed.
 * Not here  sound: a conversation runs a session through LiveSessions; the host's media layer calls `connected` and `end`.
 * Read      VoiceSession.ts, then VoiceSessions.ts and LiveSessions.ts. Source: docs/reference/voice.md.
 */
export { LeaseKeeper, type LostLease } from "./LeaseKeeper.ts"
export { type LeaseTimes, LiveSessionStore, type SessionLease } from "./LiveSessionStore.ts"
export {
  type Connected,
  type KeepRoom,
  type LiveSession,
  LiveSessions,
  type NewLiveSession,
  type NewTranscriptEntry,
  type TokenConnection
} from "./LiveSessions.ts"
export { RecordingFailed, type RecordingFile, RecordingFiles, type RecordingWriter } from "./RecordingFiles.ts"
export { Recordings } from "./Recordings.ts"
export { SessionAdmission, type SessionOwner } from "./SessionAdmission.ts"
export { type Changed, SessionChanges } from "./SessionChanges.ts"
export { type SessionCost, SessionRecords } from "./SessionRecords.ts"
export { standardVoiceLimits, VoiceEventSettings, VoiceLimits } from "./SessionSettings.ts"
export { SessionWatcher } from "./SessionWatcher.ts"
export { type SpokenLine, type SpokenSession, SpokenSessions } from "./SpokenSessions.ts"
export { type SaidText, TranscriptStore } from "./TranscriptStore.ts"
export { transcriptFormats } from "./TranscriptText.ts"
export {
  AnalysisBody,
  AnalysisRecord,
  analysisTexts,
  type CallCost,
  CallCosts,
  LiveCalls,
  SessionAnalyses,
  type SessionAnalysis,
  sessionAnalysisFields
} from "./VoicePorts.ts"
export {
  defaultSeconds as defaultVoiceSeconds,
  type EndStatus as VoiceEndStatus,
  maxSeconds as maxVoiceSeconds,
  mayComeBack as voiceMayComeBack,
  type RecordingState,
  type SessionDescription,
  SessionRecord,
  type VoiceSession,
  type VoiceStatus,
  voiceSessionEntity
} from "./VoiceSession.ts"
export {
  type CreatedOnce,
  type GivenVoiceSession,
  type NewVoiceSession,
  newSessionOf,
  type VoiceCaller,
  VoiceSessions
} from "./VoiceSessions.ts"
export { type VoiceSessionFilter, VoiceStore } from "./VoiceStore.ts"
