/** An upstream that a test plays: it logs each request, and a test decides when and how it answers. */
import type { UpstreamProvider } from "@trunkline/core"
import {
  type SpeechAnswer,
  type SpeechWork,
  type Upstream,
  UpstreamFailed,
  type UpstreamWhy,
  upstreamProvider
} from "@trunkline/core/provider"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

type Answering = (work: SpeechWork) => Effect.Effect<SpeechAnswer, UpstreamFailed>

/** Words that an upstream says of itself, and that must never be in an answer. */
export const leak = "leaky words of org-1234 at https://inner.example with key sk-secret"

export class FakeSpeech {
  /** What was asked, in the order in which it came. */
  readonly works: Array<SpeechWork> = []
  /** Requests that their callers interrupted. */
  interrupted = 0
  readonly #servedBy: string | null
  #answering: Answering
  #maxMs = 60_000

  constructor(text = "hello", servedBy: string | null = null) {
    this.#answering = () => Effect.succeed({ text, seconds: null, segments: [] })
    this.#servedBy = servedBy
  }

  /** What it does from now on. */
  readonly does = (answering: Answering): void => {
    this.#answering = answering
  }

  readonly says = (answer: Partial<SpeechAnswer>): void => {
    this.does(() => Effect.succeed({ text: "hello", seconds: null, segments: [], ...answer }))
  }

  readonly fails = (
    why: UpstreamWhy,
    more: Partial<Pick<UpstreamFailed, "retryAfterSeconds" | "advice">> = {}
  ): void => {
    this.does(() =>
      Effect.fail(new UpstreamFailed({ why, detail: leak, retryAfterSeconds: null, advice: null, ...more }))
    )
  }

  /** Makes the next requests wait for `answer`. `begun` resolves when one has come. */
  readonly waits = () => {
    const begun = Deferred.makeUnsafe<void>()
    const answer = Deferred.makeUnsafe<SpeechAnswer, UpstreamFailed>()
    this.does(() => Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(answer)))
    return {
      begun: Deferred.await(begun),
      answer: (text: string) => Deferred.succeed(answer, { text, seconds: null, segments: [] })
    }
  }

  /** Promises to take no longer. */
  readonly promises = (maxMs: number): void => {
    this.#maxMs = maxMs
  }

  /** How many scopes keep it loaded now. */
  keepers = 0
  #loading: Effect.Effect<void, UpstreamFailed> | null = null

  /** It is an engine that must load first: this. */
  readonly loads = (loading: Effect.Effect<void, UpstreamFailed>): void => {
    this.#loading = loading
  }

  readonly #keepWarm = Effect.acquireRelease(
    Effect.sync(() => void this.keepers++),
    () => Effect.sync(() => void this.keepers--)
  )

  readonly provider: UpstreamProvider = upstreamProvider((name: string): Upstream => {
    const fake = this
    return {
      keepWarm: () => Effect.andThen(this.#keepWarm, this.#loading ?? Effect.void),
      name,
      provider: "fake",
      servedBy: this.#servedBy,
      get maxMs() {
        return fake.#maxMs
      },
      capabilities: {
        transcribe: (work) =>
          Effect.suspend(() => {
            // The bytes are gone after the answer.
            this.works.push({
              ...work,
              audio: { ...work.audio, chunks: work.audio.chunks.map((chunk) => new Uint8Array(chunk)) }
            })
            return Effect.onInterrupt(this.#answering(work), () =>
              Effect.sync(() => {
                this.interrupted += 1
              })
            )
          })
      }
    }
  })
}
