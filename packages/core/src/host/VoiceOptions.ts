/** Reads what a host decides about agents that speak. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { modelsIn } from "../gateway/catalogue/index.ts"
import { Upstreams } from "../gateway/upstreams/index.ts"
import { Instant } from "../platform/kernel/index.ts"
import { accountSessionsOf, fitsStage, standardVoiceSettings, VoiceSettings } from "../voice/agent/index.ts"
import { AlertSettings } from "../voice/alerts/index.ts"
import { RecordingFiles, VoiceEventSettings, VoiceLimits } from "../voice/sessions/index.ts"
import { VoicePipelineSettings } from "../voice/stages/index.ts"
import type { TrunklineOptions } from "./Options.ts"
import { layerOf } from "./Providers.ts"
import { catalogueSettings, type ModelOptions } from "./SpeechOptions.ts"

const seconds = (given: number | undefined, standard: number): number =>
  given === undefined ? standard : given * Instant.second

const defaultsOf = (
  options: TrunklineOptions,
  { standIn }: Pick<Upstreams["Service"], "standIn">
): VoiceSettings["defaults"] => {
  const { language, llmModel, sttModel, ttsModel, voice } = options.voice?.defaults ?? {}
  const { defaults } = standardVoiceSettings
  return {
    sttModel: sttModel ?? standIn("transcribe") ?? defaults.sttModel,
    llmModel: llmModel ?? defaults.llmModel,
    ttsModel: ttsModel ?? standIn("speak") ?? defaults.ttsModel,
    voice: voice ?? defaults.voice,
    language: language ?? defaults.language
  }
}

export const voiceSettings = (options: TrunklineOptions) => {
  const settings = settingsOf(options)
  const { concurrentSessions, hasTranscriptInEvents, alertsEveryMs, sttTimeoutMs, llmTimeoutMs, ttsTimeoutMs } =
    settings
  return Layer.mergeAll(
    Layer.effect(
      VoiceSettings,
      Upstreams.use((upstreams) => Effect.succeed({ ...settings, defaults: defaultsOf(options, upstreams) }))
    ),
    Layer.succeed(VoiceLimits, concurrentSessions),
    Layer.succeed(VoiceEventSettings, { transcript: hasTranscriptInEvents }),
    Layer.succeed(AlertSettings, { everySeconds: alertsEveryMs / Instant.second }),
    Layer.succeed(VoicePipelineSettings, { sttTimeoutMs, llmTimeoutMs, ttsTimeoutMs }),
    options.recordings === undefined ? RecordingFiles.none : layerOf(options.recordings)
  )
}

const settingsOf = (options: TrunklineOptions): Omit<VoiceSettings, "defaults"> => {
  const { alertsEverySeconds, concurrentSessions, events, idleTimeoutSeconds, ...given } = options.voice ?? {}
  const standard = standardVoiceSettings
  return {
    ...standard,
    maxAccountSessions: accountSessionsOf(given.maxSessions ?? standard.maxSessions),
    ...given,
    idleTimeoutMs: seconds(idleTimeoutSeconds, standard.idleTimeoutMs),
    concurrentSessions: { ...standard.concurrentSessions, ...concurrentSessions },
    hasTranscriptInEvents: events?.transcript ?? standard.hasTranscriptInEvents,
    alertsEveryMs: seconds(alertsEverySeconds, standard.alertsEveryMs)
  }
}

const stages = { sttModel: "listen", llmModel: "think", ttsModel: "speak" } as const

/** Defaults that are no models of the catalogue, or cannot do what they are for. */
export const defaultModelFaults = (options: ModelOptions) => {
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
