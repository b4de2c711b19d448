/** Port: finds speech in sound. Source: docs/reference/voice-agent.md#detection. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Samples of one frame at 16 kHz: 32 ms. */
export const detectorFrame = 512

/** Detects speech in the sound of one line, from its beginning. */
export interface SpeechDetector {
  /** How likely the next 512 samples at 16 kHz are speech, from 0 to 1. Frames are given in order, one at a time; the frame may be reused afterwards. */
  readonly detect: (frame: Float32Array) => number | Promise<number>
}

export class SpeechDetectors extends Context.Service<
  SpeechDetectors,
  {
    /** For the log, such as `silero`. */
    readonly name: string
    /** A detector for one line. Costs nothing when it is no longer referenced. */
    readonly open: () => SpeechDetector
    /** Loads what every line needs, so that the first one has it from its beginning. Absent: there is nothing to load. */
    readonly warm?: Effect.Effect<void>
  }
>()("@trunkline/core/platform/audio/SpeechDetectors") {}
