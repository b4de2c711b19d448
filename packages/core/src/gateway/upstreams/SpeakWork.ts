/** What an upstream of speech synthesis is given, and what it returns. Source: docs/reference/upstreams.md#speech-synthesis. */
import type * as Effect from "effect/Effect"
import type { Json } from "./GenerateWork.ts"

/** `pcm`: 24,000 samples a second of 16 bits, mono, little-endian, without a header. */
export const audioFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const
export type AudioFormat = (typeof audioFormats)[number]

/** A request for speech as an upstream gets it. */
export interface SpeakRequest {
  /** The model's name at the upstream. */
  readonly model: string
  readonly input: string
  /** Null: the upstream's default. */
  readonly voice: string | null
  readonly format: AudioFormat
  /** Null: the upstream's default. */
  readonly speed: number | null
  /** Such as `hi-IN`; null where the caller names none. */
  readonly language: string | null
  /** All fields as the caller sent them but `stream_format`, with the upstream's name of the model: for an upstream of the same API. */
  readonly fields: Json
}

export interface SpeakWork extends SpeakRequest {
  /** Gets the audio piece by piece, in its order, none of them empty; the upstream is read no further until it has returned. */
  readonly onBytes: (bytes: Uint8Array) => Effect.Effect<void>
}

/** The audio came to its end, with one byte at least. */
export interface SpeakAnswer {
  readonly ended: true
}
