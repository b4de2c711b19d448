/** The upstream `embedded`: English on this machine, without any account: speech to text and from text, and embeddings. */
import {
  type Capability,
  type EmbedAnswer,
  type EmbedWork,
  type SpeakWork,
  type SpeechAnswer,
  type SpeechWork,
  type TypedUpstreamProvider,
  traced,
  tracedFn,
  type Upstream,
  type UpstreamFailed,
  upstreamProvider
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Result from "effect/Result"
import {
  type EmbeddedOptions,
  type EmbeddedService,
  type EmbeddedSettings,
  embeddedSettings
} from "./EmbeddedOptions.ts"
import { EngineNotInstalled, engineFault, failed, faultOf, fliteFault, keptWarm, submitted } from "./EngineFailures.ts"
import { readableFormats } from "./EnginePackages.ts"
import { remembering, sentenceTools, speechTools } from "./EngineTools.ts"
import { fliteModel, fliteOrder, fliteRefusal } from "./Flite.ts"
import { type FliteEngine, makeFliteEngine } from "./FliteEngine.ts"
import { sentenceModel, sentenceRefusal, textsOf } from "./SentenceEncoder.ts"
import type { SentenceOrder, SentenceReply } from "./SentenceThread.ts"
import { speechModels } from "./SpeechModels.ts"
import type { SpeechOrder, SpeechReply } from "./SpeechThread.ts"
import { type EngineReply, makeThreadEngine, type ThreadEngine } from "./ThreadEngine.ts"
import { threadFile } from "./ThreadLife.ts"

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
   * Finds out before the first request whether speech can be transcribed, fetches weights that are not there, unless the
   * settings say otherwise, and loads the networks: until `idleMs` has passed a request finds nothing left to load. Rejects
   * with an error whose message says what to do.
   */
  readonly ready: () => Promise<EmbeddedReady>
  /** Ends the threads and their work. A process that ends needs none of it. */
  readonly close: () => Promise<void>
}

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
  return diarize ? unsupported("segments by speaker", "Segments by speaker are not offered here.") : null
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
  reply: EngineReply<SpeechReply>,
  { maxSeconds }: EmbeddedSettings
): Effect.Effect<SpeechAnswer, UpstreamFailed> => {
  switch (reply.kind) {
    case "done":
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
    default:
      return Effect.fail(faultOf(reply, "embedded speech engine"))
  }
}

/** The encoder's reply as an answer or as a failure of the port. */
const vectorsOf = (reply: EngineReply<SentenceReply>): Effect.Effect<EmbedAnswer, UpstreamFailed> => {
  switch (reply.kind) {
    case "done":
      return Effect.succeed({ vectors: reply.vectors, inputTokens: null })
    case "refused":
      return Effect.fail(failed(reply.why, { detail: reply.advice, advice: reply.advice }))
    case "not_started": {
      const { detail } = faultOf(reply, "embedded sentence encoder")
      return Effect.fail(failed("unsupported", { detail, advice: "This model is not available here at the moment." }))
    }
    default:
      return Effect.fail(faultOf(reply, "embedded sentence encoder"))
  }
}

/** Of audio that is handed on at a time. */
const pieceBytes = 64 * 1024

export interface Engines {
  readonly speech: ThreadEngine<SpeechOrder, SpeechReply>
  readonly sentences: ThreadEngine<SentenceOrder, SentenceReply>
  readonly flite: FliteEngine
}

/** Why packages that an engine needs cannot be used; null where they are there. */
const faultFor = (capability: Capability): string | null =>
  capability === "transcribe" ? engineFault() : capability === "speak" ? fliteFault() : null

/** Loads what runs a capability, and keeps it for as long as the scope is open. */
const keepWarm =
  (settings: EmbeddedSettings, { flite, sentences, speech }: Engines): NonNullable<Upstream["keepWarm"]> =>
  (capability) => {
    switch (capability) {
      case "transcribe":
        return keptWarm(speech, (reply) => answerOf(reply, settings))
      case "embed":
        return keptWarm(sentences, vectorsOf)
      case "speak":
        return flite.load
      default:
        return Effect.void
    }
  }

/** The upstream of the engines, by name. */
export const upstreamOf =
  (settings: EmbeddedSettings, engines: Engines) =>
  (name: string): Upstream => {
    const { flite, sentences, speech } = engines
    const late = <A>(work: Effect.Effect<A, UpstreamFailed>) =>
      Effect.timeoutOrElse(work, {
        duration: settings.timeoutMs,
        orElse: () => Effect.fail(failed("timeout", { detail: `no answer within ${settings.timeoutMs} ms` }))
      })
    const transcribe = tracedFn("Embedded.transcribe")(function* (work: SpeechWork) {
      const unsupported = beyond(work)
      if (unsupported !== null) return yield* unsupported
      const order = { bytes: joined(work.audio.chunks, work.audio.size), maxSeconds: settings.maxSeconds }
      // The engine has a copy.
      work.audio.onSent?.()
      const reply = late(submitted(speech, order, "embedded speech engine"))
      return yield* Effect.flatMap(reply, (one) => answerOf(one, settings))
    })

    const embed = flow(
      (work: EmbedWork) =>
        Effect.flatMap(late(submitted(sentences, { texts: textsOf(work) }, "embedded sentence encoder")), vectorsOf),
      traced("Embedded.embed")
    )

    const speak = tracedFn("Embedded.speak")(function* (work: SpeakWork) {
      const audio = yield* late(flite.speak(fliteOrder(work)))
      for (let at = 0; at < audio.length; at += pieceBytes) yield* work.onBytes(audio.subarray(at, at + pieceBytes))
      return { ended: true } as const
    })
    const { id } = speechModels[settings.model]
    const serves = (service: EmbeddedService) => settings.serves.includes(service)
    return {
      name,
      provider: "embedded",
      capabilities: {
        ...(serves("stt") ? { transcribe } : {}),
        ...(serves("tts") ? { speak } : {}),
        ...(serves("embedding") ? { embed } : {})
      },
      namedModels: { transcribe: [speechModels.tiny.id] },
      fault: (capability) => faultFor(capability),
      keepWarm: keepWarm(settings, engines),
      ownModels: { speak: [fliteModel], embed: [sentenceModel] },
      speakFormat: "wav",
      speakRefusal: fliteRefusal,
      embedRefusal: sentenceRefusal,
      servedBy: `embedded; model=${id}`,
      maxMs: settings.timeoutMs
    }
  }

const makeEngines = (settings: EmbeddedSettings, signal: AbortSignal): Engines => ({
  speech: makeThreadEngine({
    ...settings,
    tools: remembering(() => speechTools(settings, signal)),
    thread: threadFile("SpeechThread"),
    guessedJobMs: 5_000,
    moved: ({ bytes }) => [bytes.buffer as ArrayBuffer]
  }),
  sentences: makeThreadEngine({
    ...settings,
    tools: remembering(() => sentenceTools(settings, signal)),
    thread: threadFile("SentenceThread"),
    guessedJobMs: 1_000
  }),
  flite: makeFliteEngine()
})

/**
 * English on this machine: speech to text, texts as speech, embeddings. Starts nothing before the first request. Throws
 * `InvalidEmbeddedOptions`, which names every fault. Source: docs/reference/embedded.md.
 *
 * @example
 * const speech = embedded()
 * await speech.ready()
 */
export const embedded = (options: EmbeddedOptions = {}): EmbeddedProvider => {
  const settings = Result.getOrThrow(embeddedSettings(options))
  const closing = new AbortController()
  const engines = makeEngines(settings, closing.signal)
  return {
    ...upstreamProvider(upstreamOf(settings, engines)),
    ready: async () => {
      await speechTools(settings, closing.signal)
      await Effect.runPromise(Effect.scoped(keepWarm(settings, engines)("transcribe")))
      const { model, modelsFolder } = settings
      return { model: speechModels[model].id, modelsFolder, formats: readableFormats() }
    },
    close: async () => {
      closing.abort()
      await Promise.all([engines.speech.close(), engines.sentences.close()])
    }
  }
}
