/** The upstream `embedded`: English speech on this machine, without any account, to text and from text. */
import {
  type SpeakWork,
  type SpeechAnswer,
  type SpeechWork,
  type TypedUpstreamProvider,
  type Upstream,
  UpstreamFailed,
  type UpstreamWhy,
  upstreamProvider
} from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type EmbeddedOptions, type EmbeddedSettings, embeddedSettings } from "./EmbeddedOptions.ts"
import { installCommand, missingPackages, readableFormats } from "./EnginePackages.ts"
import { fliteModel, fliteOrder, fliteRefusal } from "./Flite.ts"
import { makeFliteEngine, type Speak } from "./FliteEngine.ts"
import { type InstallProgress, install, isInstalled, modelFiles, neededModels } from "./ModelInstall.ts"
import { ModelsNotInstalled } from "./NpmPack.ts"
import { disableTelemetry } from "./RuntimeTelemetry.ts"
import { type EngineReply, makeSpeechEngine, type SpeechEngine } from "./SpeechEngine.ts"
import { speechModels, voiceDetector } from "./SpeechModels.ts"
import type { SpeechTools } from "./SpeechThread.ts"

/** Whether the engine can be used, for hosts that ask before they start. */
export interface EmbeddedReady {
  readonly model: string
  readonly modelsFolder: string
  /** That can be read with the packages that are installed. */
  readonly formats: ReadonlyArray<string>
}

/** The embedded engine, to be handed to the product as it is. */
export interface EmbeddedProvider extends TypedUpstreamProvider {
  /**
   * Finds out before the first request whether everything is there, and fetches weights that are not, unless the settings
   * say otherwise. Rejects with an error whose message says what to do.
   */
  readonly ready: () => Promise<EmbeddedReady>
  /** Ends the thread and whatever it was doing. A process that ends needs none of it. */
  readonly close: () => Promise<void>
}

/** The engine cannot work on this installation. The message says what to do. */
export class EngineNotInstalled extends Error {
  override readonly name = "EngineNotInstalled"

  constructor(packages: ReadonlyArray<string>) {
    super(`the embedded speech engine lacks ${packages.join(", ")}; run ${installCommand(packages)}`)
  }
}

/** Why the engine cannot work on this installation, with the command that repairs it; null where all its packages are there. */
export const engineFault = (): string | null => {
  const packages = missingPackages()
  return packages.length === 0 ? null : new EngineNotInstalled(packages).message
}

interface Failure {
  readonly detail: string
  readonly advice?: string
  readonly retryAfterSeconds?: number
}

const failed = (why: UpstreamWhy, { advice, detail, retryAfterSeconds }: Failure): UpstreamFailed =>
  new UpstreamFailed({ why, detail, advice: advice ?? null, retryAfterSeconds: retryAfterSeconds ?? null })

const elsewhere = "configure an upstream of kind openai, sarvam or deepgram for it"

/** The failure of a request that needs more than a transcript of English; null for any other. */
const beyond = ({ diarize, language, mode }: SpeechWork): UpstreamFailed | null => {
  const unsupported = (asked: string, advice: string) =>
    failed("unsupported", { detail: `the embedded speech engine has no ${asked}: ${elsewhere}`, advice })
  if (language !== null && !/^en(-|$)/i.test(language)) {
    return unsupported("language but English", "This language is not offered here: English is the only one.")
  }
  if (mode !== null && mode !== "transcribe" && mode !== "translate") {
    return unsupported(`mode ${mode}`, `The mode ${mode} is not offered here.`)
  }
  return diarize ? unsupported("segments by speaker", "Telling speakers apart is not offered here.") : null
}

const joined = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** The engine's reply as an answer or as a failure of the port. */
const answerOf = (
  reply: EngineReply,
  { maxSeconds }: EmbeddedSettings
): Effect.Effect<SpeechAnswer, UpstreamFailed> => {
  switch (reply.kind) {
    case "said":
      return Effect.succeed({ text: reply.text, seconds: reply.seconds, segments: [] })
    case "unreadable":
      return Effect.fail(
        failed("refused_input", {
          detail: reply.detail,
          advice: `This service reads ${readableFormats().join(", ")}. Send the recording as one of these.`
        })
      )
    case "too_long":
      return Effect.fail(
        failed("refused_input", {
          detail: reply.detail,
          advice: `This service takes recordings of at most ${maxSeconds} seconds.`
        })
      )
    case "missing": {
      const { message } = new EngineNotInstalled([reply.packageName])
      return Effect.fail(failed("failed", { detail: message }))
    }
    case "not_started": {
      const detail = reply.error instanceof Error ? reply.error.message : String(reply.error)
      return Effect.fail(failed("failed", { detail }))
    }
    case "closed":
    case "stopped":
      return Effect.fail(failed("unreachable", { detail: "the embedded speech engine was closed" }))
    case "failed":
      return Effect.fail(failed("failed", { detail: reply.detail }))
  }
}

const submitted = (engine: SpeechEngine, bytes: Uint8Array): Effect.Effect<EngineReply, UpstreamFailed> =>
  Effect.callback((resume) => {
    const end = engine.submit(bytes, (reply) => resume(Effect.succeed(reply)))
    if (typeof end === "function") return Effect.sync(end)
    const detail = "the queue of the embedded speech engine is full"
    resume(Effect.fail(failed("throttled", { detail, retryAfterSeconds: end })))
    return undefined
  })

const line = ({ model, step, tarballBytes }: InstallProgress): string =>
  `embedded speech engine: ${model} ${step}${step === "fetching" ? ` (${(tarballBytes / 1e6).toFixed(1)} MB, once)` : ""}`

/** The weights' folder, where they are whole or can be fetched. */
const folderOf = async (settings: EmbeddedSettings, signal: AbortSignal): Promise<string> => {
  const models = neededModels(settings.model)
  if (settings.install) {
    // What is there already is not logged.
    let fetches = false
    return install(models, {
      ...settings,
      signal,
      onProgress: (progress) => {
        fetches ||= progress.step === "fetching"
        if (fetches) settings.log(line(progress))
      }
    })
  }
  for (const model of models) {
    if (await isInstalled(settings.modelsFolder, model)) continue
    throw new ModelsNotInstalled("failed", `${model.id} is not in ${settings.modelsFolder}, or not whole`)
  }
  return settings.modelsFolder
}

const toolsOf = async (settings: EmbeddedSettings, signal: AbortSignal): Promise<SpeechTools> => {
  disableTelemetry()
  const packages = missingPackages()
  if (packages.length > 0) throw new EngineNotInstalled(packages)
  const folder = await folderOf(settings, signal)
  const { shape } = speechModels[settings.model]
  return {
    moonshine: modelFiles(folder, speechModels[settings.model]),
    shape,
    detector: modelFiles(folder, voiceDetector).network,
    threads: settings.threads
  }
}

/** npm tries for a minute before it gives up: requests meanwhile, or soon after, get its result. */
const retryAfterMs = 60_000

/** The same, asked by one at a time; a failure is the answer for a while. */
const remembering = <A>(ask: () => Promise<A>): (() => Promise<A>) => {
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

/** Of audio that is handed on at a time. */
const pieceBytes = 64 * 1024

/** The upstream of an engine, by name. */
export const upstreamOf =
  (settings: EmbeddedSettings, engine: SpeechEngine, flite: Speak = makeFliteEngine()) =>
  (name: string): Upstream => {
    const late = <A>(work: Effect.Effect<A, UpstreamFailed>) =>
      Effect.timeoutOrElse(work, {
        duration: settings.timeoutMs,
        orElse: () => Effect.fail(failed("timeout", { detail: `no answer within ${settings.timeoutMs} ms` }))
      })
    const transcribe = Effect.fn("Embedded.transcribe")(function* (work: SpeechWork) {
      const unsupported = beyond(work)
      if (unsupported !== null) return yield* unsupported
      const bytes = joined(work.audio.chunks, work.audio.size)
      return yield* late(Effect.flatMap(submitted(engine, bytes), (reply) => answerOf(reply, settings)))
    })

    const speak = Effect.fn("Embedded.speak")(function* (work: SpeakWork) {
      const audio = yield* late(flite(fliteOrder(work)))
      for (let at = 0; at < audio.length; at += pieceBytes) yield* work.onBytes(audio.subarray(at, at + pieceBytes))
      return { ended: true } as const
    })
    const { id } = speechModels[settings.model]
    return {
      name,
      provider: "embedded",
      capabilities: { transcribe, speak },
      ownModels: { speak: [fliteModel] },
      speakFormat: "wav",
      speakRefusal: fliteRefusal,
      servedBy: `embedded; model=${id}`,
      maxMs: settings.timeoutMs
    }
  }

/**
 * English speech to text on this machine. Starts nothing before the first request. Throws `InvalidEmbeddedOptions`, which
 * names every fault. Source: docs/embedded.md.
 *
 * @example
 * const speech = embedded()
 * await speech.ready()
 */
export const embedded = (options: EmbeddedOptions = {}): EmbeddedProvider => {
  const settings = Result.getOrThrow(embeddedSettings(options))
  const closing = new AbortController()
  const tools = () => toolsOf(settings, closing.signal)
  const engine = makeSpeechEngine({ ...settings, tools: remembering(tools) })
  return {
    ...upstreamProvider(upstreamOf(settings, engine)),
    ready: async () => {
      await tools()
      const { model, modelsFolder } = settings
      return { model: speechModels[model].id, modelsFolder, formats: readableFormats() }
    },
    close: () => {
      closing.abort()
      return engine.close()
    }
  }
}
