/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { agentTrialGroup } from "./AgentTrialApi.ts"
import * as AgentTrialHttp from "./AgentTrialHttp.ts"
import { trialErrors } from "./TrialErrors.ts"

export const Room = room({
  name: "agents/replying",
  // An agent's model runs there.
  beside: ["gateway"],
  api: () => [agentTrialGroup],
  handlers: AgentTrialHttp.layer,
  errors: trialErrors
})
