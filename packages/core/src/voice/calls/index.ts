/**
 * Decides how an agent answers a telephone call, and how call and session end together.
 *
 * Promises  CAGT-1 a call that an agent answers is one session, which the call's row names.
 *           CAGT-2 a session ends once, with the reason of what ended the call or the conversation; the call ends with it.
 *           CAGT-3 a line that is lost comes back to the same session, with all that was said; at most three times.
 *           CAGT-4 who asks not to be called is on the do-not-call list before the model is answered, by the call's own number.
 *           CAGT-5 a call is transferred to a target of the agent's alone, once the sentence before has been heard.
 *           CAGT-6 a message goes to the call's own number, under the rules of every other message.
 * Needs     CallMedia, Calls, CallTransitions, LiveSessions, LiveRuns, VoiceAgents, VoicePipeline, Suppression, NativeSend, Contacts.    Emits  nothing by itself.
 * Not here  admission and the life of a call (calling/calls), streams of carriers (packages/providers), the conversation (voice/live).
 * Read      CallAgents.ts, then CallSessions.ts, AnsweredCall.ts, CallTools.ts. Source: docs/reference/voice-agent.md#telephone.
 */
export { CallAgents } from "./CallAgents.ts"
