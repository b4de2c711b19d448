/** An upstream of speech synthesis that a test plays: it logs each request, and a test decides what comes and how it ends. */
import type { UpstreamProvider } from "@trunkline/core"
import {
  type AudioFormat,
  type FieldRefusal,
  type SpeakRequest,
  type SpeakWork,
  type Upstream,
  UpstreamFailed,
  type UpstreamWhy,
  upstreamProvider
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { leak } from "./FakeSpeech.ts"

type Speaking = (work: SpeakWork) => Effect.Effect<void, UpstreamFailed>

/** Audio by default: bytes that are no text. */
export const spokenBytes = Uint8Array.from({ length: 300 }, (_, nth) => (nth * 7) % 256)

export class FakeSynthesis {
  /** What was asked, in the order in which it came. */
  readonly works: Array<SpeakRequest> = []
  /** Requests that their callers interrupted. */
  interrupted = 0
  readonly #servedBy: string | null
  readonly #refusal: (request: SpeakRequest) => FieldRefusal | null
  /** Of requests that name none; `mp3` unless a test says otherwise. */
  readonly format: AudioFormat
  #speaking: Speaking = ({ onBytes }) => onBytes(spokenBytes)

  constructor(
    servedBy: string | null = null,
    refusal: (request: SpeakRequest) => FieldRefusal | null = () => null,
    format: AudioFormat = "mp3"
  ) {
    this.format = format
    this.#servedBy = servedBy
    this.#refusal = refusal
  }

  /** What it does from now on. */
  readonly does = (speaking: Speaking): void => {
    this.#speaking = speaking
  }

  /** Sends these pieces. */
  readonly says = (...pieces: ReadonlyArray<Uint8Array>): void => {
    this.does(({ onBytes }) => Effect.forEach(pieces, onBytes, { discard: true }))
  }

  /** Sends these pieces, and fails. */
  readonly fails = (why: UpstreamWhy, ...pieces: ReadonlyArray<Uint8Array>): void => {
    const failed = new UpstreamFailed({ why, detail: leak, retryAfterSeconds: null, advice: null })
    this.does(({ onBytes }) => Effect.andThen(Effect.forEach(pieces, onBytes, { discard: true }), Effect.fail(failed)))
  }

  readonly provider: UpstreamProvider = upstreamProvider(
    (name: string): Upstream => ({
      name,
      provider: "fake",
      servedBy: this.#servedBy,
      maxMs: 60_000,
      speakRefusal: this.#refusal,
      speakFormat: this.format,
      capabilities: {
        speak: (work) =>
          Effect.suspend(() => {
            const { onBytes: _, ...asked } = work
            this.works.push(asked)
            return Effect.onInterrupt(Effect.as(this.#speaking(work), { ended: true as const }), () =>
              Effect.sync(() => {
                this.interrupted += 1
              })
            )
          })
      }
    })
  )
}
