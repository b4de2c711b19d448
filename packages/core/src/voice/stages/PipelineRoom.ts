/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { layer } from "./PipelineStages.ts"

export const Room = room({ name: "voice/stages", layer })
