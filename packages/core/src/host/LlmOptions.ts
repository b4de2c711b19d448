/** Reads what a host decides about the routes of language models. */
import * as Layer from "effect/Layer"
import { LlmSettings, standardLlmSettings } from "../gateway/llm/index.ts"
import type { TrunklineOptions } from "./Options.ts"

export const llmSettings = ({ models = {} }: TrunklineOptions) =>
  Layer.succeed(LlmSettings, {
    pingMs: models.streamPingMs ?? standardLlmSettings.pingMs,
    responsesKeptDays: models.responsesKeptDays ?? standardLlmSettings.responsesKeptDays
  })
