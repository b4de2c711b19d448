/**
 * Decides how a client and an agent speak with each other on a socket.
 *
 * Promises  ASOC-1 whatever a client sends, reading it never throws: what is malformed or unknown has a description for a warning.
 *           ASOC-2 messages have the field names of the protocol, word for word.
 * Needs     nothing.                             Emits  nothing.
 * Not here  connections (sockets), settings (voice-agent).
 * Read      ClientMessage.ts and ServerMessage.ts. Source: docs/voice-agent.md#socket.
 */
export { type ClientMessage, type InjectBehavior, readClientMessage } from "./ClientMessage.ts"
export {
  type CalledFunction,
  type ErrorCode,
  ServerMessage,
  type SpeakerRole,
  type TurnLatencies,
  type WarningCode
} from "./ServerMessage.ts"
