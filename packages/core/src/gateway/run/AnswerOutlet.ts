/** The way of an answer's pieces from the run, which makes them, to the response, which sends them as they come. */
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { Instant } from "../../platform/kernel/index.ts"

interface OutletOptions {
  /** Pieces that wait for a client that reads slowly; then the upstream is read no further. */
  readonly maxWaiting: number
  /** Whether the pieces are kept, for the retry of a request with an Idempotency-Key. */
  readonly isKept: boolean
}

/** `Source` says who sends the answer: it is known once the first piece is sent. */
export class AnswerOutlet<Piece, Source, E = never> {
  readonly #kept: Array<Piece> | null
  readonly #queue: Queue.Queue<Piece, E | Cause.Done>
  readonly #begun: Deferred.Deferred<Source>
  #hasBegun = false
  #isAbandoned = false
  #sentAt = 0

  private constructor(isKept: boolean, queue: Queue.Queue<Piece, E | Cause.Done>, begun: Deferred.Deferred<Source>) {
    this.#kept = isKept ? [] : null
    this.#queue = queue
    this.#begun = begun
  }

  static make<Piece, Source, E = never>({
    isKept,
    maxWaiting
  }: OutletOptions): Effect.Effect<AnswerOutlet<Piece, Source, E>> {
    return Effect.zipWith(
      Queue.bounded<Piece, E | Cause.Done>(maxWaiting),
      Deferred.make<Source>(),
      (queue, begun) => new AnswerOutlet(isKept, queue, begun)
    )
  }

  /** Whether a piece has been sent on: from then on nothing is tried again. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Ends when the first piece has come, with its source. */
  get begun(): Effect.Effect<Source> {
    return Deferred.await(this.#begun)
  }

  /** The pieces of the answer that are sent. */
  get queue(): Queue.Dequeue<Piece, E | Cause.Done> {
    return this.#queue
  }

  /** What has been sent; empty where it is not kept. */
  get kept(): ReadonlyArray<Piece> {
    return this.#kept ?? []
  }

  /** Sends a piece on. Waits while the client reads too slowly. */
  send(piece: Piece, source: Source): Effect.Effect<void> {
    return Effect.suspend(() => {
      const sent = this.add(piece)
      if (this.#hasBegun) return sent
      this.#hasBegun = true
      return Effect.andThen(sent, Deferred.succeed(this.#begun, source))
    })
  }

  /** Sends a piece of an answer that has begun. */
  add(piece: Piece): Effect.Effect<void> {
    return Clock.clockWith((clock) => {
      this.#sentAt = clock.currentTimeMillisUnsafe()
      this.#kept?.push(piece)
      return this.#isAbandoned ? Effect.void : Effect.asVoid(Queue.offer(this.#queue, piece))
    })
  }

  /** Sends a piece whenever nothing has been sent for `ms` milliseconds. */
  sendWhenSilent(piece: Piece, ms: number): Effect.Effect<never> {
    const next = Effect.flatMap(Instant.now, (now) => {
      const leftMs = this.#sentAt + ms - now
      return leftMs > 0 ? Effect.sleep(leftMs) : this.add(piece)
    })
    return Effect.forever(next)
  }

  /** No piece follows. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => Effect.asVoid(Queue.end(this.#queue)))

  /** The pieces break off. */
  fail(error: E): Effect.Effect<void> {
    return Effect.asVoid(Queue.fail(this.#queue, error))
  }

  /** The client has gone: what follows is kept, and sent to nobody. */
  readonly abandon: Effect.Effect<void> = Effect.suspend(() => {
    this.#isAbandoned = true
    return Effect.asVoid(Queue.shutdown(this.#queue))
  })
}
