/** Rows and settings that the tests of agents which speak share. */

import { agentSettingsOf } from "../../../src/voice/agent/AgentSettingsOf.ts"
import type { GivenAgent } from "../../../src/voice/agent/GivenAgent.ts"
import type { AgentSettings, VoiceDefaults } from "../../../src/voice/agent/index.ts"
import type { Variables } from "../../../src/voice/agent/Variables.ts"

export const defaults: VoiceDefaults = {
  sttModel: "saaras:v3",
  llmModel: "oss-120b",
  ttsModel: "bulbul:v3",
  voice: null,
  language: "en"
}

/** The settings of what these sources say, from the general to the particular. */
export const merged = (
  given: ReadonlyArray<GivenAgent> = [],
  variables: Variables = {},
  over: Partial<VoiceDefaults> = {}
) => agentSettingsOf({ defaults: { ...defaults, ...over }, botId: null, given, variables, sendsHistory: true })

export const settings = (over: Partial<AgentSettings> = {}): AgentSettings => ({ ...merged(), ...over })
