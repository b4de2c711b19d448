/** Port: how long a recording is, by what its data holds. Source: docs/metering.md#duration. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audio } from "./Upstream.ts"

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

export class AudioLength extends Context.Service<
  AudioLength,
  {
    /** Reads frames or samples; lengths that a header claims are not believed. */
    readonly measure: (audio: Audio) => Effect.Effect<Measured, AudioRefused>
  }
>()("@trunkline/core/inference/AudioLength") {}
