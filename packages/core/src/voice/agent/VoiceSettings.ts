/** What an installation decides about agents that speak. Source: docs/reference/configuration.md#voice. */
import * as Context from "effect/Context"
import type { Plan } from "../../platform/accounts/index.ts"
import { Instant } from "../../platform/kernel/index.ts"

/** The models of an agent that names none, its voice and its language. */
export interface VoiceDefaults {
  readonly sttModel: string
  readonly llmModel: string
  readonly ttsModel: string
  /** Null: the model's own. */
  readonly voice: string | null
  readonly language: string
}

export interface VoiceSettings {
  /** Without `llmModel` the agent thinks with the model of chat agents. */
  readonly defaults: Omit<VoiceDefaults, "llmModel"> & { readonly llmModel: string | null }
  /** From the connection to `Settings`, in milliseconds. */
  readonly settingsTimeoutMs: number
  /** Without anything from the client. */
  readonly idleTimeoutMs: number
  /** For the answer of a function that the client runs. */
  readonly functionTimeoutMs: number
  /** To the transcript, to the first token, and to the first sound. */
  readonly sttTimeoutMs: number
  readonly llmTimeoutMs: number
  readonly ttsTimeoutMs: number
  /** Of this process. */
  readonly maxSessions: number
  /** Of an account in this process: the others have the rest. */
  readonly maxAccountSessions: number
  /** Of an account, over all processes; null for no limit. */
  readonly concurrentSessions: Readonly<Record<Plan, number | null>>
  /** Whether the end of a session is reported with its transcript. */
  readonly hasTranscriptInEvents: boolean
  readonly alertsEveryMs: number
}

/** What an account may have of the sessions of a process unless the host says otherwise: half of them, and 20 at least. */
export const accountSessionsOf = (maxSessions: number): number => Math.max(20, Math.floor(maxSessions / 2))

export const standardVoiceSettings: VoiceSettings = {
  defaults: { sttModel: "saaras:v3", llmModel: null, ttsModel: "bulbul:v3", voice: null, language: "en" },
  settingsTimeoutMs: 15 * Instant.second,
  idleTimeoutMs: 120 * Instant.second,
  functionTimeoutMs: 30 * Instant.second,
  sttTimeoutMs: 5 * Instant.second,
  llmTimeoutMs: 8 * Instant.second,
  ttsTimeoutMs: 5 * Instant.second,
  maxSessions: 200,
  maxAccountSessions: accountSessionsOf(200),
  concurrentSessions: { free: 2, starter: 5, pro: 20, enterprise: null },
  hasTranscriptInEvents: true,
  alertsEveryMs: Instant.minute
}

export const VoiceSettings = Context.Reference<VoiceSettings>("@trunkline/core/voice/agent/VoiceSettings", {
  defaultValue: () => standardVoiceSettings
})
