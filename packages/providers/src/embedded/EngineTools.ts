/** What the threads work with, found or fetched before they start. */
import type { EmbeddedSettings } from "./EmbeddedOptions.ts"
import { type EngineName, EngineNotInstalled } from "./EngineFailures.ts"
import { detectorPackages, missingPackages, sentencePackages } from "./EnginePackages.ts"
import { type InstallProgress, install, isInstalled, modelFiles, neededModels } from "./ModelInstall.ts"
import { ModelsNotInstalled } from "./NpmPack.ts"
import { disableTelemetry } from "./RuntimeTelemetry.ts"
import { sentenceEncoder } from "./SentenceEncoder.ts"
import type { SentenceTools } from "./SentenceThread.ts"
import { type Model, speechModels, voiceDetector } from "./SpeechModels.ts"
import type { SpeechTools } from "./SpeechThread.ts"

const line = (engine: EngineName, { model, step, tarballBytes }: InstallProgress): string =>
  `${engine}: ${model} ${step}${step === "fetching" ? ` (${(tarballBytes / 1e6).toFixed(1)} MB, once)` : ""}`

/** What one engine works with. */
interface Needs {
  readonly engine: EngineName
  readonly models: ReadonlyArray<Model>
  readonly settings: EmbeddedSettings
  readonly signal: AbortSignal
}

/** The weights' folder, where they are whole or can be fetched. */
const folderOf = async ({ engine, models, settings, signal }: Needs): Promise<string> => {
  if (settings.install) {
    // A file that is there already is not logged.
    let fetches = false
    return install(models, {
      ...settings,
      signal,
      onProgress: (progress) => {
        fetches ||= progress.step === "fetching"
        if (fetches) settings.log(line(engine, progress))
      }
    })
  }
  for (const model of models) {
    if (await isInstalled(settings.modelsFolder, model)) continue
    throw new ModelsNotInstalled("failed", `${model.id} is not in ${settings.modelsFolder}, or not whole`)
  }
  return settings.modelsFolder
}

/** What the thread of speech works with, once all of it is there. */
export const speechTools = async (settings: EmbeddedSettings, signal: AbortSignal): Promise<SpeechTools> => {
  disableTelemetry()
  const packages = missingPackages()
  if (packages.length > 0) throw new EngineNotInstalled(packages)
  const models = neededModels(settings.model)
  const folder = await folderOf({ engine: "embedded speech engine", models, settings, signal })
  const { shape } = speechModels[settings.model]
  return {
    moonshine: modelFiles(folder, speechModels[settings.model]),
    shape,
    detector: modelFiles(folder, voiceDetector).network,
    threads: settings.threads
  }
}

/** Where the network is that finds speech, once it is there. */
export const detectorPath = async (settings: EmbeddedSettings, signal: AbortSignal): Promise<string> => {
  disableTelemetry()
  const engine = "speech detector Silero"
  const packages = missingPackages(detectorPackages)
  if (packages.length > 0) throw new EngineNotInstalled(packages, engine)
  return modelFiles(await folderOf({ engine, models: [voiceDetector], settings, signal }), voiceDetector).network
}

/** The same of the thread of embeddings. */
export const sentenceTools = async (
  settings: EmbeddedSettings,
  signal: AbortSignal,
  packages = missingPackages(sentencePackages)
): Promise<SentenceTools> => {
  const engine = "embedded sentence encoder"
  if (packages.length > 0) throw new EngineNotInstalled(packages, engine)
  return modelFiles(await folderOf({ engine, models: [sentenceEncoder], settings, signal }), sentenceEncoder)
}

/** npm tries for a minute before it gives up: requests meanwhile, or soon after, get its result. */
const retryAfterMs = 60_000

/** The same, asked by one at a time; a failure is the answer for a while. */
export const remembering = <A>(ask: () => Promise<A>): (() => Promise<A>) => {
  let failure: { readonly error: unknown; readonly until: number } | undefined
  let asking: Promise<A> | undefined
  const asked = async (): Promise<A> => {
    try {
      return await ask()
    } catch (error) {
      failure = { error, until: performance.now() + retryAfterMs }
      throw error
    } finally {
      asking = undefined
    }
  }
  return () => {
    if (failure !== undefined && performance.now() < failure.until) return Promise.reject(failure.error)
    asking ??= asked()
    return asking
  }
}
