/** What a host decides about agents that speak, as the rooms know it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Upstreams } from "../gateway/upstreams/index.ts"
import { EnergyDetector, SpeechDetectors } from "../platform/audio/index.ts"
import { Instant } from "../platform/kernel/index.ts"
import { effective, layerOf } from "../platform/settings/index.ts"
import { accountSessionsOf, standardVoiceSettings, VoiceSettings } from "./agent/index.ts"
import { AlertSettings } from "./alerts/index.ts"
import { RecordingFiles, VoiceEventSettings, VoiceLimits } from "./sessions/index.ts"
import { VoicePipelineSettings } from "./stages/index.ts"
import { settings, type VoiceOptions } from "./VoiceOptions.ts"

export type RecordingsLayer = Layer.Layer<RecordingFiles>
export type SpeechDetectorLayer = Layer.Layer<SpeechDetectors>

const energy = Layer.succeed(SpeechDetectors, { name: "energy", open: () => new EnergyDetector() })

export const configured = (options: VoiceOptions) => {
  const { recordings, voice } = effective(settings, options)
  const { alertsEverySeconds, concurrentSessions, defaults, detector, events, idleTimeoutSeconds, ...given } = voice
  const { llmTimeoutMs, sttTimeoutMs, ttsTimeoutMs } = given
  const { llmModel, sttModel, ttsModel } = standardVoiceSettings.defaults
  return Layer.mergeAll(
    Layer.effect(
      VoiceSettings,
      Upstreams.use(({ standIn }) =>
        Effect.succeed({
          ...given,
          defaults: {
            sttModel: defaults.sttModel ?? standIn("transcribe") ?? sttModel,
            llmModel: defaults.llmModel ?? llmModel,
            ttsModel: defaults.ttsModel ?? standIn("speak") ?? ttsModel,
            voice: defaults.voice,
            language: defaults.language
          },
          maxAccountSessions: given.maxAccountSessions ?? accountSessionsOf(given.maxSessions),
          concurrentSessions,
          idleTimeoutMs: idleTimeoutSeconds * Instant.second,
          hasTranscriptInEvents: events.transcript,
          alertsEveryMs: alertsEverySeconds * Instant.second
        })
      )
    ),
    Layer.succeed(VoiceLimits, concurrentSessions),
    Layer.succeed(VoiceEventSettings, events),
    Layer.succeed(AlertSettings, { everySeconds: alertsEverySeconds }),
    Layer.succeed(VoicePipelineSettings, { sttTimeoutMs, llmTimeoutMs, ttsTimeoutMs }),
    detector === undefined ? energy : layerOf<SpeechDetectorLayer>(detector),
    recordings === undefined ? RecordingFiles.none : layerOf<RecordingsLayer>(recordings)
  )
}
