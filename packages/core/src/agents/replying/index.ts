/**
 * Decides what an agent answers: its prompt, its tools, and the runs of its model.
 *
 * Needs     Bots, Knowledge, ChatModel.          Emits  nothing.
 * Not here  when an agent answers: messaging/replies. Promises BOTS-2 and BOTS-3 stand in agents/bots.
 * Read      AgentPrompt.ts, then Agent.ts. Source: docs/reference/bots.md.
 */
export { type Agent, type AgentAsked, AgentFailed, makeAgent, modelOf, seesImages } from "./Agent.ts"
export { dayRule, foundRule, type HistoryMessage, languageName, replyOf, searchRule } from "./AgentPrompt.ts"
export { fault as toolFault, searchTool, type Toolbox, toolbox } from "./AgentTools.ts"
