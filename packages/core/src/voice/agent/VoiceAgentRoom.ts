/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { room } from "../../platform/room/index.ts"
import * as BotConfigSecrets from "./BotConfigSecrets.ts"
import { FunctionCaller } from "./FunctionCaller.ts"
import { VoiceAgents } from "./VoiceAgents.ts"

export const Room = room({
  name: "voice/agent",
  ports: BotConfigSecrets.layer,
  layer: Layer.merge(VoiceAgents.layer, FunctionCaller.layer)
})
