/**
 * Decides what an agent answers: its prompt, its tools, and the runs of its model.
 *
 * Promises  TRIA-1 a test is answered by the runs and tools of a real reply, and writes nothing but their rows of the usage log.
 * Needs     Bots, Knowledge, ChatModel.          Emits  nothing.
 * Not here  when an agent answers: messaging/replies. Promises BOTS-2 and BOTS-3 stand in agents/bots.
 * Read      AgentPrompt.ts, then Agent.ts and AgentTrial.ts. Source: docs/reference/bots.md.
 */
export { type Agent, type AgentAnswer, type AgentAsked, AgentFailed, makeAgent, modelOf, seesImages } from "./Agent.ts"
export { dayRule, foundRule, type HistoryMessage, languageName, replyOf, searchRule } from "./AgentPrompt.ts"
export { fault as toolFault, searchTool, type Toolbox, type ToolUse, toolbox } from "./AgentTools.ts"
export { ReplyParts } from "./AgentTrial.ts"
export { AgentModelMissing, AgentSilent, AgentThrottled, AgentUnpaid, trialErrors } from "./TrialErrors.ts"
