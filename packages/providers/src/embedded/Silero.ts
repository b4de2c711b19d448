/** Finds speech in the sound of lines by Silero's network, in this process. Source: docs/reference/voice-agent.md#detection. */
import {
  detectorFrame,
  EnergyDetector,
  type SpeechDetector,
  type SpeechDetectorProvider,
  SpeechDetectors,
  speechDetectorProvider
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { embeddedSettings, type WeightOptions } from "./EmbeddedOptions.ts"
import { EngineNotInstalled } from "./EngineFailures.ts"
import { detectorPackages, missingPackages } from "./EnginePackages.ts"
import { detectorPath, remembering } from "./EngineTools.ts"
import { loadVoiceDetector, type VoiceDetector } from "./VoiceDetector.ts"

/** Settings that it shares with the embedded engine. */
export interface SileroOptions extends WeightOptions {}

export interface SileroProvider extends SpeechDetectorProvider {
  /**
   * Finds out before the first line whether everything is there, and fetches the network if it is not, unless the settings say
   * otherwise. Rejects with an error whose message says what to do.
   */
  readonly ready: () => Promise<void>
}

/** Why Silero cannot be used on this installation, with the command that repairs it; null where its package is there. */
export const sileroFault = (): string | null => {
  const packages = missingPackages(detectorPackages)
  return packages.length === 0 ? null : new EngineNotInstalled(packages, "speech detector Silero").message
}

/** The network that all lines share: loaded at the start, or when the first line asks; absent until then and after a failure. */
interface SharedNetwork {
  readonly now: () => VoiceDetector | undefined
  /** Completes once it is there, or cannot be. */
  readonly warm: Effect.Effect<void>
  readonly free: () => Promise<void>
}

const shared = (path: () => Promise<string>, onFailure: (error: unknown) => void): SharedNetwork => {
  let network: VoiceDetector | undefined
  const load = remembering(async () => {
    try {
      const loaded = await loadVoiceDetector(await path())
      await loaded.listen().detect(new Float32Array(detectorFrame))
      network = loaded
    } catch (error) {
      onFailure(error)
      throw error
    }
  })
  // A failure was reported where it happened, and is known to `load` for a while.
  const quietly = () => load().catch(() => undefined)
  return {
    now: () => {
      if (network === undefined) void quietly()
      return network
    },
    warm: Effect.promise(quietly),
    free: async () => network?.free()
  }
}

/** One line: by the energy of its sound until the network is there. */
const lineDetector = (network: SharedNetwork): SpeechDetector => {
  const energy = new EnergyDetector()
  let line = network.now()?.listen()
  return {
    detect: (frame) => {
      line ??= network.now()?.listen()
      return line === undefined ? energy.detect(frame) : line.detect(frame)
    }
  }
}

/**
 * Silero's network as the speech detector of a product. Loads nothing before the product starts or has its first line. Throws `InvalidEmbeddedOptions`, which
 * names every fault.
 *
 * @example
 * createTrunkline({ storage, encryptionKey, voice: { detector: silero() } })
 */
export const silero = (options: SileroOptions = {}): SileroProvider => {
  const settings = Result.getOrThrow(embeddedSettings(options))
  const path = () => detectorPath(settings, new AbortController().signal)
  const layer = Layer.effect(
    SpeechDetectors,
    Effect.gen(function* () {
      const context = yield* Effect.context<never>()
      const network = shared(path, (error) =>
        Effect.runForkWith(context)(
          Effect.logWarning("Silero cannot be used: speech is detected by the energy of sound", error)
        )
      )
      yield* Effect.addFinalizer(() => Effect.promise(network.free))
      return { name: "silero", open: () => lineDetector(network), warm: network.warm }
    })
  )
  return {
    ...speechDetectorProvider(layer),
    ready: async () => {
      await path()
    }
  }
}
