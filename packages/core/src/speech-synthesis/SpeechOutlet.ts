/** The way of an answer's audio from the run, which gets it, to the response, which sends it. */
import type * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { type StoredResponse, storedBytes, storedText } from "../idempotency/index.ts"
import { type AudioFormat, ChunkBytes, type InferenceRefused } from "../inference/index.ts"
import type { StorageError } from "../storage/index.ts"
import { deltaEvent, doneEvent, errorEvent } from "./SpeechEvents.ts"
import { contentTypeOf, type SynthesisRequest } from "./SynthesisRequest.ts"

/** Pieces that wait for a client that reads slowly; then the upstream is read no further. */
const maxWaiting = 4

/** The audio does not come to its end. The connection is closed, so that a part of a file does not pass for the whole. */
export class SpeechBroken extends Data.TaggedError("SpeechBroken") {}

type Pieces = Queue.Queue<Uint8Array, SpeechBroken | Cause.Done>

const utf8 = new TextEncoder()

export class SpeechOutlet {
  readonly #request: SynthesisRequest
  /** Whole, for the retry of a request with an Idempotency-Key. */
  readonly #kept: Array<Uint8Array> | null
  readonly #queue: Pieces
  readonly #begun: Deferred.Deferred<void>
  #hasBegun = false
  /** Of the upstream that speaks. */
  format: AudioFormat = "mp3"
  #isAbandoned = false

  private constructor(request: SynthesisRequest, isKept: boolean, queue: Pieces, begun: Deferred.Deferred<void>) {
    this.#request = request
    this.#kept = isKept ? [] : null
    this.#queue = queue
    this.#begun = begun
  }

  static make(request: SynthesisRequest, isKept: boolean): Effect.Effect<SpeechOutlet> {
    return Effect.zipWith(
      Queue.bounded<Uint8Array, SpeechBroken | Cause.Done>(maxWaiting),
      Deferred.make<void>(),
      (queue, begun) => new SpeechOutlet(request, isKept, queue, begun)
    )
  }

  /** Whether audio has been sent on: from then on nothing is tried again. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Ends when the first audio has come. */
  get begun(): Effect.Effect<void> {
    return Deferred.await(this.#begun)
  }

  get contentType(): string {
    return contentTypeOf(this.#request, this.format)
  }

  /** What is sent, piece by piece. */
  get queue(): Queue.Dequeue<Uint8Array, SpeechBroken | Cause.Done> {
    return this.#queue
  }

  /** The answer as it is kept: all that has been sent, with its end. */
  get stored(): StoredResponse {
    const sent = new ChunkBytes([...(this.#kept ?? []), this.#end])
    const bytes = sent.slice(0, sent.size)
    return this.#request.isSse
      ? storedText(this.contentType, new TextDecoder().decode(bytes))
      : storedBytes(this.contentType, bytes)
  }

  /** Sends audio on. Waits while the client reads too slowly. */
  readonly write = (bytes: Uint8Array): Effect.Effect<void> =>
    Effect.suspend(() => {
      const piece = this.#request.isSse ? utf8.encode(deltaEvent(bytes)) : bytes
      this.#kept?.push(piece)
      const sent = this.#send(piece)
      if (this.#hasBegun) return sent
      this.#hasBegun = true
      return Effect.andThen(sent, Deferred.succeed(this.#begun, undefined))
    })

  /** The audio is whole. */
  readonly end: Effect.Effect<void> = Effect.suspend(() =>
    Effect.andThen(this.#end.length === 0 ? Effect.void : this.#send(this.#end), Queue.end(this.#queue))
  )

  /** The audio breaks off. `failed`: null for a fault of ours. */
  breakOff(failed: InferenceRefused | StorageError | null, requestId: string): Effect.Effect<void> {
    return this.#request.isSse
      ? Effect.andThen(this.#send(utf8.encode(errorEvent(failed, requestId))), Queue.end(this.#queue))
      : Effect.asVoid(Queue.fail(this.#queue, new SpeechBroken()))
  }

  /** The client has gone: what follows is kept, and sent to nobody. */
  readonly abandon: Effect.Effect<void> = Effect.suspend(() => {
    this.#isAbandoned = true
    return Effect.asVoid(Queue.shutdown(this.#queue))
  })

  get #end(): Uint8Array {
    return this.#request.isSse ? utf8.encode(doneEvent(this.#request.characters)) : new Uint8Array(0)
  }

  #send(piece: Uint8Array): Effect.Effect<void> {
    return this.#isAbandoned ? Effect.void : Effect.asVoid(Queue.offer(this.#queue, piece))
  }
}
