/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { room } from "../room/index.ts"
import { CountTokens } from "./CountTokens.ts"
import { Llm } from "./Llm.ts"
import { llmGroup, messagesGroup } from "./LlmApi.ts"
import * as LlmHttp from "./LlmHttp.ts"

export const Room = room({
  name: "llm",
  layer: Layer.merge(Llm.layer, CountTokens.layer),
  api: () => [llmGroup, messagesGroup],
  handlers: LlmHttp.layer
})
