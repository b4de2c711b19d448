/**
 * Decides how a client and an agent speak with each other on a socket.
 *
 * Promises  ASOC-1 whatever a client sends, reading it never throws: what is malformed or unknown has a description for a warning.
 *           ASOC-2 messages have the field names of the protocol, word for word.
 *           ASOC-3 a handshake passes the checks of every request of `/v1/*`; a credential in the query counts for nothing.
 *           ASOC-4 a session ends once, is closed with 1000 and its reason whenever it is over, and reserves nothing afterwards.
 *           ASOC-5 what a client sends too fast, too large, too late or too early ends its own session alone.
 * Needs     LiveSessions, LiveRuns, VoiceAgents, KeyLimits.    Emits  nothing by itself.
 * Not here  connections (platform/sockets), settings (voice/agent), the conversation (voice/live).
 * Read      AgentSocket.ts, then SocketSession.ts. ClientMessage.ts and ServerMessage.ts have the words. Source: docs/reference/voice-agent.md#socket.
 */
export { AgentSocket } from "./AgentSocket.ts"
export { agentSocketPath } from "./AgentSocketApi.ts"
export { type ClientMessage, type InjectBehavior, readClientMessage } from "./ClientMessage.ts"
export {
  type CalledFunction,
  type ErrorCode,
  ServerMessage,
  type SpeakerRole,
  type TurnLatencies,
  type WarningCode
} from "./ServerMessage.ts"
