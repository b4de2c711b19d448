/**
 * Decides what an agent that speaks is made of: its settings, its prompt and its functions.
 *
 * Promises  VAGT-1 settings that are wrong are refused with every fault in one description, and never repaired in silence.
 *           VAGT-2 the defaults, the agent's configuration and a client's settings are merged in one order.
 *           VAGT-3 values of variables are data: they change no setting, and the prompt says that they are no instructions.
 *           VAGT-4 headers of functions are stored encrypted, shown masked, and in no prompt, log or event.
 *           VAGT-5 a function's endpoint is called at the address that was checked, and what it answers is data.
 * Needs     Bots, BotSecrets, Knowledge, ModelCatalogue, Outbound.    Emits  nothing.
 * Not here  what is said on the socket (voice/socket), the stages (voice/stages), turns (voice/turns).
 * Read      AgentSettings.ts, VoiceAgents.ts, then SettingsMessage.ts. Source: docs/reference/voice-agent.md#agent.
 */
export { fitsStage, type ModelsRefused, modelsRefusal, type Stage, type StageProblem } from "./AgentModels.ts"
export type {
  AgentFunction,
  AgentSettings,
  ContextMessage,
  FixedMessages,
  FunctionEndpoint,
  JsonObject,
  ListenModel,
  ModelChoices,
  NudgeSettings,
  SpeakModel,
  ThinkModel,
  TransferTarget,
  TurnSettings
} from "./AgentSettings.ts"
export { type AnalysisField, type AnalysisSettings, analysisSettingsOf } from "./BotVoiceConfig.ts"
export {
  cutResult,
  type FunctionCall,
  FunctionCaller,
  type FunctionResult,
  functionFaults,
  functionNamed
} from "./FunctionCaller.ts"
export type { SettingsRefused, SettingsWarning } from "./SettingsMessage.ts"
export type { SettingsUpdate, UpdateApplied, UpdateRefused } from "./SettingsUpdates.ts"
export { type VariableContact, type Variables, variablesOf } from "./Variables.ts"
export {
  type AgentCaller,
  type AgentKnowledge,
  type AgentRefused,
  type AppliedSettings,
  answers,
  type ReadyAgent,
  type SessionChoices,
  VoiceAgents
} from "./VoiceAgents.ts"
export { type PromptSituation, systemMessage } from "./VoicePrompt.ts"
export { accountSessionsOf, standardVoiceSettings, type VoiceDefaults, VoiceSettings } from "./VoiceSettings.ts"
export {
  type AgentTool,
  builtInNames,
  doNotCallTool,
  endCallTool,
  sendMessageTool,
  stopRecordingTool,
  type ToolSituation,
  toolsFor,
  transferTool,
  transferToolName
} from "./VoiceTools.ts"
