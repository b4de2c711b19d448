/** What an upstream is given to hear while it is spoken. Source: docs/reference/upstreams.md#listening. */

/** One utterance while it is spoken: 16-bit mono at 16 kHz. */
export interface LiveSound {
  /** All that has been spoken, from its beginning. */
  readonly pieces: ReadonlyArray<Int16Array>
  /** Nothing is added any more. */
  readonly isEnded: boolean
  /** Calls back whenever there is more, and when it has ended, until the returned function is called. */
  readonly watch: (changed: () => void) => () => void
  /** Called by the upstream: this many of its samples have been sent. */
  readonly sent: (samples: number) => void
  /** Called by the upstream that decides when turns end. */
  readonly turnEnded: () => void
}

export interface ListenOptions {
  /** The model's name at the upstream. */
  readonly model: string
  /** Null: the upstream's default. */
  readonly language: string | null
}
