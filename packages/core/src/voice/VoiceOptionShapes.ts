/** What a host gives for the options of VoiceOptions.ts, from which OptionShapes.test.ts makes it. */
import type { RecordingsProvider, SpeechDetectorProvider } from "./VoiceOptions.ts"

export interface VoiceOptionShapes {
  /** Where recordings of voice sessions are kept. Without it an agent that records cannot begin. Source: docs/reference/voice.md#recording. */
  readonly recordings?: RecordingsProvider
  /** Agents that speak. Source: docs/reference/configuration.md#voice. */
  readonly voice?: {
    /** Finds speech in the sound of lines. Without it the energy of sound does. Source: docs/reference/voice-agent.md#detection. */
    readonly detector?: SpeechDetectorProvider
    /** The models of agents that name none. Each must be in the catalogue, and be able to do what it is for. */
    readonly defaults?: {
      /** The model that listens. Without it that is `saaras:v3`, or the embedded model where no upstream hears. */
      readonly sttModel?: string
      /** The model that thinks. Without it that is the model of chat agents. */
      readonly llmModel?: string
      /** The model that speaks. Without it that is `bulbul:v3`, or the embedded model where no upstream speaks. */
      readonly ttsModel?: string
      /** The voice of the speaking model; null is the model's own. Default null. */
      readonly voice?: string | null
      /** The language of an agent that names none. Default `en`. */
      readonly language?: string
    }
    /** The time from the connection to a client's `Settings`, in milliseconds. It is a whole number from 100 to 600000. Default 15,000. */
    readonly settingsTimeoutMs?: number
    /** The seconds without a message from a client after which its session ends. It is a whole number from 1 to 86400. Default 120. */
    readonly idleTimeoutSeconds?: number
    /** The time for the answer of a function that a client runs, in milliseconds. It is a whole number from 100 to 600000. Default 30,000. Source: docs/reference/voice-agent.md#functions. */
    readonly functionTimeoutMs?: number
    /** The time to the transcript, in milliseconds. It is a whole number from 100 to 600000. Default 5000. */
    readonly sttTimeoutMs?: number
    /** The time to the first token, in milliseconds. It is a whole number from 100 to 600000. Default 8000. */
    readonly llmTimeoutMs?: number
    /** The time to the first sound, in milliseconds. It is a whole number from 100 to 600000. Default 5000. */
    readonly ttsTimeoutMs?: number
    /** The sessions that this process has at a time. It is a whole number from 1 to 100000. Default 200. */
    readonly maxSessions?: number
    /** The sessions that an account has at a time in this process. Without it these are half of `maxSessions`, and 20 at least. It is a whole number from 1 to 100000. */
    readonly maxAccountSessions?: number
    /** The sessions that an account has at a time, by its plan; null is for no limit. */
    readonly concurrentSessions?: {
      /** The sessions of an account of the plan `free`. It is a whole number from 1 to 1000000. Default 2. */
      readonly free?: number | null
      /** The sessions of an account of the plan `starter`. It is a whole number from 1 to 1000000. Default 5. */
      readonly starter?: number | null
      /** The sessions of an account of the plan `pro`. It is a whole number from 1 to 1000000. Default 20. */
      readonly pro?: number | null
      /** The sessions of an account of the plan `enterprise`. It is a whole number from 1 to 1000000. Default null. */
      readonly enterprise?: number | null
    }
    readonly events?: {
      /** Whether the end of a session is reported with its transcript. Default true. Source: docs/reference/voice.md#events. */
      readonly transcript?: boolean
    }
    /** The seconds between two looks at alerts. It is a whole number from 1 to 86400. Default 60. Source: docs/reference/voice-alerts.md. */
    readonly alertsEverySeconds?: number
  }
  readonly workers?: {
    /** Whether `start` analyses voice sessions that have ended. Default true. Source: docs/reference/voice-agent.md#analysis. */
    readonly analysis?: boolean
  }
}
