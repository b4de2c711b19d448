/** Port: how long a recording is, by what its data holds. Source: docs/reference/metering.md#duration. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ChunkBytes } from "../upstreams/ChunkBytes.ts"
import type { Audio } from "../upstreams/SpeechWork.ts"
import { containerOf } from "./AudioContainer.ts"
import { wavLength } from "./Wav.ts"

/** What can be said about a file's length. `seconds` is null where nothing can: then size is the bound. */
export interface Measured {
  readonly container: string | null
  readonly seconds: number | null
}

/** The file contradicts itself: an impossible sample or byte rate, or no audio at all. */
export class AudioRefused extends Schema.TaggedError<AudioRefused>()("AudioRefused", { detail: Schema.String }) {
  override get message() {
    return this.detail
  }
}

/** Reads the frames of every container but WAV. Null where a file of its kind cannot be measured. */
export type FrameReader = (bytes: ChunkBytes) => Effect.Effect<Measured | null, AudioRefused>

const unknown = new AudioRefused({ detail: "The file is no audio of a kind that is known here." })

export class AudioLength extends Context.Service<
  AudioLength,
  {
    /** Reads frames or samples; lengths that a header claims are not believed. */
    readonly measure: (audio: Audio) => Effect.Effect<Measured, AudioRefused>
  }
>()("@trunkline/core/gateway/speech/AudioLength") {
  /** WAV is measured here; a length that a reader of other kinds does not find stays open, and unknown kinds are refused. */
  static readonly layer = (read: FrameReader = () => Effect.succeed(null)) =>
    Layer.succeed(AudioLength, {
      measure: Effect.fnUntraced(function* ({ chunks }: Audio) {
        const bytes = new ChunkBytes(chunks)
        const wav = wavLength(bytes)
        if (wav !== undefined) {
          if (Result.isFailure(wav)) return yield* new AudioRefused({ detail: `${wav.failure}.` })
          return { container: "wav", seconds: wav.success.seconds }
        }
        const measured = yield* read(bytes)
        if (measured !== null) return measured
        const container = containerOf(chunks)
        return container === null ? yield* unknown : { container, seconds: null }
      })
    })
}
