/** What a host decides about agents that speak. Pure. */

import { modelsIn } from "../gateway/catalogue/index.ts"
import { catalogueSettings, type GatewayOptions } from "../gateway/GatewayOptions.ts"
import { Instant } from "../platform/kernel/index.ts"
import { type LayerProvider, provider, type SettingFault, Settings } from "../platform/settings/index.ts"
import { fitsStage, standardVoiceSettings } from "./agent/index.ts"

/** Finds speech in the sound of lines. Made by a provider package: `silero()`. */
export interface SpeechDetectorProvider extends LayerProvider<"speechDetector"> {}

/** Made by `recordings({ folder })` of @trunkline/node. */
export interface RecordingsProvider extends LayerProvider<"recordings"> {}

const { flag, orNull, section, text, whole } = Settings

const timeout = (standard: number) => whole({ min: 100, max: 600_000, default: standard })

const perAccount = (standard: number | null) => whole({ min: 1, max: 1_000_000, default: standard, orNull: true })

const standards = standardVoiceSettings
const { enterprise, free, pro, starter } = standards.concurrentSessions

export const settings = {
  /** Where recordings of voice sessions are kept. Without it an agent that records cannot begin. Source: docs/reference/voice.md#recording. */
  recordings: provider<RecordingsProvider>("recordings", "recordings({ folder }) of @trunkline/node"),
  /** Agents that speak. Source: docs/reference/configuration.md#voice. */
  voice: section({
    /** Finds speech in the sound of lines. Without it the energy of sound does. Source: docs/reference/voice-agent.md#detection. */
    detector: provider<SpeechDetectorProvider>("speechDetector", "silero() of @trunkline/providers"),
    /** The models of agents that name none. Each must be in the catalogue, and be able to do what it is for. */
    defaults: section({
      /** The model that listens. Without it that is `saaras:v3`, or the embedded model where no upstream hears. */
      sttModel: text,
      /** The model that thinks. Without it that is the model of chat agents. */
      llmModel: text,
      /** The model that speaks. Without it that is `bulbul:v3`, or the embedded model where no upstream speaks. */
      ttsModel: text,
      /** The voice of the speaking model; null is the model's own. Default null. */
      voice: Settings.standard(orNull(text), standards.defaults.voice),
      /** The language of an agent that names none. Default `en`. */
      language: Settings.standard(text, standards.defaults.language)
    }),
    /** The time from the connection to a client's `Settings`, in milliseconds. Default 15,000. */
    settingsTimeoutMs: timeout(standards.settingsTimeoutMs),
    /** The seconds without a message from a client after which its session ends. Default 120. */
    idleTimeoutSeconds: whole({
      min: 1,
      max: Instant.day / Instant.second,
      default: standards.idleTimeoutMs / Instant.second
    }),
    /** The time for the answer of a function that a client runs, in milliseconds. Default 30,000. Source: docs/reference/voice-agent.md#functions. */
    functionTimeoutMs: timeout(standards.functionTimeoutMs),
    /** The time to the transcript, in milliseconds. Default 5000. */
    sttTimeoutMs: timeout(standards.sttTimeoutMs),
    /** The time to the first token, in milliseconds. Default 8000. */
    llmTimeoutMs: timeout(standards.llmTimeoutMs),
    /** The time to the first sound, in milliseconds. Default 5000. */
    ttsTimeoutMs: timeout(standards.ttsTimeoutMs),
    /** The sessions that this process has at a time. Default 200. */
    maxSessions: whole({ min: 1, max: 100_000, default: standards.maxSessions }),
    /** The sessions that an account has at a time in this process. Without it these are half of `maxSessions`, and 20 at least. */
    maxAccountSessions: whole({ min: 1, max: 100_000 }),
    /** The sessions that an account has at a time, by its plan; null is for no limit. */
    concurrentSessions: section({
      /** The sessions of an account of the plan `free`. Default 2. */
      free: perAccount(free),
      /** The sessions of an account of the plan `starter`. Default 5. */
      starter: perAccount(starter),
      /** The sessions of an account of the plan `pro`. Default 20. */
      pro: perAccount(pro),
      /** The sessions of an account of the plan `enterprise`. Default null. */
      enterprise: perAccount(enterprise)
    }),
    events: section({
      /** Whether the end of a session is reported with its transcript. Default true. Source: docs/reference/voice.md#events. */
      transcript: flag(true)
    }),
    /** The seconds between two looks at alerts. Default 60. Source: docs/reference/voice-alerts.md. */
    alertsEverySeconds: whole({
      min: 1,
      max: Instant.day / Instant.second,
      default: standards.alertsEveryMs / Instant.second
    })
  }),
  workers: section({
    /** Whether `start` analyses voice sessions that have ended. Default true. Source: docs/reference/voice-agent.md#analysis. */
    analysis: flag(true)
  })
}

export type VoiceOptions = Settings.ValuesOf<typeof settings>

const stages = { sttModel: "listen", llmModel: "think", ttsModel: "speak" } as const

/** Defaults that are no models of the catalogue, or cannot do what they are for. */
const defaultModelFaults = (options: GatewayOptions & VoiceOptions) => {
  const models = modelsIn(catalogueSettings(options))
  const named = options.voice?.defaults ?? {}
  // A catalogue that cannot be used is reported by itself.
  if (models === null) return []
  return (Object.keys(stages) as ReadonlyArray<keyof typeof stages>).flatMap((key) => {
    const id = named[key]
    if (id === undefined) return []
    const model = models.find((one) => one.id === id)
    if (model === undefined) return [{ key, message: `There is no model ${JSON.stringify(id)} in the catalogue` }]
    return fitsStage(stages[key], model) ? [] : [{ key, message: `The model ${id} cannot ${stages[key]}` }]
  })
}

/** What must hold of several options together, by the section in which it is reported. */
export const rules = {
  voice: (options: GatewayOptions & VoiceOptions): ReadonlyArray<SettingFault> =>
    defaultModelFaults(options).map(({ key, message }) => ({ path: ["voice", "defaults", key], message }))
}
