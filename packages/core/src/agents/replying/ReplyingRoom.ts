/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { AgentTrials } from "./AgentTrials.ts"
import { agentTrialsGroup } from "./AgentTrialsApi.ts"
import * as AgentTrialsHttp from "./AgentTrialsHttp.ts"
import { trialErrors } from "./TrialErrors.ts"

export const Room = room({
  name: "agents/replying",
  // An agent's model runs there.
  beside: ["gateway"],
  layer: AgentTrials.layer,
  api: () => [agentTrialsGroup],
  handlers: AgentTrialsHttp.layer,
  errors: trialErrors
})
