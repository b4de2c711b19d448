/** Agents that speak, as the host has them. */
import { area } from "../platform/room/index.ts"
import { Room as agent } from "./agent/VoiceAgentRoom.ts"
import { Room as alerts } from "./alerts/VoiceAlertsRoom.ts"
import { Room as analysis } from "./analysis/VoiceAnalysisRoom.ts"
import { Room as calls } from "./calls/CallAgentRoom.ts"
import { Room as live } from "./live/LiveRoom.ts"
import { Room as sessions } from "./sessions/VoiceRoom.ts"
import { Room as socket } from "./socket/AgentSocketRoom.ts"
import { Room as stages } from "./stages/PipelineRoom.ts"
import { configured } from "./VoiceConfigured.ts"
import { rules, settings } from "./VoiceOptions.ts"

export const voiceArea = area({
  name: "voice",
  rooms: [calls, socket, alerts, analysis, live, sessions, agent, stages],
  settings,
  rules,
  configured
})
