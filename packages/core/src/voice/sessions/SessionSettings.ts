/** What a host decides about voice sessions. Source: docs/reference/voice.md#concurrency, #events. */
import * as Context from "effect/Context"
import type { Plan } from "../../platform/billing/index.ts"

/** Active sessions of an account by its plan; null for no limit. */
export type VoiceLimits = Readonly<Record<Plan, number | null>>

export const standardVoiceLimits: VoiceLimits = { free: 2, starter: 5, pro: 20, enterprise: null }

export const VoiceLimits = Context.Reference<VoiceLimits>("@trunkline/core/voice/sessions/VoiceLimits", {
  defaultValue: () => standardVoiceLimits
})

export interface VoiceEventSettings {
  /** Whether the event of an end has what was said. */
  readonly transcript: boolean
}

export const VoiceEventSettings = Context.Reference<VoiceEventSettings>(
  "@trunkline/core/voice/sessions/VoiceEventSettings",
  {
    defaultValue: () => ({ transcript: true })
  }
)
