/** Settings of the routes of language models. Source: docs/reference/configuration.md. */
import * as Context from "effect/Context"
import { Instant } from "../../platform/kernel/index.ts"

export interface LlmSettings {
  /** A stream without an event for this time gets a ping, in milliseconds. */
  readonly pingMs: number
  /** How long responses of the Responses API are kept, in days; 0 keeps none. */
  readonly responsesKeptDays: number
}

export const standardLlmSettings: LlmSettings = { pingMs: 15 * Instant.second, responsesKeptDays: 30 }

export const LlmSettings = Context.Reference<LlmSettings>("@trunkline/core/gateway/llm/LlmSettings", {
  defaultValue: () => standardLlmSettings
})
