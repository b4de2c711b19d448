/** Passes an answer's audio from the run, which gets it, to the response, which sends it. */
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import { type StoredResponse, storedBytes, storedText } from "../../platform/idempotency/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import type { InferenceRefused } from "../errors/InferenceErrors.ts"
import { AnswerOutlet } from "../run/AnswerOutlet.ts"
import { ChunkBytes } from "../upstreams/ChunkBytes.ts"
import type { AudioFormat } from "../upstreams/SpeakWork.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import { deltaEvent, doneEvent, errorEvent } from "./SpeechEvents.ts"
import { contentTypeOf, type SynthesisRequest } from "./SynthesisRequest.ts"

/** Pieces that wait for a client that reads slowly; then the upstream is read no further. */
const maxWaiting = 4

/** The audio is incomplete. The connection is closed, so that no client accepts a part as the whole file. */
class SpeechBroken extends Data.TaggedError("SpeechBroken") {}

/** Who speaks, in which format, and after how many attempts. */
export interface SpeechSource {
  readonly upstream: Upstream
  readonly format: AudioFormat
  readonly attempts: number
}

type Pieces = AnswerOutlet<Uint8Array, SpeechSource, SpeechBroken>

const utf8 = new TextEncoder()

export class SpeechOutlet {
  readonly #request: SynthesisRequest
  readonly #pieces: Pieces

  private constructor(request: SynthesisRequest, pieces: Pieces) {
    this.#request = request
    this.#pieces = pieces
  }

  static make(request: SynthesisRequest, isKept: boolean): Effect.Effect<SpeechOutlet> {
    return Effect.map(
      AnswerOutlet.make<Uint8Array, SpeechSource, SpeechBroken>({ maxWaiting, isKept }),
      (pieces) => new SpeechOutlet(request, pieces)
    )
  }

  /** Whether audio has been sent on: from then on nothing is tried again. */
  get hasBegun(): boolean {
    return this.#pieces.hasBegun
  }

  /** Ends when the first audio has come, with its source. */
  get begun(): Effect.Effect<SpeechSource> {
    return this.#pieces.begun
  }

  /** The pieces of sound that are sent. */
  get queue(): Queue.Dequeue<Uint8Array, SpeechBroken | Cause.Done> {
    return this.#pieces.queue
  }

  /** The answer as it is kept: all that has been sent, with its end. */
  stored({ format }: SpeechSource): StoredResponse {
    const sent = new ChunkBytes([...this.#pieces.kept, this.#end])
    const bytes = sent.slice(0, sent.size)
    const contentType = contentTypeOf(this.#request, format)
    return this.#request.isSse
      ? storedText(contentType, new TextDecoder().decode(bytes))
      : storedBytes(contentType, bytes)
  }

  /** Sends audio on. Waits while the client reads too slowly. */
  write(bytes: Uint8Array, source: SpeechSource): Effect.Effect<void> {
    return Effect.suspend(() => this.#pieces.send(this.#request.isSse ? utf8.encode(deltaEvent(bytes)) : bytes, source))
  }

  /** The audio is whole. */
  readonly end: Effect.Effect<void> = Effect.suspend(() =>
    Effect.andThen(this.#end.length === 0 ? Effect.void : this.#pieces.add(this.#end), this.#pieces.end)
  )

  /** The audio breaks off. `failed`: null for a fault of ours. */
  breakOff(failed: InferenceRefused | StorageError | null, requestId: string): Effect.Effect<void> {
    return this.#request.isSse
      ? Effect.andThen(this.#pieces.add(utf8.encode(errorEvent(failed, requestId))), this.#pieces.end)
      : this.#pieces.fail(new SpeechBroken())
  }

  /** The client has gone: what follows is kept, and sent to nobody. */
  get abandon(): Effect.Effect<void> {
    return this.#pieces.abandon
  }

  get #end(): Uint8Array {
    return this.#request.isSse ? utf8.encode(doneEvent(this.#request.characters)) : new Uint8Array(0)
  }
}
