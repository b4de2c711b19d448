/** The path of the agent's socket. Source: docs/reference/voice-agent.md#socket. */

/** Below the mount point. */
export const agentSocketPath = "/v1/agent/converse"
