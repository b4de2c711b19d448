/**
 * Lets agents speak: on telephone calls, on sockets of clients, and for the host's own media layer.
 *
 * Needs     Storage, models, agents.             Emits  nothing by itself.
 * Not here  how a call is placed: calling/calls. The models: gateway.
 * Rooms     agent, stages, turns, sessions, live, analysis, alerts, socket, calls.
 * Read      turns, then live, stages and sessions. Source: docs/reference/voice-agent.md.
 */
export { voiceArea } from "./VoiceArea.ts"
