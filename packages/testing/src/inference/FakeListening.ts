/** An upstream that hears utterances while they are spoken, as a test plays it. */
import type { UpstreamProvider } from "@trunkline/core"
import {
  type ListenOptions,
  type LiveSound,
  type SpeechAnswer,
  type Upstream,
  UpstreamFailed,
  upstreamProvider
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"

type Hearing = (sound: LiveSound) => Effect.Effect<string, UpstreamFailed>

export class FakeListening {
  /** The connections that were opened, in their order. */
  readonly opened: Array<ListenOptions> = []
  readonly sounds: Array<LiveSound> = []
  closed = 0
  /** Utterances that nobody waited for to their end. */
  interrupted = 0
  readonly #decidesTurns: boolean
  #hearing: Hearing = () => Effect.succeed("hello")

  constructor(decidesTurns = false) {
    this.#decidesTurns = decidesTurns
  }

  /** What becomes of an utterance that has ended, from now on. */
  readonly does = (hearing: Hearing): void => {
    this.#hearing = hearing
  }

  readonly #hear = (sound: LiveSound): Effect.Effect<SpeechAnswer, UpstreamFailed> =>
    Effect.suspend(() => {
      this.sounds.push(sound)
      const ended = Effect.callback<void>((resume) => {
        const look = () => {
          sound.sent(sound.pieces.length)
          if (sound.isEnded) resume(Effect.void)
        }
        look()
        return Effect.sync(sound.watch(look))
      })
      const heard = Effect.flatMap(ended, () => this.#hearing(sound))
      return Effect.onInterrupt(
        Effect.map(heard, (text): SpeechAnswer => ({ text, seconds: null, segments: [] })),
        () =>
          Effect.sync(() => {
            this.interrupted += 1
          })
      )
    })

  readonly provider: UpstreamProvider = upstreamProvider(
    (name: string): Upstream => ({
      ...{ name, provider: "fake", servedBy: null, maxMs: 60_000 },
      capabilities: {
        transcribe: () =>
          Effect.fail(new UpstreamFailed({ why: "failed", detail: "no files", retryAfterSeconds: null, advice: null }))
      },
      listening: {
        decidesTurns: () => this.#decidesTurns,
        open: (options) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              this.opened.push(options)
              return { hear: this.#hear }
            }),
            () =>
              Effect.sync(() => {
                this.closed += 1
              })
          )
      }
    })
  )
}
