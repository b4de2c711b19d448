/** Settings of the routes of language models. Source: docs/configuration.md. */
import * as Context from "effect/Context"
import { Instant } from "../kernel/index.ts"

export interface LlmSettings {
  /** A stream without an event for this time gets a sign of life, in milliseconds. */
  readonly pingMs: number
}

export const LlmSettings = Context.Reference<LlmSettings>("@trunkline/core/llm/LlmSettings", {
  defaultValue: () => ({ pingMs: 15 * Instant.second })
  /** The most tokens of an answer of a model that sets no maximum. */
  readonly defaultMaxOutputTokens: number
  /** How long responses of the Responses API are kept, in days; 0 keeps none. */
  readonly responsesKeptDays: number
export const standardLlmSettings: LlmSettings = {
  pingMs: 15 * Instant.second,
  defaultMaxOutputTokens: 32_768,
  responsesKeptDays: 30
  defaultValue: () => standardLlmSettings
})
