/**
 * Decides what agents are, what they know, and what they answer.
 *
 * Needs     nothing beside its rooms.            Emits  nothing.
 * Not here  when an agent answers: messaging/replies, voice/live. Promises BOTS-1 to BOTS-8 stand in agents/bots.
 * Rooms     search, bots, replying.
 * Read      bots, then replying. Source: docs/reference/bots.md.
 */
export { agentsArea } from "./AgentsArea.ts"
