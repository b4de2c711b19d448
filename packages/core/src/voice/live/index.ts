/**
 * Carries out what a conversation decides: listens, thinks, speaks, plays, and stores what was said.
 *
 * Promises  LIVE-1 sound is never sent more than a second ahead of the time at which it is heard, and none of a cancelled run.
 *           LIVE-2 what was said is stored before the next turn is answered.
 *           LIVE-3 an interruption ends the stages that run, upstream as well, and the functions that wait.
 *           LIVE-4 a reply calls functions for four rounds at most, eight at a time, and then answers.
 *           LIVE-5 a recording has both sides in the time in which they were heard, and nothing that nobody heard.
 * Needs     VoicePipeline, SpeechDetectors, LiveSessions.    Emits  nothing by itself.
 * Not here  who speaks when (voice/turns), stages (voice/stages), records of sessions (voice/sessions), sockets and telephones.
 * Read      LiveConversation.ts, then Playback.ts and ReplyRun.ts. Source: docs/reference/voice-agent.md.
 */
export {
  type ConversationRecords,
  type ConversationView,
  LiveConversation,
  type LiveConversationOptions
} from "./LiveConversation.ts"
export { type EndedElsewhere, type LiveRun, type LiveRunOptions, type LiveRuns, makeLiveRuns } from "./LiveRuns.ts"
export type { CallResult, FunctionTable, RunEnded } from "./ReplyRun.ts"
export type { BuiltInTool, FunctionView, ShownCall } from "./SessionFunctions.ts"
export { standardTools } from "./StandardTools.ts"
export { type CountedSession, VoiceCounters, type VoiceCounts, voiceStages } from "./VoiceCounters.ts"
