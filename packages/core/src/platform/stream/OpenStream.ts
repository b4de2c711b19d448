/** One open stream: what it has to say, and how it ends. It keeps a bounded number of frames for a client that reads slowly. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { ChangeReader, Topic, TopicKind } from "../changes/index.ts"
import { changedFrame, lifeSign, resyncFrame } from "./StreamFrames.ts"

/** Frames that wait for a client. Four are a second of notes. */
const maxWaiting = 4

/** Notes that several streams get are written once. */
const frames = new WeakMap<ReadonlyArray<Topic>, Uint8Array>()

const frameOf = (topics: ReadonlyArray<Topic>): Uint8Array => {
  const written = frames.get(topics) ?? changedFrame(topics)
  frames.set(topics, written)
  return written
}

export class OpenStream implements ChangeReader {
  readonly kinds: ReadonlySet<TopicKind>
  readonly #queue: Queue.Queue<Uint8Array, Cause.Done>
  #hasEnded = false

  private constructor(kinds: ReadonlySet<TopicKind>, queue: Queue.Queue<Uint8Array, Cause.Done>) {
    this.kinds = kinds
    this.#queue = queue
  }

  static readonly make = (kinds: ReadonlySet<TopicKind>): Effect.Effect<OpenStream> =>
    Effect.map(Queue.dropping<Uint8Array, Cause.Done>(maxWaiting), (queue) => new OpenStream(kinds, queue))

  /** What the client gets. */
  get frames(): Stream.Stream<Uint8Array> {
    return Stream.fromQueue(this.#queue)
  }

  changed(topics: ReadonlyArray<Topic>): void {
    if (!this.#hasEnded) this.say(frameOf(topics))
  }

  /** In place of all that waits, and of what there is no room for. */
  resync(): void {
    if (!this.#hasEnded) this.#resync()
  }

  #resync(): void {
    while (Queue.sizeUnsafe(this.#queue) > 0) Queue.takeUnsafe(this.#queue)
    Queue.offerUnsafe(this.#queue, resyncFrame)
  }

  /** False where it was left out: the client does not keep up. */
  say(frame: Uint8Array): boolean {
    const isAdded = Queue.offerUnsafe(this.#queue, frame)
    if (!isAdded) this.#resync()
    return isAdded
  }

  /** Nothing is added for a client that has not read what came before. */
  live(): void {
    if (Queue.sizeUnsafe(this.#queue) === 0) Queue.offerUnsafe(this.#queue, lifeSign)
  }

  /** Ends it once the client has what waits, with a last frame. */
  end(last?: Uint8Array): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    if (last !== undefined && !this.say(last)) this.say(last)
    Queue.endUnsafe(this.#queue)
  }
}
