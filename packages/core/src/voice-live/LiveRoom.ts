/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { room } from "../room/index.ts"
import { LiveRuns } from "./LiveRuns.ts"
import { VoiceCounters } from "./VoiceCounters.ts"

export const Room = room({
  name: "voice-live",
  layer: LiveRuns.layer.pipe(Layer.provideMerge(VoiceCounters.layer))
})
