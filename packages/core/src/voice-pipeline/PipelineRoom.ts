/** This room, as the host has it. */
import { room } from "../room/index.ts"
import { layer } from "./PipelineStages.ts"

export const Room = room({ name: "voice-pipeline", layer })
