/** Where conversations are held. Source: docs/voice-agent.md#socket. */

/** Below the mount point. */
export const agentSocketPath = "/v1/agent/converse"
