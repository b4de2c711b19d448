/** What an upstream is given to hear while it is spoken. Source: docs/upstreams.md#listening. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SpeechAnswer } from "./SpeechWork.ts"
import type { UpstreamFailed } from "./Upstream.ts"

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

/** One session's connection. It is made with the first utterance, and again after it has broken. */
export interface ListenConnection {
  /**
   * Sends an utterance while it is spoken, and answers once it has ended and its text is there. A second one waits until the first
   * has its answer. A connection that breaks is made again once, and all of the utterance is sent again. An interruption ends the connection.
   */
  readonly hear: (sound: LiveSound) => Effect.Effect<SpeechAnswer, UpstreamFailed>
}

export interface ListenOptions {
  /** The model's name at the upstream. */
  readonly model: string
  /** Null: the upstream's default. */
  readonly language: string | null
}

/** How an upstream hears utterances while they are spoken. */
export interface Listening {
  /** Whether a model of this name decides itself when a turn ends. */
  readonly decidesTurns: (model: string) => boolean
  /** The connection of a session, which is closed with the scope. */
  readonly open: (options: ListenOptions) => Effect.Effect<ListenConnection, never, Scope.Scope>
}
