/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { speechSynthesisGroup } from "./SpeechSynthesisApi.ts"
import * as SpeechSynthesisHttp from "./SpeechSynthesisHttp.ts"

export const Room = room({
  name: "gateway/speech-synthesis",
  api: () => [speechSynthesisGroup],
  handlers: SpeechSynthesisHttp.layer
})
