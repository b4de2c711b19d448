/** Measures audio by its packets, with a library that is loaded when it is first needed. Source: docs/reference/metering.md#duration. */
import { createRequire } from "node:module"
import { type AudioLengthProvider, TrunklineError } from "@trunkline/core"
import {
  AudioLength,
  AudioRefused,
  audioLengthProvider,
  type ChunkBytes,
  type Measured
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Packets from "./Packets.ts"

/** Some 20 MB that a process which only ever gets WAV files does without. */
let packets: Promise<typeof Packets> | undefined
const load = (): Promise<typeof Packets> => {
  packets ??= import("./Packets.ts")
  return packets
}

const read = (bytes: ChunkBytes): Effect.Effect<Measured | null, AudioRefused> =>
  Effect.flatMap(
    Effect.promise(async () => (await load()).lengthOf(bytes)),
    (found) => {
      if (found === "no audio") return Effect.fail(new AudioRefused({ detail: "The file holds no audio." }))
      return Effect.succeed(found)
    }
  )

export const audioLengthLayer: Layer.Layer<AudioLength> = AudioLength.layer(read)

const library = "mediabunny"

const isInstalled = (): boolean => {
  try {
    createRequire(import.meta.url).resolve(library)
    return true
  } catch (error) {
    // Any other code means that it is installed, and not for `require`.
    return (error as { readonly code?: string }).code !== "MODULE_NOT_FOUND"
  }
}

/**
 * What measures MP3, AAC, M4A, FLAC, Ogg and WebM, whatever their headers claim. Needs the package `mediabunny` and throws a
 * `TrunklineError` with the code `audio_length_not_installed` without it.
 *
 * @example
 * createTrunkline({ storage, telephony, encryptionKey, audioLength: audioLength() })
 */
export const audioLength = (): AudioLengthProvider => {
  if (isInstalled()) return audioLengthProvider(audioLengthLayer)
  const install = `install it with npm install ${library}, or leave audioLength out`
  throw new TrunklineError("audio_length_not_installed", 500, `audioLength() needs the package ${library}: ${install}.`)
}
