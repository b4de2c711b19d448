/** What an upstream is given to transcribe, and what it returns. Source: docs/reference/upstreams.md. */

/** An uploaded file, in a few large chunks. They can be read until the upstream has answered; then their memory is freed. */
export interface Audio {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly size: number
  readonly fileName: string
  readonly contentType: string
  /** An upstream may call it once it reads no chunk any more: their memory is freed at once. Absent where another attempt may read them, or may still be reading them. */
  readonly onSent?: () => void
}

export const modes = ["transcribe", "translate", "verbatim", "translit", "codemix"] as const
export type Mode = (typeof modes)[number]

export interface SpeechWork {
  readonly task: "transcribe" | "translate"
  /** The model's name at the upstream. */
  readonly model: string
  /** The model's id in the request. */
  readonly requestedModel: string
  readonly audio: Audio
  /** Null: the upstream detects the language. */
  readonly language: string | null
  /** Null where the model has no modes. */
  readonly mode: Mode | null
  /** Further parameters under their public names, repeated ones as repeats. Empty but for models that have them. */
  readonly features: ReadonlyArray<readonly [name: string, value: string]>
  /** Whether the answer needs speakers. */
  readonly diarize: boolean
}

export interface Segment {
  readonly id: string
  readonly speaker: string
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface SpeechAnswer {
  readonly text: string
  /** Duration in seconds as the upstream measured it, or null; used where we could not measure it. */
  readonly seconds: number | null
  /** Empty unless speakers were requested and returned. */
  readonly segments: ReadonlyArray<Segment>
}
